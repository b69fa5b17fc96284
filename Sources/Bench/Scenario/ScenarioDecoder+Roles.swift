import AppSeam
import SimKernel

/// What does not go with the role of a device: steps that its app does not have, engines of another role.
extension ScenarioDecoder {
  /// Whether these devices have an action of their app, by their roles; what they do not have is noted.
  func hasAction(_ word: String, of app: any SimulatedApp, _ devices: [Int], at location: SourceLocation) -> Bool {
    guard let roles = app.words.rolesOfActions[word] else { return true }
    let wrong = devices.filter { self.devices[$0].app == app.name && !roles.contains(self.devices[$0].role) }
    guard let first = wrong.first else { return true }
    let others = wrong.count > 1 ? " and \(CountedNoun.text(wrong.count - 1, "other")) like it" : ""
    note(
      location,
      "“\(word)” is for \(nouns(roles)), and \(self.devices[first].ownName) is \(noun(self.devices[first].role))"
        + "\(others); \(doers(of: word, roles, app))")
    return false
  }

  /// What to write instead.
  private func doers(of word: String, _ roles: [AppRole], _ app: any SimulatedApp) -> String {
    let able = devices.filter { $0.app == app.name && roles.contains($0.role) && $0.copy ?? 0 == 0 }
    guard let first = able.first else { return "add a device with “role: \(roles[0].rawValue)”" }
    let plural = app.description(of: first.role)?.plural
    let who = able.count > 1 && !first.leads ? plural.map { "all \($0)" } : nil
    return "write “\(who ?? String(first.ownName)): \(word)”"
  }

  private func noun(_ role: AppRole) -> String { CountedNoun.one(role.rawValue) }

  private func nouns(_ roles: [AppRole]) -> String { Suggestion.alternatives(roles.map(noun)) }

  /// Whether a device of that app and role can have an engine; what it cannot have is noted.
  func fits(_ engine: String, _ device: Device, at location: SourceLocation) -> Bool {
    guard let owners = language.engineOwners[engine], let app = device.app else { return true }
    guard let owner = owners.first(where: { $0.app == app }) else {
      let others = Suggestion.alternatives(owners.map(\.app))
      note(location, "engine “\(engine)” speaks \(others), and \(device.name) speaks \(app); write another engine")
      return false
    }
    if owner.role == device.role { return true }
    let fitting = language.engines.filter {
      language.engineOwners[$0]?.contains(ScenarioLanguage.EngineOwner(app: app, role: device.role)) == true
    }
    note(
      location,
      "engine “\(engine)” is \(noun(owner.role)), and \(device.name) is \(noun(device.role)); "
        + Suggestion.advice(for: engine, in: [ScenarioLanguage.reference] + fitting))
    return false
  }
}
