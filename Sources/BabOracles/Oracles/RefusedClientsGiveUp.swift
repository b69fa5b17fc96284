import AppSeam
import BabSim
package import Bench
import BluetoothWire
package import Conformance
package import Judging
import Platform

/// A client that its host sends away three times before it has a seat does not come a fourth time.
///
/// Not judged: clients that had a seat in this session, links that end for another reason or that the client has ended
/// itself, captures.
package final class RefusedClientsGiveUp: BabOracle {
  package static let id = "RefusedClientsGiveUp"
  package static let claim = "A client that is refused three times before it has a seat ends its session."
  package static let clause = "BAB 5.1.15"
  package static let nature = OracleNature.safety
  package static let interests: [TraceKind] = [.launched, .link, .presence, .user, .fault, .otherEffect]

  private static let most = 3

  package let ledger = makeLedger()
  private let state: BabRunState
  /// By device: how often it was refused in this session; nil: it has had a seat.
  private var refusals: [Int?]
  /// By device: links that it has asked to end.
  private var left: [[LinkID]]

  package init(state: BabRunState) {
    self.state = state
    refusals = Array(repeating: 0, count: state.devices.count)
    left = Array(repeating: [], count: state.devices.count)
  }

  package func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record), device.role == .client, device.isSeenWhole else { return }
    switch record.bab {
    case .input(.launched):
      (refusals[device.index], left[device.index]) = (0, [])
    case .action: refusals[device.index] = 0
    case .effect(.disconnect(let link)):
      if device.link(link)?.isUp == true, !left[device.index].contains(link) { left[device.index].append(link) }
    case .input(.disconnected(let link, let reason)):
      // The host may end a link that is about to end.
      let isOwn = left[device.index].contains(link)
      left[device.index].removeAll { $0 == link }
      guard let count = refusals[device.index] else { return }
      // A seat is a seat, however its link ends; who it is must be known to say that it has none.
      if state.isToldItsSeat(device, on: link) { return refusals[device.index] = nil }
      guard !isOwn, reason == .remoteUserTerminatedConnection else { return }
      refusals[device.index] = device.peerID == nil ? nil : count + 1
      if refusals[device.index] == Self.most { ledger.judged += 1 }
    case .effect(.connect):
      guard let count = refusals[device.index], count >= Self.most else { return }
      refusals[device.index] = nil
      ledger.fail(
        record, expected: "the end of the session, since its host has refused it \(count) times",
        actual: "it connects again")
    default: break
    }
  }
}
