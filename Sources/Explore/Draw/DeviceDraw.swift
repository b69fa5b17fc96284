import AppSeam
import Bench

/// The devices of a world: where they are, what they are, and when they come.
struct DeviceDraw {
  let plan: WorldPlan
  let world: WorldDraw

  func draw(_ draws: Draws) -> YAMLTree {
    var entries: [(String, YAMLTree?)] = []
    for (place, declaration) in plan.declarations.enumerated() {
      let draws = draws.of(declaration.key)
      entries.append((declaration.key, device(declaration, place, draws)))
      // One member of a group that is different.
      if let count = declaration.count, draws.happens("one is different", permille: 250) {
        let name = "\(declaration.key)-\(draws.number("which", 1...count))"
        entries.append((name, .map(own(declaration, place, draws.of(name)))))
      }
    }
    for (place, outsider) in plan.outsiders.enumerated() {
      entries.append((outsider.key, self.outsider(outsider, plan.declarations.count + place, draws.of(outsider.key))))
    }
    return .map(entries)
  }

  private func outsider(_ outsider: WorldOutsider, _ place: Int, _ draws: Draws) -> YAMLTree {
    let head: [(String, YAMLTree?)] = [
      ("count", outsider.count.map { .scalar($0) }), ("protocol", .scalar(outsider.app ?? KeyTable.noApp)),
      ("role", outsider.app == nil ? nil : .scalar(outsider.role)),
      ("phone", outsider.phone ?? PhoneDraw(draws.of("phone")).tree),
    ]
    let tail: [(String, YAMLTree?)] = [
      ("clock", draws.happens("clock", permille: 150) ? clock(draws) : nil),
      ("interfaces", interfaces(draws)),
      ("starts", draws.happens("starts", permille: 100) ? .scalar(draws.pause("later")) : nil),
      (
        "dialect",
        draws.happens("says dialect", permille: 40)
          ? world.apps.first { $0.name == outsider.app }.map { .scalar($0.defaultDialect.rawValue) } : nil
      ),
    ]
    return .map(head + PlaceDraw.draw(isGroup: outsider.count != nil, around: nil, draws.of("place")) + tail)
  }

  private func interfaces(_ draws: Draws) -> YAMLTree? {
    guard plan.hasNetwork, draws.happens("interfaces", permille: 80) else { return nil }
    let all = NetworkInterface.allCases.map(\.rawValue)
    return .list(
      draws.inDrawnOrder("order of interfaces", all).prefix(draws.number("how many", 0...2)).map { .scalar($0) })
  }

  private func device(_ declaration: WorldPlan.Declaration, _ place: Int, _ draws: Draws) -> YAMLTree {
    let app = world.apps.first { $0.name == declaration.app }
    let isNamed = app?.role(named: declaration.key) == declaration.role
    let isLast = app?.roles.last == declaration.role
    let says = draws.happens("says role", permille: 100)
    let head: [(String, YAMLTree?)] = [
      ("count", declaration.count.map { .scalar($0) }),
      ("protocol", declaration.app == plan.main.name ? nil : .scalar(declaration.app)),
      ("role", isNamed || isLast && !says ? nil : .scalar(declaration.role.role.rawValue)),
      ("lobby", declaration.lobbyName.map { .scalar($0) }),
    ]
    return .map(head + own(declaration, place, draws))
  }

  /// What a device may say of itself, whatever it is.
  private func own(
    _ declaration: WorldPlan.Declaration, _ place: Int, _ draws: Draws
  ) -> [(String, YAMLTree?)] {
    let app = world.apps.first { $0.name == declaration.app }
    let dialects = app?.dialects ?? []
    let isSingle = declaration.count == nil
    var phone = PhoneDraw(draws.of("phone"))
    // Directed advertising is for one device that there is.
    let others = plan.declarations.flatMap(\.names).filter { !declaration.names.contains($0) }
    var target: String?
    if isSingle, plan.copies == nil, !others.isEmpty, draws.happens("directs its advertising", permille: 20) {
      target = draws.one("at whom", of: others)
      phone.advertises = draws.one("kind", of: ["directed", "directed low duty cycle"])
    }
    phone.links = declaration.links
    var body: [(String, YAMLTree?)] = [("phone", phone.tree)]
    body += PlaceDraw.draw(
      isGroup: declaration.count != nil, around: plan.lobbies[declaration.lobby].leader, draws.of("place"))
    if let target { body.append(("directed to", .scalar(target))) }
    body += [
      (
        "address",
        isSingle && plan.copies == nil && draws.happens("address", permille: 60)
          ? .scalar(address(place, draws.happens("public", permille: 400))) : nil
      ),
      ("clock", draws.happens("clock", permille: 150) ? clock(draws) : nil),
      (
        "clock offset",
        draws.happens("time of day", permille: 60) ? .scalar("\(draws.number("ahead", -90_000...90_000))ms") : nil
      ),
      ("interfaces", interfaces(draws)),
      ("starts", draws.happens("starts", permille: 100) ? .scalar(draws.pause("later")) : nil),
      ("app", program(declaration)), ("engine", program(declaration) == nil ? engine(declaration) : nil),
      ("hostile", program(declaration) == nil ? hostility(declaration, draws) : nil),
      ("display name", draws.happens("has a name", permille: 60) ? .scalar(draws.one("name", of: Self.names)) : nil),
      (
        "dialect",
        dialects.count > 1 && draws.happens("own dialect", permille: 40)
          ? .scalar(draws.one("dialect", of: dialects).rawValue) : nil
      ),
    ]
    return body
  }

  private static let names = [
    "Ada", "Büşra", "名前", "🎲", "a name that is longer than what an advertisement has room for",
  ]

  private func address(_ place: Int, _ isPublic: Bool) -> String {
    let last = (place < 10 ? "0" : "") + String(place + 1 < 10 ? place + 1 : place + 1)
    return (isPublic ? "public 00:1B:DC:00:00:" : "C0:00:00:00:00:") + String(last.suffix(2))
  }

  private func clock(_ draws: Draws) -> YAMLTree {
    if draws.happens("random", permille: 200) { return .scalar("random") }
    return .scalar(
      "\(draws.weighted("how wrong", [(3, draws.number("a little", -20...20)), (1, draws.number("much", -150...150))])) ppm"
    )
  }

  private func engine(_ declaration: WorldPlan.Declaration) -> YAMLTree? {
    let names = [declaration.key, declaration.role.role.rawValue] + declaration.names
    return world.options.engines.last { names.contains($0.who) && suits($0.engine, declaration) }
      .map { .scalar($0.engine) }
  }

  private func program(_ declaration: WorldPlan.Declaration) -> YAMLTree? {
    let names = [declaration.key, declaration.role.role.rawValue] + declaration.names
    return world.options.programs.last { names.contains($0.who) && ($0.app == nil || $0.app == declaration.app) }?.value
  }

  /// Whether an engine is made for such a device.
  private func suits(_ engine: String, _ declaration: WorldPlan.Declaration) -> Bool {
    world.language.engineOwners[engine]?.contains { $0.app == declaration.app && $0.role == declaration.role.role }
      ?? true
  }

  private func hostility(_ declaration: WorldPlan.Declaration, _ draws: Draws) -> YAMLTree? {
    guard world.options.kind == .hostile else { return nil }
    let app = world.apps.first { $0.name == declaration.app }
    let rude = (app?.worlds?.rudeEngines ?? []).filter { suits($0, declaration) }
    if !rude.isEmpty, draws.happens("rude", permille: 80) {
      let share = YAMLTree.scalar("\(draws.number("share of the rude", 40...100))%")
      return .map([("share", share), ("engine", .scalar(draws.one("rude mutant", of: rude)))])
    }
    guard draws.happens("hostile", permille: 120) else { return nil }
    let mutants = world.language.engines.filter { world.language.engineOwners[$0] != nil && suits($0, declaration) }
    let isMutant = !mutants.isEmpty && draws.happens("runs a mutant", permille: 500)
    return .map([
      ("share", .scalar("\(draws.number("share", 10...70))%")),
      ("engine", isMutant ? .scalar(draws.one("mutant", of: mutants)) : nil),
      ("message fault", isMutant ? nil : FaultDraw.messageFault(draws.of("message fault"))),
    ])
  }
}
