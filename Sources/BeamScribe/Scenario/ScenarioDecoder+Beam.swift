import AppSeam
import Bench

extension ScenarioDecoder {
  /// BeamScribe's actions that have a value.
  func beamAction(_ key: String, _ tree: YAMLTree) -> Step.UserAction? {
    let action: BeamAction?
    switch key {
    case "start event" where tree.isEmpty: action = .startEvent(name: "")
    case "start event": action = text(tree, "the event's name").map { .startEvent(name: $0) }
    case "say": action = text(tree, "what is said").map { .speakFinal($0) }
    case "say partial": action = text(tree, "what is heard").map { .speakPartial($0) }
    case "join event": action = text(tree, "the event's name").map { .joinEvent(name: $0) }
    default: action = nil
    }
    return action.map { Step.UserAction(AppAction($0)) }
  }
}
