import Bench

/// What happens in a world: the stories of its lobbies, one among the other, with faults between.
struct StoryDraw {
  let plan: WorldPlan
  let world: WorldDraw

  struct Result {
    var steps: [YAMLTree] = []
    /// What is done beside the steps.
    var meanwhile: [YAMLTree] = []
    var expectations: [YAMLTree] = []
  }

  /// A step before it is written.
  private struct Planned {
    enum Start {
      case at(String)
      case after(String)
      case whenever(YAMLTree, within: String)

      init(_ start: WorldBeat.Start) {
        switch start {
        case .after(let pause): self = .after(pause)
        case .when(let text, let within): self = .whenever(.scalar(text), within: within)
        }
      }
    }

    var start: Start
    var who: String
    var actions: [YAMLTree]
    var spread: YAMLTree?
    var label: String?
  }

  func draw(_ draws: Draws) -> Result {
    var stories: [WorldStory] = []
    for (number, cast) in plan.lobbies.enumerated() {
      if let worlds = worlds(of: cast) { stories.append(worlds.story(cast, draws.of("lobby", number))) }
    }
    var planned = merged(stories, draws.of("order"))
    insertFaults(stories, into: &planned, draws.of("faults"))
    insertConditions(into: &planned, draws.of("conditions"))
    if let first = planned.first, case .after(let pause) = first.start, draws.happens("begins at", permille: 150) {
      planned[0].start = .at(pause)
    }
    var result = Result()
    for (number, step) in planned.enumerated() {
      var step = step
      if draws.happens("label \(number)", permille: 60) { step.label = "point \(number + 1)" }
      planned[number] = step
      result.steps.append(written(step))
    }
    let rest = draws.weighted(
      "rest", [(5, draws.milliseconds("long", 12_000...60_000)), (1, draws.milliseconds("short", 1...9_000))])
    if draws.happens("rests", permille: 850) { result.steps.append(.map([("after", .scalar(rest))])) }
    result.meanwhile = meanwhile(draws.of("meanwhile"))
    let labels = planned.compactMap(\.label)
    result.expectations = expectations(stories, labels, draws.of("expectations"))
    return result
  }

  /// Those that are only in the room and have an app, as if they were a lobby; nil: there is none.
  private func outsiders(_ draws: Draws) -> WorldCast? {
    let able = plan.outsiders.filter { $0.app != nil }
    guard !able.isEmpty else { return nil }
    let one = draws.one("outsider", of: able)
    return WorldCast(
      app: one.app ?? "", leader: nil, members: one.names, crowd: one.key, seats: nil, isAlone: true)
  }

  private func worlds(of cast: WorldCast) -> (any AppWorlds)? { world.apps.first { $0.name == cast.app }?.worlds }

  /// The beats of all lobbies in one order that keeps that of each.
  private func merged(_ stories: [WorldStory], _ draws: Draws) -> [Planned] {
    var rest = stories.map { $0.beats[...] }
    var planned: [Planned] = []
    while rest.contains(where: { !$0.isEmpty }) {
      let open = rest.indices.filter { !rest[$0].isEmpty }
      let next = draws.one("next \(planned.count)", of: open)
      if let beat = rest[next].popFirst() {
        planned.append(Planned(start: .init(beat.start), who: beat.who, actions: beat.actions, spread: beat.spread))
      }
    }
    return planned
  }

  /// Faults among the beats, and most of them after these, while what was begun goes on.
  private func insertFaults(_ stories: [WorldStory], into planned: inout [Planned], _ draws: Draws) {
    let isCalm = world.options.kind == .calm
    let count = draws.weighted("count", isCalm ? [(3, 0), (4, 1), (2, 2)] : [(1, 0), (4, 1), (4, 2), (3, 3), (2, 5)])
    for number in 0..<count {
      let draws = draws.of("fault", number)
      let lobby = draws.number("lobby", 0...plan.lobbies.count - 1)
      let others = draws.happens("at an outsider", permille: 150) ? outsiders(draws) : nil
      let cast = others ?? plan.lobbies[lobby]
      guard let worlds = worlds(of: cast) else { continue }
      let fault = FaultDraw(draws, cast, worlds, hasNetwork: plan.hasNetwork, kind: world.options.kind)
      let isEarly = draws.happens("among the beats", permille: 450)
      let moments = lobby < stories.count ? stories[lobby].moments : []
      var start = Planned.Start.after(isEarly ? draws.pause("pause") : draws.milliseconds("later pause", 20...9_000))
      if !moments.isEmpty, draws.happens("at a moment", permille: 120) {
        start = .whenever(.scalar(draws.one("moment", of: moments)), within: "\(draws.number("patience", 8...40))s")
      } else if draws.happens("at once", permille: 200) {
        start = .after(Draws.text(nanoseconds: draws.number("nanoseconds", 1...30_000_000)))
      }
      let place = isEarly ? draws.number("place", 1...max(1, planned.count)) : planned.count
      planned.insert(
        Planned(start: start, who: fault.who, actions: [fault.action]), at: min(place, planned.count))
      guard !fault.cure.isEmpty, draws.happens("is cured", permille: 920) else { continue }
      let cured = min(place + 1 + draws.weighted("later", [(6, 0), (2, 1), (1, 3)]), planned.count)
      let pause = draws.weighted(
        "cured after", [(3, draws.pause("soon")), (4, draws.milliseconds("later ms", 200...9_000)), (1, "30s")])
      planned.insert(Planned(start: .after(pause), who: fault.who, actions: fault.cure), at: cured)
    }
  }

  /// A fault at an instant, whatever the steps wait for, and what ends it.
  private func meanwhile(_ draws: Draws) -> [YAMLTree] {
    guard draws.happens("is something done", permille: 100) else { return [] }
    let cast = plan.lobbies[draws.number("lobby", 0...plan.lobbies.count - 1)]
    guard let worlds = worlds(of: cast) else { return [] }
    let fault = FaultDraw(draws, cast, worlds, hasNetwork: plan.hasNetwork, kind: world.options.kind)
    let begin = draws.number("microseconds", 100_000...25_000_000)
    let end = begin + draws.number("lasts", 1_000...12_000_000)
    func entry(_ at: Int, _ what: [YAMLTree]) -> YAMLTree {
      .map([("at", .scalar(Draws.text(nanoseconds: at * 1_000))), (fault.who, what.count == 1 ? what[0] : .list(what))])
    }
    return [entry(begin, [fault.action])] + (fault.cure.isEmpty ? [] : [entry(end, fault.cure)])
  }

  /// Waits for something that holds anyway, or for something else: what decides conditions is asked.
  private func insertConditions(into planned: inout [Planned], _ draws: Draws) {
    for number in planned.indices where draws.happens("step \(number)", permille: 70) {
      let draws = draws.of("condition", number)
      guard case .after = planned[number].start else { continue }
      planned[number].start = .whenever(condition(draws), within: draws.pause("within"))
    }
  }

  /// A condition that holds, with others that may hold.
  private func condition(_ draws: Draws) -> YAMLTree {
    let cast = draws.one("lobby", of: plan.lobbies)
    let device = draws.one("device", of: cast.everyone)
    let others = (0..<draws.number("others", 1...3)).compactMap { number in
      worlds(of: cast).map { ConditionDraw.text($0, cast, draws.of("other", number)) }
    }
    let all = others.map { YAMLTree.scalar($0) }
    let isOne = draws.happens("all of them", permille: 300)
    return .map([
      ("any", .list([.scalar("\(device) has at least 0 links")] + (isOne ? [.map([("all", .list(all))])] : all)))
    ])
  }

  private func written(_ step: Planned) -> YAMLTree {
    var entries: [(String, YAMLTree?)] = []
    switch step.start {
    case .at(let instant): entries.append(("at", .scalar(instant)))
    case .after(let pause): entries.append(("after", pause == "0s" ? nil : .scalar(pause)))
    case .whenever(let condition, let within):
      entries += [("when", condition), ("within", .scalar(within))]
    }
    entries.append(("label", step.label.map { .scalar($0) }))
    entries.append(("spread", step.spread))
    entries.append((step.who, step.actions.count == 1 ? step.actions[0] : .list(step.actions)))
    return .map(entries)
  }

  private func expectations(_ stories: [WorldStory], _ labels: [String], _ draws: Draws) -> [YAMLTree] {
    var list: [YAMLTree] = []
    for (number, text) in stories.flatMap(\.always).enumerated() {
      let draws = draws.of("always", number)
      guard draws.happens("is claimed", permille: 350) else { continue }
      let label = labels.isEmpty || !draws.happens("from a label", permille: 200) ? nil : draws.one("label", of: labels)
      switch draws.weighted("way", [(6, "always"), (1, "within"), (1, "at the end")]) {
      case "always": list.append(.map([("always", .scalar(text)), ("after", label.map { .scalar($0) })]))
      case "within":
        list.append(
          .map([("that", .scalar(text)), ("within", .scalar("5s")), ("after", label.map { .scalar($0) })]))
      default: list.append(.scalar(text))
      }
    }
    return list
  }
}
