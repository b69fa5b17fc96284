import Bench

/// What people do with Bab in worlds that are drawn: they meet in a lobby, play a game together, or practise alone.
struct BabWorlds: AppWorlds {
  func beginning(of device: String, _ cast: WorldCast, _ draws: Draws) -> [YAMLTree] {
    if device == cast.leader { return [.scalar("start hosting")] }
    return [join(cast, draws.of("begin"))]
  }

  func story(_ cast: WorldCast, _ draws: Draws) -> WorldStory {
    var story = WorldStory()
    if draws.happens("solo", permille: 40) { story.beats += solo(cast, draws.of("solo")) }
    story.beats += meeting(cast, draws.of("meeting"))
    if let leader = cast.leader {
      story.beats += preparation(leader, cast, draws.of("preparation"))
      story.beats += game(leader, cast, draws.of("game"))
      if draws.happens("another session", permille: 80) {
        story.beats += anotherSession(leader, cast, draws.of("session"))
      }
      if let seats = cast.seats { story.always.append("\(leader) has at most \(seats) links") }
      story.moments += [
        "\(leader) has at least 1 links", "\(leader) is ACTIVE",
        "\(leader) has at least \(draws.number("lines then", 1...4)) lines",
      ]
    }
    for member in cast.members {
      // A link whose end the app has asked for is up until the other end has answered.
      story.always.append("\(member) has at most 2 links")
      story.moments += [
        "\(member) is CONNECTING", "\(member) is CONNECTED", "\(member) is RECONNECTING", "\(member) is in lobby",
        "\(member) is on turn",
      ]
    }
    return story
  }

  private func solo(_ cast: WorldCast, _ draws: Draws) -> [WorldBeat] {
    let who = draws.one("who", of: cast.everyone)
    return [
      WorldBeat(.after(draws.pause("begins")), who, [.scalar("start solo")]),
      WorldBeat(.after(draws.pause("speaks")), who, [.map([("speak", .scalar(Self.words(draws)))])]),
      WorldBeat(
        .after(draws.pause("ends")), who, [.map([("end solo", .scalar(draws.one("end", of: ["save", "discard"])))])]),
    ]
  }

  private func meeting(_ cast: WorldCast, _ draws: Draws) -> [WorldBeat] {
    var beats: [WorldBeat] = []
    let hosting = cast.leader.map {
      WorldBeat(.after(draws.pause("hosting")), $0, [.scalar("start hosting")])
    }
    let isEarly = draws.happens("members are early", permille: 150)
    if !isEarly, let hosting { beats.append(hosting) }
    switch draws.weighted("way", [(5, "together"), (3, "one by one"), (2, "spread")]) {
    case "together":
      beats.append(WorldBeat(.after(draws.pause("together")), cast.crowd, [join(cast, draws)]))
    case "spread":
      beats.append(
        WorldBeat(
          .after(draws.pause("spread begins")), cast.crowd, [join(cast, draws)], spread: draws.spread("spread")))
    default:
      for (index, member) in draws.inDrawnOrder("order", cast.members).enumerated() {
        let draws = draws.of("member", index)
        beats.append(WorldBeat(.after(draws.pause("joins")), member, [join(cast, draws)]))
      }
    }
    if isEarly, let hosting { beats.append(hosting) }
    if cast.leader != nil, draws.happens("waits for all", permille: 250) {
      let all = cast.members.joined(separator: ", ")
      beats.append(WorldBeat(.when("\(all) in lobby", within: "40s"), cast.members[0], [.scalar("ready")]))
    }
    return beats
  }

  private func join(_ cast: WorldCast, _ draws: Draws) -> YAMLTree {
    guard let leader = cast.leader, !cast.isAlone || draws.happens("joins by name", permille: 200) else {
      return .scalar("join")
    }
    return .map([("join", .scalar(leader))])
  }

  private func preparation(_ leader: String, _ cast: WorldCast, _ draws: Draws) -> [WorldBeat] {
    var beats: [WorldBeat] = []
    func add(_ name: String, _ permille: Int, _ who: String, _ action: (Draws) -> YAMLTree) {
      guard draws.happens(name, permille: permille) else { return }
      let draws = draws.of(name)
      beats.append(WorldBeat(.after(draws.pause("pause")), who, [action(draws)]))
    }
    let someone = draws.one("someone", of: cast.everyone)
    add("scenario", 350, leader) { .map([("set scenario", .scalar($0.one("id", of: Self.stories)))]) }
    add("difficulty", 250, leader) {
      .map([("set difficulty", .scalar($0.one("word", of: BabVocabulary.difficulties)))])
    }
    add("ready", 250, cast.crowd) { _ in .scalar("ready") }
    add("not ready", 80, someone) { _ in .scalar("not ready") }
    add("request", 150, someone) { .map([("request role", .scalar($0.one("role", of: Self.roles)))]) }
    add("assignment", 150, leader) { draws in
      .map([
        (
          "assign role",
          .map([
            ("player", .scalar(draws.one("player", of: cast.everyone))),
            ("role", .scalar(draws.one("role", of: Self.roles))),
          ])
        )
      ])
    }
    add("words", 80, someone) { .map([("generate", .scalar(Self.words($0)))]) }
    return beats
  }

  private func game(_ leader: String, _ cast: WorldCast, _ draws: Draws) -> [WorldBeat] {
    var beats: [WorldBeat] = []
    let start = draws.weighted("start", [(8, "start lobby game"), (2, "start multiplayer game"), (2, "")])
    let pause = draws.milliseconds("start after", 1...6_000)
    if !start.isEmpty { beats.append(WorldBeat(.after(pause), leader, [.scalar(start)])) }
    for index in 0..<draws.weighted("turns", [(4, 0), (3, 2), (2, 6)]) {
      let draws = draws.of("turn", index)
      let who = draws.one("who", of: cast.everyone)
      let action: YAMLTree = draws.weighted(
        "action",
        [
          (8, .map([("complete line", completion(draws))])), (2, .scalar("skip line")),
          (2, .map([("propose vote", .scalar(draws.one("vote", of: BabVocabulary.votes)))])),
          (2, .map([("vote", .flag(draws.happens("for it", permille: 600)))])),
          (1, .map([("generate", .scalar(Self.words(draws)))])), (1, .scalar("ready")), (1, .scalar("leave")),
          (1, .map([("request role", .scalar(draws.one("role", of: Self.roles)))])),
        ])
      beats.append(WorldBeat(.after(draws.pause("pause")), who, [action]))
    }
    if draws.happens("ends", permille: 200) {
      beats.append(WorldBeat(.after(draws.pause("end")), leader, [.scalar("end game")]))
      if draws.happens("again", permille: 400) {
        beats.append(WorldBeat(.after(draws.pause("again")), leader, [.scalar("start lobby game")]))
      }
    }
    if draws.happens("leaves", permille: 150) {
      let who = draws.one("leaver", of: cast.everyone)
      beats.append(WorldBeat(.after(draws.pause("leaves")), who, [.scalar("leave")]))
      if draws.happens("returns", permille: 600) {
        beats.append(
          WorldBeat(.after(draws.pause("returns")), who, beginning(of: who, cast, draws)))
      }
    }
    return beats
  }

  /// The same people meet for another game, with apps that have had a session before.
  private func anotherSession(_ leader: String, _ cast: WorldCast, _ draws: Draws) -> [WorldBeat] {
    let isPlayed = draws.happens("waits for the end", permille: 600)
    let farewell = isPlayed ? WorldBeat.Start.when("\(leader) is FINISHED", within: "60s") : .after(draws.pause("end"))
    let members = draws.happens("all leave", permille: 700) ? cast.members : []
    var beats: [WorldBeat] = []
    for (index, who) in draws.inDrawnOrder("order", members + [leader]).enumerated() {
      beats.append(
        WorldBeat(index == 0 ? farewell : .after(draws.of("leaves", index).pause("pause")), who, [.scalar("leave")]))
    }
    return beats + meeting(cast, draws.of("meeting")) + game(leader, cast, draws.of("game"))
  }

  private func completion(_ draws: Draws) -> YAMLTree {
    let draws = draws.of("completion")
    return .map([
      ("accuracy", draws.happens("says accuracy", permille: 700) ? .scalar("\(draws.number("%", 0...100))%") : nil),
      ("errors", draws.happens("says errors", permille: 500) ? .scalar(draws.number("errors", 0...9)) : nil),
      ("takes", draws.happens("says takes", permille: 500) ? .scalar(draws.milliseconds("takes", 1...9_000)) : nil),
    ])
  }

  static let stories = GameScenario.presets.map(\.id) + ["story"]
  static let roles = GameScenario.presets.flatMap(\.availableRoles).map(\.id)

  /// Text of every length and kind of character.
  static func words(_ draws: Draws) -> String {
    let draws = draws.of("words")
    let list = [
      "a", "coffee", "please", "naïve", "日本語", "☕️", "“so”", "the", "train", "is", "late", "back\\slash", "e\u{301}tude",
    ]
    let count = draws.weighted("length", [(5, 3), (3, 8), (1, 40), (1, 120)])
    return (0..<count).map { draws.one("word \($0)", of: list) }.joined(separator: " ")
  }
}
