import AppSeam
import BluetoothWire

/// What the protocol fixes per dialect and an oracle must know, taken from the protocol text and not from an engine.
package struct DialectFacts: Hashable, Sendable {
  /// How experience points are counted.
  package enum Formula: Hashable, Sendable { case guide, sdk }

  package var name: String
  /// Peers of one lobby, the host among them.
  package var capacity: Int
  package var formula: Formula
  /// The ATT_MTU that a client asks for.
  var attMTU: Int
  /// With *command* first and *state* second.
  var service: ServiceDefinition

  var command: ServiceDefinition.Characteristic { service.characteristics[0] }
  var state: ServiceDefinition.Characteristic { service.characteristics[1] }
  /// What a client subscribes to.
  var notifying: [BluetoothUUID] {
    service.characteristics.filter { $0.properties.contains(.notify) }.map(\.uuid)
  }

  /// The facts of a dialect, nil for a name the protocol does not know.
  package static func named(_ name: String) -> DialectFacts? { all.first { $0.name == name } }

  /// Spec: BAB 2 and 6.
  package static let all = [
    DialectFacts(
      name: "guide", capacity: 8, formula: .guide, attMTU: 185,
      service: service(
        "12345678-1234-1234-1234-123456789ABC",
        ("12345678-1234-1234-1234-123456789ABD", [.write, .writeWithoutResponse]),
        ("12345678-1234-1234-1234-123456789ABE", [.notify]))),
    DialectFacts(
      name: "sdk", capacity: 8, formula: .sdk, attMTU: 185,
      service: service(
        "BAB1", ("BAB2", [.write, .writeWithoutResponse]), ("BAB3", [.notify]), ("BAB4", [.notify]))),
    DialectFacts(
      name: "app", capacity: 4, formula: .guide, attMTU: 517,
      service: service(
        "BAB10000-1A46-0001-0000-000000000001",
        ("BAB10000-1A46-0001-0000-000000000003", [.write]),
        ("BAB10000-1A46-0001-0000-000000000002", [.read, .notify]),
        ("BAB10000-1A46-0001-0000-000000000004", [.write, .notify]),
        ("BAB10000-1A46-0001-0000-000000000005", [.read, .notify]))),
  ]

  private static func service(
    _ uuid: String, _ characteristics: (uuid: String, properties: ServiceDefinition.Properties)...
  ) -> ServiceDefinition {
    ServiceDefinition(
      uuid: number(uuid),
      characteristics: characteristics.map { .init(uuid: number($0.uuid), properties: $0.properties) })
  }

  private static func number(_ text: String) -> BluetoothUUID {
    guard let uuid = BluetoothUUID(text) else { preconditionFailure("\(text) is a UUID of bab.md") }
    return uuid
  }
}
