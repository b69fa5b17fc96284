import AppSeam
package import Bench

/// Draws whole scenarios: the same seed and options give the same one.
///
/// Whatever it draws the reader accepts; one that it refuses is a mistake in here. Everything is drawn under a name of
/// its own, so that another key leaves the draws of the others as they were.
package struct WorldDraw: Sendable {
  package let options: WorldOptions
  let apps: [any SimulatedApp]
  let language: ScenarioLanguage

  package init(_ options: WorldOptions, language: ScenarioLanguage) {
    self.options = options
    self.language = language
    apps = language.apps.filter { options.protocols.contains($0.name) && $0.worlds != nil }
    precondition(!apps.isEmpty, "a world needs an app whose worlds can be drawn")
  }

  /// The scenario of one seed, as a file has it.
  package func world(_ seed: UInt64) -> YAMLTree {
    let draws = Draws(seed: seed)
    let plan = WorldPlan(draws.of("plan"), self)
    let devices = DeviceDraw(plan: plan, world: self)
    let story = StoryDraw(plan: plan, world: self).draw(draws.of("story"))
    var entries: [(String, YAMLTree?)] = [
      ("name", .scalar("world \(seed), \(options.kind.rawValue)")),
      ("summary", draws.happens("summary", permille: 20) ? .scalar("Drawn from a seed; nobody wrote it.") : nil),
      ("seed", .scalar(String(seed))),
      ("duration", draws.happens("duration", permille: 700) ? .scalar(draws.pause("duration is")) : nil),
      ("limits", limits(draws.of("limits"))),
      ("radio", RoomDraw(kind: options.kind).draw(draws.of("radio"))),
      ("network", plan.network),
      ("protocol", plan.writesProtocol ? .scalar(plan.main.name) : nil),
      ("dialect", draws.happens("dialect", permille: 600) ? .scalar(plan.dialect(draws)) : nil),
      ("lobbies", plan.copies),
      ("devices", devices.draw(draws.of("devices"))),
    ]
    for app in plan.apps {
      let settings = app.worlds?.settings(plan.lobbies.filter { $0.app == app.name }, draws.of(app.name))
      if let key = app.words.settingsKey, let settings { entries.append((key.name, settings)) }
    }
    entries.append(("steps", .list(story.steps)))
    if !story.expectations.isEmpty { entries.append(("expect", .list(story.expectations))) }
    return .map(entries)
  }

  private func limits(_ draws: Draws) -> YAMLTree? {
    guard draws.happens("written", permille: 60) else { return nil }
    return .map([
      ("simulated time", draws.happens("time", permille: 700) ? .scalar("\(draws.number("min", 4...20))min") : nil),
      (
        "events",
        draws.happens("events", permille: 700) ? .scalar(draws.number("millions", 20...90) * 1_000_000) : nil
      ),
    ])
  }
}
