import BabSim
import Conformance

extension AppMilestones {
  /// A client has its seat when it shows CONNECTED. A turn is there when its line is on the screen, for other players
  /// without its text; a line is there when it is in the history.
  static let bab = AppMilestones([
    Kind("turn", title: "lines on the screen, each of which is a turn", isHistory: false),
    Kind("line", title: "lines of the history", isHistory: true),
  ]) { report in
    switch report.bab {
    case .linkState("CONNECTED"): .seated
    case .screen(let line): .shows(kind: 0, thing: line.lineID)
    case .committed(_, let lineID, _): .shows(kind: 1, thing: lineID)
    case .historyReplaced(let ids): .restored(kind: 1, things: ids)
    default: nil
    }
  }
}
