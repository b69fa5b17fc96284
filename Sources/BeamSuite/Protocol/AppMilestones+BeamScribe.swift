import BeamScribe
import Conformance

extension AppMilestones {
  /// A guest takes part when it shows a whole history. A final is the same thing on all devices that show its number
  /// with its text.
  static let beamscribe = AppMilestones([
    Kind("text", title: "finals on the screen", isHistory: true),
    Kind("alert", title: "alerts", isHistory: false),
  ]) { report in
    switch report.beam {
    case .state(BeamState.showing.rawValue): .seated
    case .finalShown(let sequence, let text): .shows(kind: 0, thing: "\(sequence) \(text)")
    case .alertRaised(let alert), .alertShown(let alert, isOwn: false): .shows(kind: 1, thing: alert)
    default: nil
    }
  }
}
