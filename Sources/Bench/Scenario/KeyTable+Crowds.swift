import SimKernel

extension KeyTable {
  static let churn = KeyTable(
    id: "churn", title: "“churn”",
    keys: [
      Key("stay", .duration, "mean time until one goes away", isRequired: true),
      Key("away", .duration, "mean time until it comes back", isRequired: true),
      Key("for", .duration, "no device goes away after this time", isRequired: true),
      Key("leaving", .definition("action"), "what is done to one that goes away", isRequired: true),
      Key("returning", .definition("action"), "what is done to one that comes back", isRequired: true),
    ])

  static let hostility = KeyTable(
    id: "hostility", title: "“hostile”",
    keys: [
      Key("share", .loss, "how probable it is for each device, drawn from the seed", isRequired: true),
      Key("engine", .text, "the mutant that runs on it then"),
      Key("message fault", .table("messageFault"), "or what its stack does to values from the launch on"),
    ])
}

extension Keys {
  static let lobbies = KeyedMapping("lobbies", "“lobbies”", of: Lobbies()) { lobbies, keys in
    keys("count", &lobbies.count, .whole(1...64), "number of lobbies that play the scenario, side by side", .required)
    keys(
      "spacing", &lobbies.spacing, .quantity(.length, .length, 0...1_000_000),
      "distance between the centres of neighbours, in a square grid; default 5 m")
    keys("spread", &lobbies.spread, spread.form, "when they begin; default all at once")
  }

  static let spread = KeyedMapping("spread", "“spread”", of: Spread.over(.zero)) { spread, keys in
    let ways = ["over", "mean gap", "waves of"].filter(keys.has)
    if ways.count != 1 {
      keys.noteMapping(
        "“spread” has one of “over”, “mean gap” and “waves of”; write, for example, “over: 10s”",
        firstOf: Array(ways.dropFirst()))
    }
    var (over, gap, size, pause) = (SimDuration?.none, SimDuration?.none, Int?.none, SimDuration?.none)
    switch spread {
    case .over(let span): over = span
    case .meanGap(let mean): gap = mean
    case .waves(let count, let every): (size, pause) = (count, every)
    }
    let isAlone: KeyVisitor.Presence = ways.count == 1 && !keys.has("every") ? .optional : .ignored
    let areWaves = ways == ["waves of"]
    keys("over", .duration(), "each at an instant drawn evenly from this time", isAlone, value: over) {
      spread = .over($0)
    }
    keys(
      "mean gap", .duration(), "or one by one in a drawn order, with exponentially distributed gaps", isAlone,
      value: gap
    ) { spread = .meanGap($0) }
    keys("waves of", &size, .whole(1...256), "or this many at once, in their order", areWaves ? .optional : .ignored)
    keys(
      "every", &pause, .duration(), "with waves: from one to the next",
      areWaves
        ? .needed
        : ways.count == 1 ? .refused("“every” needs “waves of”; leave it out of “\(ways[0])”") : .ignored)
    if let size, let pause { spread = .waves(of: size, every: pause) }
  }
}
