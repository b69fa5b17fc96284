extension KeyTable {
  static let lobbies = KeyTable(
    id: "lobbies", title: "“lobbies”",
    keys: [
      Key("count", .integer(1, 64), "number of lobbies that play the scenario, side by side", isRequired: true),
      Key("spacing", .length, "distance between the centres of neighbours, in a square grid; default 5 m"),
      Key("spread", .table("spread"), "when they begin; default all at once"),
    ])

  static let spread = KeyTable(
    id: "spread", title: "“spread”",
    keys: [
      Key("over", .duration, "each at an instant drawn evenly from this time"),
      Key("mean gap", .duration, "or one by one in a drawn order, with exponentially distributed gaps"),
      Key("waves of", .integer(1, 256), "or this many at once, in their order"),
      Key("every", .duration, "with waves: from one to the next"),
    ])

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
