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
    return .map(entries)
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
    phone.links = declaration.links
    var body: [(String, YAMLTree?)] = [("phone", phone.tree)]
    body += self.place(declaration, place, draws.of("place"))
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
      ("starts", draws.happens("starts", permille: 100) ? .scalar(draws.pause("later")) : nil),
      ("engine", engine(declaration)),
      ("hostile", hostility(draws)),
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

  private func place(
    _ declaration: WorldPlan.Declaration, _ number: Int, _ draws: Draws
  ) -> [(String, YAMLTree?)] {
    func point(_ purpose: String) -> YAMLTree {
      let draws = draws.of(purpose)
      let far = draws.weighted("reach", [(6, 300), (3, 1_500), (1, 5_000)])
      let isHigh = draws.happens("is high", permille: 100)
      let lengths = (["x", "y"] + (isHigh ? ["z"] : [])).map {
        YAMLTree.scalar(Draws.text(thousandths: draws.number($0, -far...far) * 10, ""))
      }
      return .list(lengths)
    }
    let isGroup = declaration.count != nil
    let leader = plan.lobbies[declaration.lobby].leader
    switch draws.weighted("way", [(3, "nowhere"), (4, "at"), (isGroup ? 4 : 0, "around"), (isGroup ? 2 : 0, "line")]) {
    case "at": return [("at", point("at"))]
    case "around":
      let middle = draws.happens("around the leader", permille: 800) ? leader.map { YAMLTree.scalar($0) } : nil
      return [
        ("around", middle ?? point("middle")),
        (
          "radius",
          draws.happens("radius", permille: 800)
            ? .scalar("\(draws.number("centimetres", 1...1_200)) cm") : nil
        ),
      ]
    case "line": return [("from", point("from")), ("to", point("to"))]
    default: return []
    }
  }

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
    return world.options.engines.last { names.contains($0.who) }.map { .scalar($0.engine) }
  }

  private func hostility(_ draws: Draws) -> YAMLTree? {
    guard world.options.kind == .hostile, draws.happens("hostile", permille: 120) else { return nil }
    return .map([
      ("share", .scalar("\(draws.number("share", 10...70))%")),
      ("message fault", FaultDraw.messageFault(draws.of("message fault"))),
    ])
  }
}
