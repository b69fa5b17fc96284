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

  /// An H4 packet that the capturer cut. The header of ACL data tells whose frame is not whole; of the rest nothing is
  /// believed.
  func readSnapped(_ octets: ArraySlice<UInt8>, isToHost: Bool?) {
    guard octets.first == HCI.PacketIndicator.acl, octets.count >= 5 else { return }
    follower(0)?.readACL(octets.dropFirst(), isToHost: isToHost)
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
