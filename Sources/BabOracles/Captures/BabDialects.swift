import AppSeam
import BabSim
import BluetoothWire
import CaptureCheck
import Conformance

/// Which values are Bab's, and in which dialect: by UUIDs from discovery, by what is advertised, else by their looks.
///
/// Spec: BAB 2.1, 2.2, 3.2, 4.1.
final class BabDialects {
  /// How the dialect of a link is known.
  enum Evidence: Hashable {
    case given
    case characteristics
    case advertisement
  }

  private struct Link {
    var dialect: Dialect?
    /// Handles that no discovery explains and whose values begin as packets do.
    var assumed: [ATT.Handle] = []
  }

  private let candidates: [Dialect]
  private let given: Dialect?
  private var links: [Link] = []
  private var advertisers: [(address: BluetoothAddress?, adapter: TrafficAdapter?, dialect: Dialect)] = []

  init(given: Dialect?) {
    self.given = given
    candidates = given.map { [$0] } ?? Dialect.all
  }

  func belongs(_ link: TrafficLink, _ server: AttributeMap, _ value: TrafficValue) -> EndTaste.Belonging {
    while links.count <= link.index { links.append(Link()) }
    if let characteristic = server.characteristic(value: value.handle) {
      guard let dialect = candidates.first(where: { carries($0, characteristic.uuid, value.isFromServer) }) else {
        return .foreign
      }
      links[link.index].dialect = dialect
      return .ours
    }
    if links[link.index].assumed.contains(value.handle) { return .ours }
    guard Self.beginsPacket(value.octets) else { return .unknown }
    links[link.index].assumed.append(value.handle)
    return .ours
  }

  /// Spec: BAB 2.6: packets go through command and state; a client takes them from whatever notifies.
  private func carries(_ dialect: Dialect, _ uuid: BluetoothUUID, _ isFromServer: Bool) -> Bool {
    if isFromServer { return dialect.notifying.contains { $0.uuid == uuid } }
    return dialect.command.uuid == uuid || dialect.others.contains { $0.uuid == uuid && $0.properties.contains(.write) }
  }

  /// A first fragment with the beginning of a JSON object after its header, or a packet without a header.
  static func beginsPacket(_ value: ArraySlice<UInt8>) -> Bool {
    if isRaw(value) { return true }
    let start = value.startIndex
    guard value.count >= FragmentHeader.octets + 2 else { return false }
    return value[start + 2] == 0 && value[start + 3] > 0 && value[start + 4] == 0x7B && value[start + 5] == 0x22
  }

  /// Whether a value is text without a fragment header. Spec: BAB 3.20.
  static func isRaw(_ value: ArraySlice<UInt8>) -> Bool { value.starts(with: beginning) }
  private static let beginning = Array(#"{"type"#.utf8)

  func offers(_ data: ArraySlice<UInt8>) -> Bool { offered(data) != nil }

  /// The dialect in which a device offers a lobby; nil when its AD structures do not say so.
  func offered(_ data: ArraySlice<UInt8>) -> Dialect? {
    // Most advertisers offer something else: look for the UUIDs before anything is taken apart.
    guard data.count >= 4 else { return nil }
    let structures = ADStructure.readable(in: Array(data))
    for case .serviceUUIDs16(let uuids, _) in structures {
      if let found = candidates.first(where: { $0.service.short.map(uuids.contains) ?? false }) { return found }
    }
    for case .serviceUUIDs128(let uuids, _) in structures {
      if let found = candidates.first(where: { uuids.contains($0.service) }) { return found }
    }
    for case .localName(let name, _) in structures {
      for dialect in candidates {
        if case .namePrefix(let prefix) = dialect.hostRule, name.hasPrefix(prefix) { return dialect }
      }
    }
    return nil
  }

  /// A device offers a lobby, under an address or by the adapter at whose HCI the capture was taken.
  func noteOffer(_ address: BluetoothAddress?, _ adapter: TrafficAdapter?, _ dialect: Dialect) {
    if advertisers.contains(where: { $0.address == address && $0.adapter === adapter }) { return }
    advertisers.append((address, adapter, dialect))
  }

  // MARK: Answers

  /// Whether handles of a link were taken for Bab's by their values alone.
  func isAssumed(_ link: Int) -> Bool {
    links.indices.contains(link) && links[link].dialect == nil && !links[link].assumed.isEmpty
  }

  /// The dialect of a connection, and how it is known; nil when nothing says so.
  func dialect(of connection: EndConnection) -> (dialect: Dialect, evidence: Evidence)? {
    if let given { return (given, .given) }
    for track in connection.tracks where links.indices.contains(track.link.index) {
      if let dialect = links[track.link.index].dialect { return (dialect, .characteristics) }
    }
    let (addresses, adapter) = (connection.addresses(ofServer: true), connection.server?.link.adapter)
    let found = advertisers.first { offer in
      offer.address.map(addresses.contains) ?? false || offer.adapter.map { $0 === adapter } ?? false
    }
    return found.map { ($0.dialect, .advertisement) }
  }
}
