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
  /// What is varied in place of drawing worlds whole.
  private var like: LikeDraw?

  package init(_ options: WorldOptions, language: ScenarioLanguage) {
    self.options = options
    self.language = language
    apps = language.apps.filter { options.protocols.contains($0.name) && $0.worlds != nil }
    precondition(apps.contains(where: \.takesPart), "a world needs an app whose people meet")
  }

  /// Varies one scenario in place of drawing worlds whole.
  /// - Parameters:
  ///   - tree: of its file.
  ///   - scenario: what the file says.
  ///   - accepts: whether a scenario is one, for files in the place of that one.
  package init(
    _ options: WorldOptions, like tree: YAMLTree, _ scenario: Scenario, language: ScenarioLanguage,
    accepts: @escaping @Sendable (YAMLTree) -> Bool
  ) {
    self.init(options, language: language)
    like = LikeDraw(
      base: tree, casts: Self.casts(scenario), kind: options.kind, hasNetwork: scenario.network != nil,
      language: language, accepts: accepts)
  }

  /// Who belongs together in a scenario, by protocol and lobby; of several side by side the first.
  private static func casts(_ scenario: Scenario) -> [WorldCast] {
    var casts: [WorldCast] = []
    let devices = scenario.devices.filter { !$0.isBare && ($0.copy ?? 0) == 0 }
    var done: [String] = []
    for device in devices where !done.contains("\(device.app ?? "") \(device.lobby)") {
      done.append("\(device.app ?? "") \(device.lobby)")
      let own = devices.filter { $0.app == device.app && $0.lobby == device.lobby }
      func name(_ device: Device) -> String { String(device.name.prefix { $0 != "@" }) }
      let members = own.filter { !$0.leads }.map(name)
      if members.isEmpty { continue }
      casts.append(
        WorldCast(
          app: device.app ?? "", leader: own.first(where: \.leads).map(name), members: members,
          crowd: members.joined(separator: ", "), seats: nil,
          isAlone: devices.count { $0.app == device.app && $0.leads } <= 1))
    }
    return casts
  }

  /// The scenario of one seed, as a file has it.
  package func world(_ seed: UInt64) -> YAMLTree {
    if let like { return like.world(seed) }
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
      let settings = app.worlds?.settings(
        plan.lobbies.filter { $0.app == app.name }, plan.outsiders.filter { $0.app == app.name }, draws.of(app.name))
      if let key = app.words.settingsKey, let settings { entries.append((key.name, settings)) }
    }
    entries.append(("steps", .list(story.steps)))
    if !story.meanwhile.isEmpty { entries.append(("meanwhile", .list(story.meanwhile))) }
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
