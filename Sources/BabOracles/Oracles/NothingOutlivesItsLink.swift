import AppSeam
import BabSim
package import Bench
package import Conformance
package import Judging
import SimKernel

/// What waited for a link, or was said on it, is not said again on the next link to the same peer.
///
/// A packet is known again by its text. Two packets can have one text only where an app does not count them (BAB
/// 5.6.1), so nobody is accused before the app has handed over a packet with a larger count. Not judged: packets of
/// which the earlier link got a part only, and HANDSHAKE.
package final class NothingOutlivesItsLink: BabOracle {
  package static let id = "NothingOutlivesItsLink"
  package static let claim = "No packet that was for an earlier link to a peer is sent on a later one."
  package static let clause = "BAB 5.9.5"
  package static let nature = OracleNature.safety
  package static let interests: [TraceKind] = [.transmit, .launched]

  /// What was handed over on one link: the newest packets, by a hash of their texts.
  private struct Saying {
    var link: LinkID
    var peer: Int
    var openedAt: SimInstant
    var texts: [(hash: UInt64, at: SimInstant)] = []
  }

  /// Packets that are remembered of a link.
  private static let memory = 512
  /// Links that are remembered of a device.
  private static let linkLimit = 16

  package let ledger = makeLedger()
  private let state: BabRunState
  /// By device, in order of first use.
  private var sayings: [[Saying]]
  /// By device: its newest packet.
  private var newest: [BabPacket?]

  package init(state: BabRunState) {
    self.state = state
    sayings = Array(repeating: [], count: state.devices.count)
    newest = Array(repeating: nil, count: state.devices.count)
  }

  package func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record) else { return }
    switch record.bab {
    case .input(.launched):
      sayings[device.index] = []
      newest[device.index] = nil
    case .effect:
      guard let packet = state.handed, let index = saying(on: packet.link, device) else { return }
      said(packet, sayings[device.index][index], device, record)
      note(packet, at: record.instant, device, index)
    default: break
    }
  }

  private func saying(on id: LinkID, _ device: BabDevice) -> Int? {
    if let index = sayings[device.index].lastIndex(where: { $0.link == id }) { return index }
    // A stranger may have another address each time.
    guard let link = device.link(id), let peer = link.peer else { return nil }
    if sayings[device.index].count == Self.linkLimit { sayings[device.index].removeFirst() }
    sayings[device.index].append(Saying(link: id, peer: peer.index, openedAt: link.openedAt))
    return sayings[device.index].count - 1
  }

  private func said(_ handed: HandedPacket, _ saying: Saying, _ device: BabDevice, _ record: TraceRecord) {
    let earlier = sayings[device.index].filter { $0.peer == saying.peer && $0.openedAt < saying.openedAt }
    if earlier.isEmpty { return }
    for former in earlier {
      guard let place = former.texts.first(where: { $0.hash == handed.hash && $0.at < saying.openedAt }),
        let packet = handed.packet, packet.payload.type != .handshake,
        let last = newest[device.index], last.senderID == packet.senderID,
        last.vectorClock[last.senderID] > packet.vectorClock[packet.senderID]
      else { continue }
      ledger.fail(
        record, expected: "packets of link \(saying.link.rawValue) only",
        actual: "\(packet.payload.type.rawValue) number \(packet.vectorClock[packet.senderID]), which was for link "
          + "\(former.link.rawValue) at \(place.at)")
      return
    }
    ledger.judged += 1
  }

  private func note(_ packet: HandedPacket, at instant: SimInstant, _ device: BabDevice, _ index: Int) {
    newest[device.index] = packet.packet
    let texts = sayings[device.index][index].texts.count
    if texts == Self.memory { sayings[device.index][index].texts.removeFirst(Self.memory / 2) }
    sayings[device.index][index].texts.append((packet.hash, instant))
  }
}
