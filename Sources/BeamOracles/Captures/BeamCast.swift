import AppSeam
import BeamScribe
import Bench
import BluetoothWire
import CaptureCheck
import Conformance
import NetworkWire
import SimKernel

/// Who takes part: the devices of a trace, found in captures of networks.
///
/// An address is a device, unless captures say more: an interface that is called `Anna wifi` or `Anna awdl` is one of
/// the device Anna, and addresses that Multicast DNS gives to one host are those of one device.
struct BeamCast {
  private(set) var header = TraceHeader(scenario: "captures", seed: 0, devices: [], options: [])
  /// By place among the connections.
  private(set) var hosts: [Int] = []
  private(set) var guests: [Int] = []
  /// Guests that may be counted twice, because nothing says which of their addresses belong together: by device.
  private(set) var isNamed: [Bool] = []
  private var names: [IPAddress: String] = [:]
  /// The addresses of each device.
  private var ends: [[IPAddress]] = []

  init(_ connections: [BeamConnection], _ services: [TrafficService]) {
    for connection in connections {
      for track in connection.connection.tracks {
        guard let side = connection.connection.viewpoint(of: track), let name = Self.owner(track.stream.interfaceName)
        else { continue }
        let end = side == .server ? connection.connection.server : connection.connection.client
        names[end.address] = names[end.address] ?? name
      }
    }
    for service in services { name(service) }
    var keys: [(name: String, role: AppRole, dialect: DialectName)] = []
    for connection in connections {
      for (role, end) in [(AppRole.beamHost, connection.hostEnd), (.beamGuest, connection.guestEnd)] {
        let name = names[end.address] ?? end.address.description
        let known = keys.firstIndex { $0 == (name, role, connection.dialect) }
        if known == nil {
          keys.append((name, role, connection.dialect))
          isNamed.append(names[end.address] != nil)
          ends.append([])
        }
        let device = known ?? keys.count - 1
        if !ends[device].contains(end.address) { ends[device].append(end.address) }
        if role == .beamHost { hosts.append(device) } else { guests.append(device) }
      }
    }
    for (index, key) in keys.enumerated() {
      let others = keys.filter { $0.name == key.name }
      let parts = [
        Set(others.map(\.role)).count > 1 ? key.role.rawValue : nil,
        Set(others.map(\.dialect)).count > 1 ? key.dialect.rawValue : nil,
      ].compactMap(\.self)
      header.devices.append(
        TraceHeader.Device(
          name: parts.isEmpty ? key.name : "\(key.name) (\(parts.joined(separator: ", ")))", role: key.role,
          phone: "captured", dialect: key.dialect.rawValue, engine: DeviceState.capturedEngine,
          address: BluetoothAddress(kind: .random, bits: 0xFFFF_FFFF_0000 + UInt64(index))))
    }
  }

  /// `Anna` of `Anna wifi`.
  private static func owner(_ interface: String?) -> String? {
    guard let interface else { return nil }
    for kind in NetworkInterface.allCases where interface.hasSuffix(" " + kind.rawValue) {
      return String(interface.dropLast(kind.rawValue.count + 1))
    }
    return nil
  }

  /// All addresses of a host have one name: that of an interface, or the first label of the host's.
  private mutating func name(_ service: TrafficService) {
    guard let label = service.host.labels.first else { return }
    let known = service.addresses.first { names[$0] != nil }
    let name = known.flatMap { names[$0] } ?? label
    for address in service.addresses where names[address] == nil { names[address] = name }
  }

  /// The addresses of a device, for people.
  func address(_ device: Int) -> String { ends[device].map(\.description).joined(separator: " ") }

  func name(_ device: Int) -> String {
    header.devices.indices.contains(device) ? header.devices[device].name : "a guest"
  }
}
