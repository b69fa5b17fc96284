import BeamScribe
package import Bench
package import Conformance
package import Judging

/// Finals of a guest are those of a session of its host, each once and in order.
package final class FinalsExactlyOnce: BeamOracle {
  package static let id = "FinalsExactlyOnce"
  package static let claim = "No guest ever shows a gap, a repeat or another text among the finals of a session."
  package static let clause = "BEAM 5.6.4"
  package static let interests: [TraceKind] = [.text]

  package let ledger = makeLedger()
  private let state: BeamRunState

  package init(state: BeamRunState) { self.state = state }

  package func observe(_ record: TraceRecord) {
    guard let guest = state.device(of: record), !guest.isHost, case .report(let report) = record.event,
      case .finalShown(let sequence, let text)? = report.beam
    else { return }
    // The state has counted it already.
    if sequence != guest.shown {
      return ledger.fail(record, expected: "final \(guest.shown) next", actual: "final \(sequence) is shown")
    }
    guard let host = state.host else { return ledger.open += 1 }
    let isSpoken = host.sessions.contains { sequence <= $0.count && $0[sequence - 1] == text }
    if isSpoken {
      ledger.judged += 1
    } else {
      let spoken = host.sessions.last.flatMap { sequence <= $0.count ? "“\($0[sequence - 1])”" : nil }
      ledger.fail(
        record, expected: "final \(sequence) as it was spoken\(spoken.map { ", \($0)" } ?? "")", actual: "“\(text)”")
    }
  }
}
