import AppSeam
import Bench
import BluetoothWire
import SimKernel

/// What a protocol file says, read and checked: everything else of this target follows from one of these.
struct ProtocolForm: Sendable {
  /// As scenarios and the command line write it.
  var name: String
  var title: String
  /// In the order of the file.
  var roles: [Role]
  var services: [Service]
  var packets: [Packet]
  /// What people do, and what screens show.
  var actions: [Word]
  var reports: [Word]
  var clauses: [Clause]
  var claims: [Claim]
  var purposes: [Purpose]
  /// What people do by themselves.
  var people: [Habit] = []
  /// What an implementation may do or not, by name.
  var features: [Feature] = []

  /// What somebody at a device of a role does when its app shows something.
  struct Habit: Sendable {
    var role: AppRole
    var event: EventForm
    /// One of them, drawn; at least one.
    var actions: [FreeAction]
    /// From what is shown to what is done.
    var after: ClosedRange<SimDuration>
    /// In all, at each device.
    var limit: Int
  }

  /// An item of the implementation conformance statement (ISO/IEC 9646-7).
  struct Feature: Sendable {
    var name: String
    var text: String
  }

  struct Role: Sendable {
    var role: AppRole
    var plural: String
    var leads: Bool
    /// The local name that it advertises; nil: none.
    var localName: String?
    /// The services that it advertises, by their place in `services`.
    var advertised: [Int]
  }

  struct Service: Sendable {
    var name: String
    var uuid: BluetoothUUID
    /// Who publishes it.
    var role: AppRole
    var characteristics: [Characteristic]
  }

  struct Characteristic: Sendable {
    var name: String
    var uuid: BluetoothUUID
    var properties: ServiceDefinition.Properties
    var framing: FramingForm
  }

  /// One kind of packet, on one characteristic.
  struct Packet: Sendable {
    var name: String
    /// Who sends it.
    var senders: [AppRole]
    var characteristic: BluetoothUUID
    var body: Body
    /// The field that says how long the packet is, and how many octets it does not count; nil: the framing has none.
    var ownLength: (field: String, extra: Int)?

    enum Body: Sendable {
      /// Binary fields, one after the other.
      case fields([Field])
      /// One JSON object.
      case json([Field])
    }

    var fields: [Field] {
      switch body {
      case .fields(let fields), .json(let fields): fields
      }
    }
  }

  /// A word with typed values, of people or of screens.
  struct Word: Sendable {
    var name: String
    var roles: [AppRole]
    var values: [(name: String, type: ValueType)]
  }

  enum ValueType: String, Sendable, CaseIterable {
    case text, number, flag, octets
  }

  struct Clause: Sendable {
    var id: String
    var text: String
  }
}

extension ProtocolForm {
  func role(_ role: AppRole) -> Role? { roles.first { $0.role == role } }

  func characteristic(_ uuid: BluetoothUUID) -> Characteristic? {
    for service in services {
      if let found = service.characteristics.first(where: { $0.uuid == uuid }) { return found }
    }
    return nil
  }

  /// Whether devices of a role have services, and wait to be found.
  func serves(_ role: AppRole) -> Bool { services.contains { $0.role == role } }

  /// Whether devices of a role publish services; what has no characteristic is advertised only.
  func publishes(_ role: AppRole) -> Bool { services.contains { $0.role == role && !$0.characteristics.isEmpty } }

  /// What a device of a role may send on a characteristic.
  func packets(of sender: AppRole, on uuid: BluetoothUUID) -> [Packet] {
    packets.filter { $0.characteristic == uuid && $0.senders.contains(sender) }
  }
}
