import AppSeam
import BluetoothWire

/// The services that an app has published by key, with their handles in the host stack's table.
struct LocalAttributeTable {
  struct Service {
    var definition: LocalService
    var found: GATT.DiscoveredService
    /// Those that the app is asked about: values and descriptors.
    var attributes: [Attribute]
  }

  struct Attribute {
    var key: AttributeKey
    var uuid: BluetoothUUID
    var handle: ATT.Handle
  }

  private(set) var services: [Service] = []

  /// As it was published.
  var definitions: [LocalService] { services.map(\.definition) }

  mutating func add(_ service: Service) { services.append(service) }

  mutating func remove(_ key: ServiceKey) -> Service? {
    services.firstIndex { $0.definition.key == key }.map { services.remove(at: $0) }
  }

  mutating func removeAll() { services.removeAll() }

  subscript(key: ServiceKey) -> Service? { services.first { $0.definition.key == key } }

  subscript(key: AttributeKey) -> Attribute? { first { $0.key == key } }

  subscript(handle: ATT.Handle) -> Attribute? { first { $0.handle == handle } }

  private func first(_ isMeant: (Attribute) -> Bool) -> Attribute? {
    for service in services {
      if let attribute = service.attributes.first(where: isMeant) { return attribute }
    }
    return nil
  }
}

extension GATT.Service {
  init(_ service: LocalService, included: [GATT.DiscoveredService]) {
    self.init(
      uuid: service.uuid, isPrimary: service.isPrimary, included: included,
      characteristics: service.characteristics.map { characteristic in
        var made = GATT.Characteristic(
          uuid: characteristic.uuid, properties: GATT.Properties(rawValue: characteristic.properties),
          value: characteristic.value ?? [],
          descriptors: characteristic.descriptors.map {
            GATT.Descriptor(uuid: $0.uuid, value: $0.value ?? [], answering: $0.value == nil ? .owner : .stored)
          })
        made.access = GATT.Access(rawValue: characteristic.permissions.rawValue)
        made.answering = characteristic.value == nil ? .owner : .ownerWrites
        return made
      })
  }
}
