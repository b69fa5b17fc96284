import AppSeam
import BabSim
import Bench
import Conformance
import SimKernel

/// An app that still shows a session of before after its person has begun something new with it.
///
/// Only what the app itself has shown says it: a phase that no session begins with, no other phase since its person
/// told it to host or to join, and a session that was over before that.
struct SessionOfBefore {
  /// What lasts for less may be about to end.
  private static let patience = SimDuration.seconds(1)
  private static let firstPhases = ["", "LOBBY"]

  private let name: String
  private let end: SimInstant
  private var phase = ""
  private var hasLeft = false
  private var begun: (words: String, phase: String, instant: SimInstant, record: Int)?

  init(_ situation: ChartWords.Situation) {
    name = situation.header.name(of: situation.device)
    end = situation.records.last?.instant ?? .zero
    for record in situation.records where record.device == situation.device {
      switch record.event {
      case .input(.launched): (phase, hasLeft, begun) = ("", false, nil)
      case .input(.user(let action)): read(action, record)
      case .report(let report):
        switch report.bab {
        case .phase(let shown): (phase, begun) = (shown, nil)
        case .sessionEnded: hasLeft = true
        default: break
        }
      default: break
      }
    }
  }

  private mutating func read(_ action: AppAction, _ record: TraceRecord) {
    switch action.bab {
    case .leave: hasLeft = true
    case .startHosting, .joinHost, .joinHostAt:
      if hasLeft, !Self.firstPhases.contains(phase) {
        begun = ("\(action)", phase, record.instant, record.sequence)
      }
      hasLeft = false
    default: break
    }
  }

  /// What a reader needs to know; nil: it shows nothing of before.
  var hindrance: ChartWords.Hindrance? {
    guard let begun, end - begun.instant >= Self.patience else { return nil }
    return ChartWords.Hindrance(
      "\(name) still shows phase \(begun.phase) of its session before, since it was told by its user: \(begun.words)",
      instant: begun.instant, record: begun.record, isMistake: true)
  }
}
