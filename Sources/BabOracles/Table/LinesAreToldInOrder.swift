import AppSeam
import BabSim
package import Bench
package import Conformance
package import Judging

/// Each client is told the end of a line in four packets, in their order: the line, that it is over, the turn, the
/// ranking. Told of each link apart, because nothing but a LOBBY_UPDATE may be left out on one.
package final class LinesAreToldInOrder: BabOracle {
  package static let id = "LinesAreToldInOrder"
  package static let claim =
    "Each client is sent the line that was read, its end, the next turn and the ranking, in order."
  package static let clause = "BAB 5.4.6"
  package static let nature = OracleNature.safety
  package static let interests: [TraceKind] = [.transmit, .launched]

  private enum Stage { case reading, told, over, turned, ranked }

  private struct Telling {
    var line: String?
    var stage = Stage.reading
  }

  package let ledger = makeLedger()
  private let state: BabRunState
  /// By device: where each link is.
  private var tellings: [[LinkID: Telling]]

  package init(state: BabRunState) {
    self.state = state
    tellings = Array(repeating: [:], count: state.devices.count)
  }

  package func observe(_ record: TraceRecord) {
    if case .input(.launched) = record.bab, let device = state.device(of: record) { tellings[device.index] = [:] }
    guard let (packet, link) = state.said, let device = state.device(of: record) else { return }
    take(packet, &tellings[device.index][link, default: Telling()], record)
  }

  private func take(_ packet: BabPacket, _ telling: inout Telling, _ record: TraceRecord) {
    switch packet.payload {
    case .turnAdvanced(_, let line):
      guard let line, line.id != telling.line else { return }
      if telling.stage == .told { missing("LINE_COMPLETED or LINE_SKIPPED", packet, &telling, record) }
      if telling.stage == .ranked { missing("TURN_ADVANCED before the ranking", packet, &telling, record) }
      telling.line = line.id
      telling.stage = telling.stage == .over ? .turned : .reading
    case .dialogLineAdded(let line) where line.visibility == .committed && line.id == telling.line:
      if telling.stage == .turned { missing("LEADERBOARD_UPDATE", packet, &telling, record) }
      if telling.stage == .over { missing("TURN_ADVANCED", packet, &telling, record) }
      telling.stage = .told
    case .lineCompleted(let line, _), .lineSkipped(let line):
      guard line == telling.line else { return }
      if telling.stage == .reading { missing("DIALOG_LINE_ADDED", packet, &telling, record) }
      telling.stage = .over
    case .leaderboardUpdate:
      if telling.stage == .told { missing("LINE_COMPLETED or LINE_SKIPPED", packet, &telling, record) }
      if telling.stage == .turned || telling.stage == .over { ledger.judged += 1 }
      // The last line of a game has no turn after it.
      telling.stage = telling.stage == .over ? .ranked : .reading
    case .fullStateSnapshot(let state):
      if state.currentPhase == .finished, telling.stage == .over || telling.stage == .turned {
        missing("LEADERBOARD_UPDATE", packet, &telling, record)
      }
      telling.line = state.pendingLine?.id
      telling.stage = .reading
    default: break
    }
  }

  private func missing(_ what: String, _ packet: BabPacket, _ telling: inout Telling, _ record: TraceRecord) {
    ledger.fail(
      record, expected: "\(what) after \(telling.line ?? "the line")", actual: packet.payload.type.rawValue)
    telling.stage = .reading
  }
}
