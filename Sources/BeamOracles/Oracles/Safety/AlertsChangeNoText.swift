import AppSeam
import BeamScribe
package import Bench
package import Conformance
package import Judging
import SimKernel

/// Alerts on the screen of a guest against what hosts have raised and spoken.
package final class AlertsChangeNoText: BeamOracle {
  package static let id = "AlertsChangeNoText"
  package static let claim = "No alert is shown as text, and none that was not raised, except 5.7.5."
  package static let clause = "BEAM 5.7.6"
  package static let nature = OracleNature.safety
  package static let restsOn = ["alertRaised", "finalShown"]
  package static let interests: [TraceKind] = [.alert, .text]

  private static let alerts = BeamAlert.allCases.map(\.rawValue)
  /// No text with more octets is one of them.
  private static let longestAlert = alerts.map(\.utf8.count).max() ?? 0

  package let ledger = makeLedger()
  private let state: BeamRunState

  package init(state: BeamRunState) { self.state = state }

  package func observe(_ record: TraceRecord) {
    guard let guest = state.device(of: record), !guest.isHost else { return }
    switch state.report {
    case .alertShown(let alert, let isOwn):
      let isRaised = state.isLedFromOutside || state.hosts.contains { $0.alertsRaised.contains(alert) }
      if isOwn ? alert == BeamAlert.hostDisconnected.rawValue : isRaised {
        ledger.judged += 1
      } else {
        ledger.fail(
          record, unless: state.hosts.flatMap { $0.unsaid("alertRaised") }, expected: "an alert that the host raised",
          actual: alert)
      }
    case .finalShown(_, let text):
      guard !state.isLedFromOutside, text.utf8.count <= Self.longestAlert,
        Self.alerts.contains(where: { $0.isSame(as: text) })
      else {
        return ledger.judged += 1
      }
      if state.hosts.contains(where: { $0.sessions.contains { $0.contains(text) } }) {
        ledger.judged += 1
      } else {
        ledger.fail(
          record, unless: state.hosts.flatMap { $0.unsaid("finalShown") },
          expected: "the alert \(text) beside the text", actual: "it is shown as a final")
      }
    default: break
    }
  }
}
