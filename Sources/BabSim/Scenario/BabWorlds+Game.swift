import Bench

/// The settings of a game, and what can be said of who plays it.
extension BabWorlds {
  func settings(_ casts: [WorldCast], _ outsiders: [WorldOutsider], _ draws: Draws) -> YAMLTree? {
    if draws.happens("none", permille: 60) { return nil }
    let hasRoles = draws.happens("own roles", permille: 80)
    let roles = hasRoles ? (0..<draws.number("roles", 1...6)).map { "part-\($0 + 1)" } : []
    let game: [(String, YAMLTree?)] = [
      ("scenario", draws.happens("says story", permille: 600) ? .scalar(story(draws, hasRoles)) : nil),
      ("roles", hasRoles ? .list(roles.enumerated().map { role($1, draws.of("role", $0)) }) : nil),
      ("lines", draws.happens("says lines", permille: 700) ? .scalar(draws.number("lines", 1...40)) : nil),
      ("script", draws.happens("script", permille: 60) ? script(roles, draws.of("script")) : nil),
      ("heartbeat", heartbeat(draws)),
      ("autoplay", draws.happens("people play", permille: 850) ? autoplay(casts, draws.of("autoplay")) : nil),
    ]
    return .map(game)
  }

  private func story(_ draws: Draws, _ hasRoles: Bool) -> String {
    hasRoles ? "our-own" : draws.one("story", of: Self.stories)
  }

  private func role(_ id: String, _ draws: Draws) -> YAMLTree {
    .map([
      ("id", .scalar(id)),
      ("name", draws.happens("named", permille: 500) ? .scalar("The " + id) : nil),
      ("description", draws.happens("described", permille: 500) ? .scalar(Self.words(draws)) : nil),
    ])
  }

  private func script(_ roles: [String], _ draws: Draws) -> YAMLTree {
    .list(
      (0..<draws.number("lines", 1...5)).map { index in
        let draws = draws.of("line", index)
        let known = roles.isEmpty ? Self.roles : roles
        return .map([
          ("role", draws.happens("says role", permille: 500) ? .scalar(draws.one("role", of: known)) : nil),
          ("native", .scalar(Self.words(draws.of("native")))),
          ("translated", .scalar(Self.words(draws.of("translated")))),
        ])
      })
  }

  private func heartbeat(_ draws: Draws) -> YAMLTree? {
    guard draws.happens("heartbeat", permille: 500) else { return nil }
    return draws.weighted(
      "pause of the heart", [(1, .scalar("none")), (5, .scalar(draws.milliseconds("beat", 400...9_000)))])
  }

  private func autoplay(_ casts: [WorldCast], _ draws: Draws) -> YAMLTree {
    if draws.happens("plain", permille: 200) { return .flag(true) }
    var habits = habits(draws)
    var players: [(String, YAMLTree?)] = []
    for name in casts.flatMap(\.everyone) where draws.happens("own habits of \(name)", permille: 150) {
      let draws = draws.of(name)
      players.append(
        (name, draws.happens("idle", permille: 400) ? .scalar("idle") : .map(self.habits(draws.of("habits")))))
    }
    if !players.isEmpty { habits.append(("players", .map(players))) }
    return .map(habits)
  }

  private func habits(_ draws: Draws) -> [(String, YAMLTree?)] {
    let think = draws.number("think", 1...2_500)
    let accuracy = draws.number("accuracy", 0...100)
    return [
      (
        "think",
        draws.happens("says think", permille: 800)
          ? .scalar("\(think)ms..\(think + draws.number("longer", 0...3_000))ms") : nil
      ),
      (
        "accuracy",
        draws.happens("says accuracy", permille: 300)
          ? .scalar("\(accuracy)%..\(draws.number("most", accuracy...100))%") : nil
      ),
      ("skip", draws.happens("says skip", permille: 150) ? .scalar("\(draws.number("skip", 0...60))%") : nil),
    ]
  }

  func condition(_ cast: WorldCast, _ draws: Draws) -> String {
    let who = draws.one("who", of: cast.everyone)
    let plain = [
      "is in lobby", "is on turn", "is ready", "has ended", "has resumed", "shows summary", "agrees on lobby",
      "agrees on lines", "agrees on leaderboard",
    ]
    let count = draws.one("comparison", of: ["at least", "at most", "exactly"]) + " \(draws.number("bound", 0...6)) "
    return draws.weighted(
      "predicate",
      [
        (4, "\(who) \(draws.one("plain", of: plain))"),
        (1, "\(who) has role \(draws.one("role", of: Self.roles))"),
        (2, "\(who) is \(draws.one("phase", of: BabVocabulary.phases))"),
        (2, "\(who) is \(draws.one("link", of: BabVocabulary.linkStates))"),
        (
          2,
          "\(who) has " + count + draws.one("counted", of: ["lines", "players", "refused packets", "violations"])
        ),
        (3, "\(who) has " + count + draws.one("packet", of: BabVocabulary.packetTypes) + " packets"),
      ])
  }
}
