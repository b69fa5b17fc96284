import BluetoothWire
import CaptureFormats
import SimKernel

/// Follows the controllers whose HCI is captured, each by its own `AdapterFollower`.
final class HCIFollower {
  private let output: TrafficOutput
  @exclusivity(unchecked) private var followers: [AdapterFollower] = []
  /// By `key`.
  @exclusivity(unchecked) private var places: [Int: Int] = [:]
  /// The one that was read last; most captures have one only.
  @exclusivity(unchecked) private var newest: Kept<AdapterFollower>?
  @exclusivity(unchecked) private var newestKey = 0

  init(_ output: TrafficOutput) { self.output = output }

  var adapters: [TrafficAdapter] { followers.map(\.adapter) }

  func read(_ octets: ArraySlice<UInt8>, adapter number: UInt16, indicator: UInt8, isToHost: Bool?) {
    if let newest, key(number) == newestKey {
      return newest.with { read(octets, indicator: indicator, isToHost: isToHost, of: $0) }
    }
    if let follower = follower(number) {
      read(octets, indicator: indicator, isToHost: isToHost, of: follower)
    } else {
      output.emit(.asides) { .aside(.hci(adapter: number, indicator: indicator, isToHost: isToHost), octets) }
    }
  }

  @inline(__always)
  private func read(_ octets: ArraySlice<UInt8>, indicator: UInt8, isToHost: Bool?, of follower: AdapterFollower) {
    let isNews =
      switch indicator {
      case HCI.PacketIndicator.event: !Self.isReport(octets)
      // Fragments of silence are the same octets.
      case HCI.PacketIndicator.isochronousData: false
      default: true
      }
    switch follower.order.take(octets, isNews: isNews, at: output.moment) {
    case .inOrder: pass(octets, indicator: indicator, isToHost: isToHost, to: follower)
    case .twice:
      let isEvent = indicator == HCI.PacketIndicator.event
      follower.lose(.disorder, ofLinks: isEvent ? Self.isOfLinks(octets) : indicator == HCI.PacketIndicator.acl)
      pass(octets, indicator: indicator, isToHost: isToHost, to: follower)
    case .late:
      // What came too early was judged by what was known then.
      output.doubt(follower.order.records(after: output.instant) + [output.place.record])
      follower.lose(.disorder)
      pass(octets, indicator: indicator, isToHost: isToHost, to: follower)
      follower.lose(.disorder)
    }
  }

  /// Whether an event changes nothing, and may come as often as it likes: advertising and inquiry, names of others, and
  /// what vendors add.
  private static func isReport(_ event: ArraySlice<UInt8>) -> Bool {
    guard let code = event.first else { return false }
    switch code {
    case 0x3E where event.count >= 3: return [0x02, 0x0B, 0x0D, 0x0F].contains(event.octet(at: 2))
    case 0x02, 0x07, 0x22, 0x2F, 0xFF: return true
    default: return false
    }
  }

  @inline(__always)
  private func pass(_ octets: ArraySlice<UInt8>, indicator: UInt8, isToHost: Bool?, to follower: AdapterFollower) {
    switch indicator {
    case HCI.PacketIndicator.acl: follower.readACL(octets, isToHost: isToHost)
    case HCI.PacketIndicator.event: follower.readEvent(octets)
    case HCI.PacketIndicator.command: follower.readCommand(octets)
    default:
      output.emit(.asides) {
        .aside(.hci(adapter: follower.adapter.number, indicator: indicator, isToHost: isToHost), octets)
      }
    }
  }

  /// A packet that the capturer cut. The header of ACL data tells whose frame is not whole; what the rest said nobody
  /// knows, so nothing that it may have begun or ended is under way.
  func readSnapped(_ octets: ArraySlice<UInt8>, adapter number: UInt16, indicator: UInt8, isToHost: Bool?) {
    guard let follower = follower(number) else { return }
    switch indicator {
    case HCI.PacketIndicator.acl where octets.count >= 4: follower.readACL(octets, isToHost: isToHost)
    case HCI.PacketIndicator.acl: follower.lose(.snapped)
    case HCI.PacketIndicator.command: follower.lose(.snapped, ofLinks: false)
    case HCI.PacketIndicator.event where Self.isReport(octets): break
    case HCI.PacketIndicator.event: follower.lose(.snapped, ofLinks: Self.isOfLinks(octets))
    default: break
    }
  }

  /// A packet of which not even the kind is left.
  func readSnapped() {
    for follower in followers where follower.adapter.file == output.viewpoint { follower.lose(.snapped) }
  }

  /// Whether an event may change connections: Command Status, Command Complete of another command than Reset, and
  /// Number Of Completed Packets do not.
  private static func isOfLinks(_ event: ArraySlice<UInt8>) -> Bool {
    switch event.first {
    case 0x0F, 0x13: false
    case 0x0E: event.count < 5 || event.word(at: 3) == 0x0C03
    default: true
    }
  }

  /// What a monitor says besides packets; opcodes as in BlueZ's `doc/btsnoop-protocol`.
  func follow(monitor octets: ArraySlice<UInt8>, adapter number: UInt16, opcode: UInt16, _ body: CaptureBody) {
    output.emit(.asides) { .aside(body, octets) }
    switch opcode {
    case 0, 10: follower(number)?.introduce(octets, isNew: opcode == 0)
    // Gone, or powered down: its connections are over.
    case 1, 9: follower(number)?.forgetConnections()
    default: break
    }
  }

  /// The file that is being read, and the number of a controller in it.
  @inline(__always)
  private func key(_ number: UInt16) -> Int { output.viewpoint << 16 | Int(number) }

  private func follower(_ number: UInt16) -> AdapterFollower? {
    let key = key(number)
    if let place = places[key] { return remember(followers[place], key) }
    guard followers.count < TrafficLimits.adapters else { return nil }
    let follower = AdapterFollower(TrafficAdapter(file: output.viewpoint, number: number), output)
    places[key] = followers.count
    followers.append(follower)
    return remember(follower, key)
  }

  private func remember(_ follower: AdapterFollower, _ key: Int) -> AdapterFollower {
    newest = Kept(follower)
    newestKey = key
    return follower
  }
}
