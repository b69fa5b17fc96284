import AppSeam
import BluetoothWire

extension CBPeripheralManager {
  func publish(_ service: CBMutableService) {
    guard isReady(for: "add(_:)", with: [CallText.of(whole: service)]), let phone else { return }
    guard service.publisher == nil else {
      return VirtualPhone.raise(.serviceAddedTwice, "services cannot be added more than once (\(service.uuid))")
    }
    phone.locked {
      guard !Self.systemServices.contains(service.uuid.wire) else {
        phone.remark(.misuse, .uuidNotAllowed, "service \(service.uuid) is the system's; an app cannot add it")
        addRefused(service, .uuidNotAllowed)
        return
      }
      let included = (service.includedServices ?? []).map { ($0 as? CBMutableService)?.key }
      if included.contains(nil) {
        phone.remark(.misuse, .includedNotPublished, "service \(service.uuid) includes one that is not published")
        addRefused(service, .invalidParameters)
        return
      }
      publish(service, included: included.compactMap { $0 }, phone)
    }
  }

  /// Generic Access, Generic Attribute and Battery: phones publish these themselves.
  private static let systemServices = [BluetoothUUID(0x1800), BluetoothUUID(0x1801), BluetoothUUID(0x180F)]

  private func addRefused(_ service: CBMutableService, _ code: CBError.Code) {
    let error = CBError.with(code)
    call { [weak self] in
      guard let self else { return }
      tell("peripheralManager(_:didAdd:error:)", with: [CallText.of(service), CallText.of(error)]) {
        $0.peripheralManager(self, didAdd: service, error: error)
      }
    }
  }

  private func publish(_ service: CBMutableService, included: [ServiceKey], _ phone: VirtualPhone) {
    let key = ServiceKey(phone.local.nextNumber())
    service.key = key
    service.publisher = self
    var list: [LocalCharacteristic] = []
    for case let characteristic as CBMutableCharacteristic in service.characteristics ?? [] {
      let attribute = AttributeKey(phone.local.nextNumber())
      characteristic.key = attribute
      characteristic.publisher = self
      var descriptors: [LocalDescriptor] = []
      for case let descriptor as CBMutableDescriptor in characteristic.descriptors ?? [] {
        let descriptorKey = AttributeKey(phone.local.nextNumber())
        descriptor.key = descriptorKey
        descriptors.append(
          LocalDescriptor(
            key: descriptorKey, uuid: descriptor.uuid.wire,
            value: CBDescriptor.octets(of: descriptor.value, uuid: descriptor.uuid) ?? []))
      }
      list.append(
        LocalCharacteristic(
          key: attribute, uuid: characteristic.uuid.wire, properties: characteristic.properties.onAir,
          permissions: AttributePermissions(characteristic.permissions, characteristic.properties),
          value: characteristic.value.map { Array($0) }, descriptors: descriptors))
    }
    let record = LocalService(
      key: key, uuid: service.uuid.wire, isPrimary: service.isPrimary, included: included, characteristics: list)
    phone.local.add(LocalAttributes.Entry(key: key, service: service, record: record, manager: self))
    phone.ask(.gatt(.publish(record)))
  }

  func takeBack(_ service: CBMutableService) {
    guard isReady(for: "remove(_:)", with: [CallText.of(service)]), let phone else { return }
    phone.locked {
      guard let key = service.key, service.publisher === self else {
        phone.remark(.misuse, .serviceNotAdded, "remove of service \(service.uuid), which is not published; ignored")
        return
      }
      if let outer = phone.local.entries.first(where: { $0.record.included.contains(key) }) {
        phone.remark(
          .misuse, .includedStillUsed,
          "remove of service \(service.uuid), which published service \(outer.service.uuid) includes; ignored")
        return
      }
      take(back: key, service, phone)
    }
  }

  func takeAllBack() {
    guard isReady(for: "removeAllServices()"), let phone else { return }
    phone.locked {
      for entry in phone.local.entries where entry.manager === self { take(back: entry.key, entry.service, phone) }
    }
  }

  private func take(back key: ServiceKey, _ service: CBMutableService, _ phone: VirtualPhone) {
    service.key = nil
    service.publisher = nil
    for case let characteristic as CBMutableCharacteristic in service.characteristics ?? [] {
      guard let attribute = characteristic.key else { continue }
      for link in phone.links {
        link.subscriptions.removeAll { $0 == attribute }
        link.notifications.forget(attribute)
      }
      characteristic.key = nil
      characteristic.publisher = nil
      characteristic.subscribers = []
    }
    phone.local.remove(key)
    phone.ask(.gatt(.unpublish(key)))
  }

  func published(_ key: ServiceKey, _ error: UInt8?) {
    guard let service = phone?.local[key]?.service else { return }
    call { [weak self] in
      guard let self else { return }
      tell(
        "peripheralManager(_:didAdd:error:)", with: [CallText.of(service), CallText.of(CBATTError.from(error))]
      ) {
        $0.peripheralManager(self, didAdd: service, error: CBATTError.from(error))
      }
    }
  }

  /// Makes the objects of a service of an earlier launch, and publishes it unless the platform still has it.
  /// - Parameter before: Services that are restored already, of which it may include some.
  func restoredService(_ record: LocalService, included before: [CBMutableService]) -> CBMutableService {
    let service = CBMutableService(type: CBUUID(record.uuid), primary: record.isPrimary)
    service.characteristics = record.characteristics.map { record in
      let characteristic = CBMutableCharacteristic(
        type: CBUUID(record.uuid), properties: record.permissions.restored(record.properties),
        value: record.value.map { Data($0) },
        permissions: CBAttributePermissions(rawValue: UInt(record.permissions.rawValue) & 0x0F))
      characteristic.descriptors = record.descriptors.map { record in
        let uuid = CBUUID(record.uuid)
        return CBMutableDescriptor(type: uuid, value: CBDescriptor.value(of: uuid, octets: record.value ?? []))
      }
      return characteristic
    }
    guard let phone else { return service }
    if phone.memory.below == nil {
      publish(service, included: [], phone)
    } else {
      takeOver(service, record, phone, included: before)
    }
    return service
  }
}

extension CBPeripheralManager {
  /// The objects are those of a service that the platform has: under its keys, and with its subscribers.
  private func takeOver(
    _ service: CBMutableService, _ record: LocalService, _ phone: VirtualPhone, included before: [CBMutableService]
  ) {
    service.includedServices = before.filter { $0.key.map(record.included.contains) ?? false }
    service.key = record.key
    service.publisher = self
    for (object, kept) in zip(service.characteristics ?? [], record.characteristics) {
      guard let characteristic = object as? CBMutableCharacteristic else { continue }
      characteristic.key = kept.key
      characteristic.publisher = self
      characteristic.subscribers = phone.links.filter { $0.subscriptions.contains(kept.key) }.map { central($0.peer) }
      for (object, kept) in zip(characteristic.descriptors ?? [], kept.descriptors) {
        (object as? CBMutableDescriptor)?.key = kept.key
      }
    }
    phone.local.add(LocalAttributes.Entry(key: record.key, service: service, record: record, manager: self))
  }
}

extension CBCharacteristicProperties {
  /// The octet of the declaration; encryption is no property on the air, and brings what it is about.
  fileprivate var onAir: UInt8 {
    var bits = rawValue & 0xFF
    if contains(.notifyEncryptionRequired) { bits |= Self.notify.rawValue }
    if contains(.indicateEncryptionRequired) { bits |= Self.indicate.rawValue }
    return UInt8(truncatingIfNeeded: bits)
  }
}

extension AttributePermissions {
  fileprivate init(_ permissions: CBAttributePermissions, _ properties: CBCharacteristicProperties) {
    // The same four bits.
    self.init(rawValue: UInt8(truncatingIfNeeded: permissions.rawValue & 0x0F))
    if !properties.isDisjoint(with: [.notifyEncryptionRequired, .indicateEncryptionRequired]) {
      insert(.configureEncrypted)
    }
  }

  /// The properties of a characteristic of an earlier launch.
  fileprivate func restored(_ octet: UInt8) -> CBCharacteristicProperties {
    var properties = CBCharacteristicProperties(rawValue: UInt(octet))
    guard contains(.configureEncrypted) else { return properties }
    if properties.contains(.notify) { properties.insert(.notifyEncryptionRequired) }
    if properties.contains(.indicate) { properties.insert(.indicateEncryptionRequired) }
    return properties
  }
}
