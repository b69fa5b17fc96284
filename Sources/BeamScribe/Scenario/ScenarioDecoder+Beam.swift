import AppSeam
import Bench
import SimKernel

extension ScenarioDecoder {
  func beamSettings(_ tree: YAMLTree) -> BeamSettings {
    var settings = BeamSettings()
    guard let fields = fields(tree, .beamScribe) else { return settings }
    if let tree = fields["host advertises"],
      let value = choice(tree, "“host advertises”", from: ["first guest", "free seats"])
    {
      settings.advertisesFreeSeats = value == "free seats"
    }
    if let tree = fields["sent timestamp"], let value = boolean(tree, "“sent timestamp”") {
      settings.writesSentTimestamp = value
    }
    if let tree = fields["resume"], let value = boolean(tree, "“resume”") { settings.resumes = value }
    if let tree = fields["speech"] { settings.speech = speech(tree) }
    return settings
  }

  private func speech(_ tree: YAMLTree) -> BeamSettings.Speech? {
    if case .scalar = tree.value, !tree.isEmpty {
      return boolean(tree, "“speech”") == true ? BeamSettings.Speech() : nil
    }
    guard let fields = fields(tree, .speech) else { return nil }
    var speech = BeamSettings.Speech()
    if let tree = fields["every"], let value = duration(tree, "“every”", least: .milliseconds(1)) {
      speech.interval = value
    }
    if let tree = fields["finals"] { speech.finals = integer(tree, "“finals”", 1...1_000_000) }
    if let tree = fields["partials"], let value = integer(tree, "“partials”", 0...100) { speech.partials = value }
    return speech
  }

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
