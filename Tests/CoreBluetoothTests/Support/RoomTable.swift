import AppSeam
import BluetoothWire

@testable import CoreBluetooth

/// The attribute table of one phone.
struct RoomTable {
  struct Descriptor {
    var uuid: BluetoothUUID
    var handle: ATT.Handle
    var value: [UInt8]
  }

  struct Characteristic {
    var uuid: BluetoothUUID
    var properties: UInt8
    var permissions: AttributePermissions
    var value: ATT.Handle
    var end: ATT.Handle
    var key: AttributeKey
    /// Nil: the app is asked.
    var octets: [UInt8]?
    var descriptors: [Descriptor]
  }

  struct Service {
    var found: FoundService
    var key: ServiceKey
    var included: [ServiceKey]
    var characteristics: [Characteristic]
  }

  private(set) var services: [Service] = []
  private var next: ATT.Handle = 1

  mutating func publish(_ record: LocalService) {
    let start = take()
    var list: [Characteristic] = []
    for characteristic in record.characteristics {
      _ = take()
      let value = take()
      var descriptors: [Descriptor] = []
      if characteristic.properties & 0x30 != 0 {
        descriptors.append(Descriptor(uuid: .clientCharacteristicConfiguration, handle: take(), value: [0, 0]))
      }
      for descriptor in characteristic.descriptors {
        descriptors.append(Descriptor(uuid: descriptor.uuid, handle: take(), value: descriptor.value ?? []))
      }
      list.append(
        Characteristic(
          uuid: characteristic.uuid, properties: characteristic.properties,
          permissions: characteristic.permissions, value: value, end: next - 1,
          key: characteristic.key, octets: characteristic.value,
          descriptors: descriptors))
    }
    services.append(
      Service(
        found: FoundService(uuid: record.uuid, isPrimary: record.isPrimary, start: start, end: next - 1),
        key: record.key, included: record.included, characteristics: list))
  }

  /// - Returns: the handles that are void.
  mutating func unpublish(_ key: ServiceKey) -> FoundService? {
    let found = services.first { $0.key == key }?.found
    services.removeAll { $0.key == key }
    return found
  }

  private mutating func take() -> ATT.Handle {
    next += 1
    return next - 1
  }

  var all: [Characteristic] { services.flatMap(\.characteristics) }

  func characteristic(_ handle: ATT.Handle) -> Characteristic? { all.first { $0.value == handle } }
  func characteristic(_ key: AttributeKey) -> Characteristic? { all.first { $0.key == key } }
  func descriptor(_ handle: ATT.Handle) -> Descriptor? { all.flatMap(\.descriptors).first { $0.handle == handle } }
}
