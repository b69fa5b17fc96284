import AppSeam
import BluetoothWire

extension CBPeripheral {
  func read(_ characteristic: CBCharacteristic) {
    guard let (phone, link) = ready(for: "readValue(for:)", with: [CallText.of(characteristic)]),
      let found = own(characteristic, phone)
    else { return }
    guard characteristic.properties.contains(.read) else {
      phone.remark(.misuse, .notReadable, "readValue of characteristic \(characteristic.uuid), which is not readable")
      let error = CBATTError.from(ATT.ErrorCode.readNotPermitted.rawValue)
      tell(
        "peripheral(_:didUpdateValueFor:error:)", with: [CallText.of(characteristic), CallText.of(error)]
      ) {
        $0.peripheral($1, didUpdateValueFor: characteristic, error: error)
      }
      return
    }
    phone.locked { phone.ask(.read(link.id, found.value, type: found.uuid), on: link.id, .read(found.value), by: self) }
  }

  func read(_ descriptor: CBDescriptor) {
    guard let (phone, link) = ready(for: "readValue(for:)", with: [CallText.of(descriptor)]),
      let found = own(descriptor, phone)
    else { return }
    phone.locked {
      phone.ask(.read(link.id, found.handle, type: found.uuid), on: link.id, .read(found.handle), by: self)
    }
  }

  func longestWrite(_ type: CBCharacteristicWriteType) -> Int {
    if type == .withResponse { return ATT.longestValue }
    guard let phone = manager?.phone else { return 20 }
    return phone.locked { (link?.attMTU ?? 23) - 3 }
  }

  func write(_ data: Data, _ characteristic: CBCharacteristic, _ type: CBCharacteristicWriteType) {
    let arguments = [CallText.of(data), CallText.of(characteristic), "\(type)"]
    guard let (phone, link) = ready(for: "writeValue(_:for:type:)", with: arguments),
      let found = own(characteristic, phone)
    else { return }
    switch type {
    case .withResponse: writeWithResponse(Array(data), characteristic, found, phone, link)
    case .withoutResponse: writeWithoutResponse(Array(data), characteristic, found, phone, link)
    }
  }

  private func writeWithResponse(
    _ octets: [UInt8], _ characteristic: CBCharacteristic, _ found: FoundCharacteristic, _ phone: VirtualPhone,
    _ link: PhoneLink
  ) {
    var error: ATT.ErrorCode?
    if !characteristic.properties.contains(.write) {
      phone.remark(.misuse, .notWritable, "characteristic \(characteristic.uuid) has no write with response")
      error = .writeNotPermitted
    } else if octets.count > ATT.longestValue {
      phone.remark(.misuse, .valueTooLong, "a value of \(octets.count) octets is written; 512 is the limit of ATT")
      error = .invalidAttributeValueLength
    }
    if let error {
      let answer = CBATTError.from(error.rawValue)
      tell("peripheral(_:didWriteValueFor:error:)", with: [CallText.of(characteristic), CallText.of(answer)]) {
        $0.peripheral($1, didWriteValueFor: characteristic, error: answer)
      }
      return
    }
    phone.locked {
      phone.ask(
        .write(link.id, found.value, type: found.uuid, octets: octets), on: link.id, .write(found.value), by: self)
    }
  }

  private func writeWithoutResponse(
    _ octets: [UInt8], _ characteristic: CBCharacteristic, _ found: FoundCharacteristic, _ phone: VirtualPhone,
    _ link: PhoneLink
  ) {
    guard characteristic.properties.contains(.writeWithoutResponse) else {
      phone.remark(
        .misuse, .notWritable,
        "characteristic \(characteristic.uuid) has no write without response; the write is ignored")
      return
    }
    phone.locked {
      guard octets.count <= link.attMTU - 3 else {
        phone.remark(
          .misuse, .valueTooLong,
          "\(octets.count) octets written without response where \(link.attMTU - 3) fit; the write is dropped")
        return
      }
      guard link.writes.hasRoom(depth: phone.settings.transmitDepth) else {
        link.writes.owesReady = true
        phone.remark(
          .misuse, .queueFull, "a write without response while canSendWriteWithoutResponse is false is dropped")
        return
      }
      phone.submit(Outbox<ATT.Handle>.Item(attribute: found.value, type: found.uuid, octets: octets), on: link)
    }
  }

  var hasRoomToWrite: Bool {
    guard let phone = manager?.phone, shownState == .connected else { return false }
    return phone.locked {
      guard let link else { return false }
      let hasRoom = link.writes.hasRoom(depth: phone.settings.transmitDepth)
      if !hasRoom { link.writes.owesReady = true }
      return hasRoom
    }
  }

  func write(_ data: Data, _ descriptor: CBDescriptor) {
    guard let (phone, link) = ready(for: "writeValue(_:for:)", with: [CallText.of(data), CallText.of(descriptor)]),
      let found = own(descriptor, phone)
    else { return }
    if found.uuid == .clientCharacteristicConfiguration {
      VirtualPhone.raise(
        .configurationDescriptor, "client characteristic configurations are written by setNotifyValue only")
      return
    }
    phone.locked {
      phone.ask(
        .write(link.id, found.handle, type: found.uuid, octets: Array(data)), on: link.id, .write(found.handle),
        by: self)
    }
  }

  func configure(_ characteristic: CBCharacteristic, _ enabled: Bool) {
    guard let (phone, link) = ready(for: "setNotifyValue(_:for:)", with: ["\(enabled)", CallText.of(characteristic)]),
      let found = own(characteristic, phone)
    else { return }
    guard !characteristic.properties.isDisjoint(with: [.notify, .indicate]) else {
      phone.remark(
        .misuse, .notNotifying, "characteristic \(characteristic.uuid) has neither notifications nor indications")
      let error = CBATTError.from(ATT.ErrorCode.requestNotSupported.rawValue)
      tell(
        "peripheral(_:didUpdateNotificationStateFor:error:)",
        with: [CallText.of(characteristic), CallText.of(error)]
      ) {
        $0.peripheral($1, didUpdateNotificationStateFor: characteristic, error: error)
      }
      return
    }
    // Nothing goes on the air.
    if characteristic.notifies == enabled { return configured(found.value, enabled, nil) }
    phone.locked {
      phone.ask(
        .configure(link.id, found.value, type: found.uuid, enabled), on: link.id, .configure(found.value), by: self)
    }
  }

  func readSignalStrength() {
    guard let (phone, link) = ready(for: "readRSSI()") else { return }
    phone.locked { phone.ask(.readRSSI(link.id), on: link.id, .rssi, by: self) }
  }

  func openChannel(_ PSM: CBL2CAPPSM) {
    guard let (phone, link) = ready(for: "openL2CAPChannel(_:)", with: ["PSM \(PSM)"]) else { return }
    phone.locked {
      phone.pending.append(PendingAnswer(link: link.id, kind: .channel(PSM), peripheral: self))
      phone.ask(.channel(.open(link.id, psm: PSM)))
    }
  }

  private func own(_ descriptor: CBDescriptor, _ phone: VirtualPhone) -> FoundDescriptor? {
    guard let characteristic = descriptor.parent, own(characteristic, phone) != nil else {
      phone.remark(.misuse, .foreignAttribute, "descriptor \(descriptor.uuid) is not of this peripheral; ignored")
      return nil
    }
    return descriptor.found
  }
}
