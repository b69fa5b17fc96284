import BluetoothWire
import CaptureFormats
import SimKernel

/// Follows the controllers whose HCI is captured, each by its own `AdapterFollower`.
final class HCIFollower {
  private let output: TrafficOutput
  @exclusivity(unchecked) private var followers: [AdapterFollower] = []
  /// By file and number.
  @exclusivity(unchecked) private var places: [Int: Int] = [:]
  @exclusivity(unchecked) private var newest: AdapterFollower?

  init(_ output: TrafficOutput) { self.output = output }

  var adapters: [TrafficAdapter] { followers.map(\.adapter) }

  func read(_ octets: ArraySlice<UInt8>, adapter number: UInt16, indicator: UInt8, isToHost: Bool?) {
    guard let follower = follower(number) else {
      return output.emit(.asides) {
        .aside(.hci(adapter: number, indicator: indicator, isToHost: isToHost), octets)
      }
    }
    switch indicator {
    case HCI.PacketIndicator.acl: follower.readACL(octets, isToHost: isToHost)
    case HCI.PacketIndicator.event: follower.readEvent(octets)
    case HCI.PacketIndicator.command: follower.readCommand(octets)
    default:
      output.emit(.asides) { .aside(.hci(adapter: number, indicator: indicator, isToHost: isToHost), octets) }
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

  @inline(__always)
  private func follower(_ number: UInt16) -> AdapterFollower? {
    if let newest, newest.adapter.number == number, newest.adapter.file == output.place.file { return newest }
    return find(number)
  }

  private func find(_ number: UInt16) -> AdapterFollower? {
    let key = output.place.file << 16 | Int(number)
    if let place = places[key] {
      newest = followers[place]
    } else {
      guard followers.count < TrafficLimits.adapters else { return nil }
      let follower = AdapterFollower(TrafficAdapter(file: output.place.file, number: number), output)
      places[key] = followers.count
      followers.append(follower)
      newest = follower
    }
    return newest
  }
}
