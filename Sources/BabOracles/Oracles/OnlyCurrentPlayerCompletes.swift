import AppSeam
import BabSim
package import Bench
package import Conformance
package import Judging

/// A line is completed or skipped once, and only by the player it was generated for, from that player's own device.
package final class OnlyCurrentPlayerCompletes: BabOracle {
  package static let id = "OnlyCurrentPlayerCompletes"
  package static let claim = "Only the player whose turn it is completes or skips the pending line, and only once."
  package static let clause = "BAB 5.4.5"
  package static let nature = OracleNature.safety
  package static let restsOn = ["lineAccepted", "lineGenerated", "identity", "voteResult"]
  package static let sees = [SeenReport("lineAccepted", .host, with: "committed")]
  package static let interests: [TraceKind] = [.line, .vote]

  private struct Pending {
    var lineID: String
    var player: String
  }

  /// Lines are few at a time; an app that leaves more open than this is judged by the newest.
  private static let pendingLimit = 16

  package let ledger = makeLedger()
  private let state: BabRunState
  private var pending: [[Pending]]
  /// By device: a vote has passed that allows one skip.
  private var hasPassedSkipVote: [Bool]

  package init(state: BabRunState) {
    self.state = state
    pending = Array(repeating: [], count: state.devices.count)
    hasPassedSkipVote = Array(repeating: false, count: state.devices.count)
  }

  package func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record), device.role == .host, !device.isSolo else { return }
    switch record.bab {
    case .report(.lineGenerated(let lineID, let player, _)):
      pending[device.index].append(Pending(lineID: lineID, player: player))
      if pending[device.index].count > Self.pendingLimit { pending[device.index].removeFirst() }
      hasPassedSkipVote[device.index] = false
    case .report(.voteResult(let action, true)):
      if action == "SKIP_LINE" { hasPassedSkipVote[device.index] = true }
    case .report(.lineAccepted(let lineID, let player, let skipped, _)):
      judge(lineID, player, skipped: skipped, device, record)
    default: break
    }
  }

  private func judge(_ lineID: String, _ player: String, skipped: Bool, _ host: BabDevice, _ record: TraceRecord) {
    guard let index = pending[host.index].lastIndex(where: { $0.lineID == lineID }) else {
      ledger.fail(
        record, unless: host.unsaid("lineGenerated"), expected: "a line that is pending",
        actual: "\(lineID), which is not, from \(player)")
      return
    }
    let line = pending[host.index].remove(at: index)
    guard line.player == player else {
      return ledger.fail(record, expected: "\(lineID) done by \(line.player)", actual: "by \(player)")
    }
    if skipped, hasPassedSkipVote[host.index] {
      hasPassedSkipVote[host.index] = false
      ledger.judged += 1
      return
    }
    let source = sourceOfCause(host)
    guard source == player else {
      ledger.fail(
        record, unless: unnamed(host) + (skipped ? host.unsaid("voteResult") : []),
        expected: "\(lineID) done from the device of \(player)",
        actual: source.map { "from the device of \($0)" } ?? "by nobody")
      return
    }
    ledger.judged += 1
  }

  /// Whose doing it is may not be known where that device's app has not said who it is.
  private func unnamed(_ host: BabDevice) -> [UnsaidWords] {
    switch host.cause {
    case .valueReceived(let link, _, _): host.link(link)?.other?.unsaid("identity") ?? []
    default: host.unsaid("identity")
    }
  }

  /// Whose doing the host's present reports are: the sender of the value it took, or the person at the host.
  private func sourceOfCause(_ host: BabDevice) -> String? {
    switch host.cause {
    case .valueReceived(let link, _, _): host.link(link)?.peerID
    case .user(_): host.peerID
    default: nil
    }
  }
}
