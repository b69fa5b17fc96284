import AppSeam
import BluetoothWire

/// The server's half over the seam: the platform answers reads and writes, and cannot take a service back.
extension BareSeam {
  func lowerServer(_ wish: PhoneWish) {
    switch wish {
    case .publish(let record): publish(record)
    case .unpublish:
      remark(
        .seamUnpublish,
        "the seam cannot take a service back: centrals find it after remove, and the app hears nothing of it")
    case .answer(_, _, let error):
      guard let error else { return }
      remark(
        .seamWriteAnswer,
        "the stack has answered the write already: the app's error \(error) does not reach the central")
    case .notify(let id, let attribute, let octets):
      guard let record = phone.local.record(attribute) else {
        phone.take(.notifySubmitted(id, attribute, accepted: true))
        return
      }
      guard record.properties & 0x10 != 0 else {
        remark(
          .seamIndications,
          "the seam has no indications: values of \(record.uuid), which has no notifications, are lost")
        phone.take(.notifySubmitted(id, attribute, accepted: true))
        return
      }
      submissions[id, default: []].append(.notification(attribute))
      phone.ask(.notify(id, characteristic: record.uuid, octets: octets))
    default: break
    }
  }

  /// The newest value of a dynamic characteristic, which reads return until the app can be asked.
  func newest(_ octets: [UInt8], of record: CharacteristicRecord) {
    guard record.value == nil, record.properties & 0x02 != 0, values[record.key] != octets else { return }
    values[record.key] = octets
    phone.ask(.setValue(characteristic: record.uuid, octets: octets))
  }

  private func publish(_ record: ServiceRecord) {
    for characteristic in record.characteristics { check(characteristic, record) }
    if !record.included.isEmpty {
      remark(.seamIncluded, "the seam has no included services: none are found, and none are published")
    }
    if !record.isPrimary {
      remark(.seamIncluded, "the seam publishes primary services only: \(record.uuid) becomes one")
    }
    let definition = ServiceDefinition(
      uuid: record.uuid,
      characteristics: record.characteristics.map {
        ServiceDefinition.Characteristic(
          uuid: $0.uuid, properties: ServiceDefinition.Properties(rawValue: UInt8(truncatingIfNeeded: $0.properties)))
      })
    if published.contains(definition) {
      // It was never taken back.
    } else {
      if published.contains(where: { $0.uuid == definition.uuid }) {
        remark(.seamUnpublish, "service \(record.uuid) is published again in another form: centrals find both")
      }
      published.append(definition)
      phone.ask(.publish(definition))
    }
    for characteristic in record.characteristics {
      if let value = characteristic.value { phone.ask(.setValue(characteristic: characteristic.uuid, octets: value)) }
    }
    phone.take(.published(record.key, error: nil))
  }

  private func check(_ characteristic: CharacteristicRecord, _ service: ServiceRecord) {
    let encryption: UInt = 0x300
    if characteristic.properties & encryption != 0 || characteristic.permissions & 0x0C != 0 {
      remark(.seamSecurity, "the seam has no security levels: \(characteristic.uuid) is open to every central")
    }
    if characteristic.value == nil, characteristic.properties & 0x02 != 0 {
      remark(
        .seamDynamicRead,
        "the platform answers reads of \(characteristic.uuid) with the newest updateValue; the app is not asked"
      )
    }
    if !characteristic.descriptors.isEmpty {
      remark(.seamDescriptors, "the seam has no descriptors: those of \(characteristic.uuid) are not published")
    }
    let isElsewhere = phone.local.entries.contains { entry in
      entry.key != service.key && entry.record.characteristics.contains { $0.uuid == characteristic.uuid }
    }
    let isTwice = service.characteristics.count { $0.uuid == characteristic.uuid } > 1
    if isElsewhere || isTwice {
      remark(.seamDuplicateUUID, "the seam reaches only the first of several characteristics \(characteristic.uuid)")
    }
  }
}
