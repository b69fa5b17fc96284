import BabSim
import Bench
import BluetoothWire
import CaptureCheck
import Conformance
import SimKernel

/// Who takes part: the devices of a trace, found in captures.
///
/// The end that serves is a host, the other a client (BAB 1.1). A phone that hosts one session and joins another is two
/// devices here.
struct BabCast {
  private struct Member {
    var device: Int
    var isHost: Bool
  }

  private(set) var header: TraceHeader
  /// By connection.
  private(set) var hosts: [Int] = []
  private(set) var clients: [Int] = []
  private var members: [Member] = []
  private let devices: EndDevices

  init(
    _ connections: [EndConnection], _ devices: EndDevices, _ speech: BabSpeech, _ dialects: BabDialects,
    captures: [String]
  ) {
    self.devices = devices
    header = TraceHeader(scenario: "captures", seed: 0, devices: [], options: [])
    for connection in connections {
      hosts.append(member(devices.servers[connection.index], isHost: true))
      clients.append(member(devices.clients[connection.index], isHost: false))
    }
    for (index, member) in members.enumerated() {
      let own = connections.filter { (member.isHost ? hosts : clients)[$0.index] == index }
      let dialect = own.lazy.compactMap { dialects.dialect(of: $0)?.dialect.name }.first
      let name = name(
        index, own, speech, captures,
        isShared: members.contains { $0.device == member.device && $0.isHost != member.isHost })
      header.devices.append(
        TraceHeader.Device(
          name: unique(name), role: member.isHost ? .host : .client, phone: "captured", dialect: dialect ?? "unknown",
          engine: own.contains { $0.track(ofServer: member.isHost) != nil }
            ? DeviceState.capturedEngine : DeviceState.overheardEngine,
          address: address(index)))
    }
    nameLobbies()
  }

  /// Several hosts have a lobby each, as long as no client was with two of them: then nobody can say which it is in.
  private mutating func nameLobbies() {
    let pairs = zip(clients, hosts).map { ($0, $1) }
    guard Set(hosts).count > 1, pairs.allSatisfy({ pair in pairs.allSatisfy { $0.0 != pair.0 || $0.1 == pair.1 } })
    else { return }
    for (client, host) in pairs {
      header.devices[host].lobby = header.devices[host].name
      header.devices[client].lobby = header.devices[host].name
    }
  }

  /// The device of a trace that offers something under an address or by an adapter: as a client when it is one, because
  /// a host may.
  func member(address: BluetoothAddress?, adapter: TrafficAdapter?) -> [Int] {
    guard let device = devices.device(address: address, adapter: adapter) else { return [] }
    return members.indices.filter { members[$0].device == device }
  }

  /// The adapter at whose HCI a device was captured.
  func adapter(_ member: Int) -> TrafficAdapter? { devices.devices[members[member].device].adapter }

  private mutating func member(_ device: Int, isHost: Bool) -> Int {
    if let place = members.firstIndex(where: { $0.device == device && $0.isHost == isHost }) { return place }
    members.append(Member(device: device, isHost: isHost))
    return members.count - 1
  }

  /// An address of its own in this trace; a real one where there is one.
  private func address(_ index: Int) -> BluetoothAddress {
    let member = members[index]
    let real = devices.devices[member.device].addresses.first ?? devices.devices[member.device].adapter?.addresses.last
    if let real, !header.devices.contains(where: { $0.address == real }) { return real }
    return BluetoothAddress(kind: .random, bits: 0xFFFF_FFFF_0000 + UInt64(index))
  }

  private func name(
    _ index: Int, _ connections: [EndConnection], _ speech: BabSpeech, _ captures: [String], isShared: Bool
  ) -> String {
    let member = members[index]
    let device = devices.devices[member.device]
    var name: String?
    if let adapter = device.adapter {
      let isAlone = !devices.devices.contains { $0.adapter !== adapter && $0.adapter?.file == adapter.file }
      if isAlone, captures.indices.contains(adapter.file) { name = Self.stem(captures[adapter.file]) }
      name = name ?? adapter.name
    }
    for connection in connections where name == nil || name == "" {
      name = speech.participant(connection.index, fromServer: member.isHost)?.name
    }
    let text = name.map { $0.isEmpty ? nil : $0 } ?? nil
    let plain = text ?? device.addresses.first.map { "\($0)" } ?? "device \(member.device + 1)"
    return isShared ? plain + (member.isHost ? " (host)" : " (client)") : plain
  }

  private func unique(_ name: String) -> String {
    let taken = header.devices.filter { $0.name == name || $0.name.hasPrefix(name + " #") }.count
    return taken == 0 ? name : name + " #\(taken + 1)"
  }

  /// The file's name without folders and ending.
  private static func stem(_ path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return name.lastIndex(of: ".").map { $0 == name.startIndex ? name : String(name[..<$0]) } ?? name
  }
}
