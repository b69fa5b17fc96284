import BeamScribe
import Conformance

extension AppMilestones {
  /// A guest has its seat when it shows SHOWING. Finals are what all show after their host.
  static let beamScribe = AppMilestones([
    Kind("text", title: "finals of the transcript", isHistory: true),
    Kind("alert", title: "alerts", isHistory: false),
  ]) { report in
    switch report.beam {
    case .state(BeamState.showing.rawValue): .seated
    case .finalShown(let sequence, let text): .shows(kind: 0, thing: "\(sequence) \(text)")
    case .alertShown(let alert, isOwn: false), .alertRaised(let alert): .shows(kind: 1, thing: alert)
    default: nil
    }
  }
}
