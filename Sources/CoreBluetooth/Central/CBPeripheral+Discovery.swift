import AppSeam
import BluetoothWire

extension CBPeripheral {
  func findServices(_ serviceUUIDs: [CBUUID]?) {
    guard let (phone, link) = ready(for: "discoverServices(_:)", with: [CallText.of(serviceUUIDs)]) else { return }
    phone.locked {
      phone.ask(.discoverServices(link.id, serviceUUIDs?.map(\.wire) ?? []), on: link.id, .services, by: self)
    }
  }

  func findIncluded(_ includedServiceUUIDs: [CBUUID]?, _ service: CBService) {
    let arguments = [CallText.of(includedServiceUUIDs), CallText.of(service)]
    guard let (phone, link) = ready(for: "discoverIncludedServices(_:for:)", with: arguments),
      let found = own(service, phone)
    else { return }
    phone.locked {
      phone.ask(
        .discoverIncluded(link.id, found), on: link.id, .included(found.start),
        only: Self.wanted(includedServiceUUIDs), by: self)
    }
  }

  func findCharacteristics(_ characteristicUUIDs: [CBUUID]?, _ service: CBService) {
    let arguments = [CallText.of(characteristicUUIDs), CallText.of(service)]
    guard let (phone, link) = ready(for: "discoverCharacteristics(_:for:)", with: arguments),
      let found = own(service, phone)
    else { return }
    phone.locked {
      phone.ask(
        .discoverCharacteristics(link.id, found), on: link.id, .characteristics(found.start),
        only: Self.wanted(characteristicUUIDs), by: self)
    }
  }

  /// The types that are looked for; nil: all of them, as for an empty list.
  private static func wanted(_ types: [CBUUID]?) -> [BluetoothUUID]? {
    types.flatMap { $0.isEmpty ? nil : $0.map(\.wire) }
  }

  func findDescriptors(_ characteristic: CBCharacteristic) {
    guard let (phone, link) = ready(for: "discoverDescriptors(for:)", with: [CallText.of(characteristic)]),
      let found = own(characteristic, phone)
    else { return }
    phone.locked {
      phone.ask(.discoverDescriptors(link.id, found), on: link.id, .descriptors(found.value), by: self)
    }
  }

  // MARK: Whose attributes

  private func own(_ service: CBService, _ phone: VirtualPhone) -> FoundService? {
    guard service.owner === self, let found = service.found else {
      phone.remark(.misuse, .foreignAttribute, "service \(service.uuid) is not of this peripheral; the call is ignored")
      return nil
    }
    guard allServices.contains(where: { $0 === service }) else {
      phone.remark(
        .misuse, .staleAttribute,
        "service \(service.uuid) is void since a disconnection or a change of services; the call is ignored")
      return nil
    }
    return found
  }

  func own(_ characteristic: CBCharacteristic, _ phone: VirtualPhone) -> FoundCharacteristic? {
    let service = characteristic.parent
    guard let found = characteristic.found, service == nil || service?.owner === self else {
      phone.remark(
        .misuse, .foreignAttribute,
        "characteristic \(characteristic.uuid) is not of this peripheral; the call is ignored")
      return nil
    }
    guard let service, allServices.contains(where: { $0 === service }) else {
      phone.remark(
        .misuse, .staleAttribute,
        "characteristic \(characteristic.uuid) is void since a disconnection or a change of services; ignored")
      return nil
    }
    return found
  }

  /// Services, and those that they include.
  var allServices: [CBService] { (serviceList ?? []) + (serviceList ?? []).flatMap { $0.includedList ?? [] } }

  func characteristic(_ handle: ATT.Handle) -> CBCharacteristic? {
    for service in allServices {
      if let found = service.characteristicList?.first(where: { $0.found?.value == handle }) { return found }
    }
    return nil
  }

  func descriptor(_ handle: ATT.Handle) -> CBDescriptor? {
    for service in allServices {
      for characteristic in service.characteristicList ?? [] {
        if let found = characteristic.descriptorList?.first(where: { $0.found?.handle == handle }) { return found }
      }
    }
    return nil
  }

  // MARK: Answers

  func servicesFound(_ found: [FoundService], _ error: UInt8?) {
    tell(
      "peripheral(_:didDiscoverServices:)", with: [CallText.of(CBATTError.from(error))],
      change: { peripheral in
        guard error == nil else { return }
        let before = peripheral.serviceList ?? []
        let made = found.filter { new in !before.contains { $0.found == new } }.map {
          CBService(type: CBUUID($0.uuid), isPrimary: $0.isPrimary, found: $0, owner: peripheral)
        }
        peripheral.serviceList = (before + made).sorted { ($0.found?.start ?? 0) < ($1.found?.start ?? 0) }
      }
    ) { $0.peripheral($1, didDiscoverServices: CBATTError.from(error)) }
  }

  func includedFound(_ service: FoundService, _ found: [FoundService], _ error: UInt8?) {
    guard let object = allServices.first(where: { $0.found == service }) else { return }
    tell(
      "peripheral(_:didDiscoverIncludedServicesFor:error:)",
      with: [CallText.found(found.map(\.uuid), in: object), CallText.of(CBATTError.from(error))],
      change: { peripheral in
        guard error == nil else { return }
        object.includedList = found.map { new in
          peripheral.serviceList?.first { $0.found == new }
            ?? CBService(type: CBUUID(new.uuid), isPrimary: new.isPrimary, found: new, owner: peripheral)
        }
      }
    ) { $0.peripheral($1, didDiscoverIncludedServicesFor: object, error: CBATTError.from(error)) }
  }

  func characteristicsFound(_ service: FoundService, _ found: [FoundCharacteristic], _ error: UInt8?) {
    guard let object = allServices.first(where: { $0.found == service }) else { return }
    tell(
      "peripheral(_:didDiscoverCharacteristicsFor:error:)",
      with: [CallText.found(found.map(\.uuid), in: object), CallText.of(CBATTError.from(error))],
      change: { _ in
        guard error == nil else { return }
        let before = object.characteristicList ?? []
        let made = found.filter { new in !before.contains { $0.found == new } }.map {
          CBCharacteristic(
            type: CBUUID($0.uuid), properties: CBCharacteristicProperties(rawValue: UInt($0.properties)), value: nil,
            found: $0, parent: object)
        }
        object.characteristicList = (before + made).sorted { ($0.found?.value ?? 0) < ($1.found?.value ?? 0) }
      }
    ) { $0.peripheral($1, didDiscoverCharacteristicsFor: object, error: CBATTError.from(error)) }
  }

  func descriptorsFound(_ characteristic: FoundCharacteristic, _ found: [FoundDescriptor], _ error: UInt8?) {
    guard let object = self.characteristic(characteristic.value) else { return }
    tell(
      "peripheral(_:didDiscoverDescriptorsFor:error:)",
      with: [CallText.found(found.map(\.uuid), in: object), CallText.of(CBATTError.from(error))],
      change: { _ in
        guard error == nil else { return }
        object.descriptorList = found.map {
          CBDescriptor(type: CBUUID($0.uuid), value: nil, found: $0, parent: object)
        }
      }
    ) { $0.peripheral($1, didDiscoverDescriptorsFor: object, error: CBATTError.from(error)) }
  }

  func servicesChanged(_ start: ATT.Handle, _ end: ATT.Handle) {
    let void = (serviceList ?? []).filter { service in
      service.found.map { $0.start <= end && $0.end >= start } ?? false
    }
    tell(
      "peripheral(_:didModifyServices:)", with: [CallText.of(void.map(\.uuid))],
      change: { peripheral in
        peripheral.serviceList?.removeAll { service in void.contains { $0 === service } }
      }
    ) { $0.peripheral($1, didModifyServices: void) }
  }
}
