import Bench
import Platform

/// What is done to a device on purpose, and what ends it.
struct FaultDraw {
  var who: String
  var action: YAMLTree
  /// What is done to the device afterwards; empty: nothing, it is over by itself or stays as it is.
  var cure: [YAMLTree]

  /// One fault of one device of a lobby.
  /// - Parameters:
  ///   - hasNetwork: there is something beside the radio.
  ///   - kind: broken stacks belong to a hostile world, and the room of a calm one stays as it is.
  init(_ draws: Draws, _ cast: WorldCast, _ worlds: any AppWorlds, hasNetwork: Bool, kind: WorldKind) {
    if kind != .calm, draws.happens("of the room", permille: 50) {
      let change = RoomDraw(kind: kind).change(draws.of("room"))
      (who, action, cure) = ("radio", change.change, [change.cure])
      return
    }
    let everyone = cast.everyone
    let doer = draws.happens("all members", permille: 60) ? cast.crowd : draws.one("who", of: everyone)
    let beginning = worlds.beginning(of: doer, cast, draws.of("begins again"))
    let others = everyone.filter { $0 != doer }
    let word =
      draws.happens("of the phone", permille: 60)
      ? draws.weighted("fault of the phone", Self.ofThePhone)
      : draws.weighted("fault", Self.weights(hasNetwork: hasNetwork, isHostile: kind == .hostile))
    let isOfOne = !others.isEmpty && draws.happens("with one device", permille: 500)
    let other = isOfOne ? draws.one("other", of: others) : nil
    who = doer
    action = .scalar(word)
    cure = []
    switch word {
    case "vanish": cure = [.scalar("appear")]
    case "radio off": cure = [.scalar("radio on")] + (draws.happens("joins again", permille: 300) ? beginning : [])
    case "kill", "reclaim":
      cure = [.scalar("relaunch")] + (draws.happens("takes part again", permille: 850) ? beginning : [])
    case "relaunch": action = .list([.scalar("relaunch")] + beginning)
    case "background":
      let isScreen = draws.happens("by the screen", permille: 250)
      if isScreen { action = .scalar("screen off") }
      cure = [.scalar(isScreen ? "screen on" : "foreground")]
    case "go out of range": cure = [.scalar("come back")]
    case "wifi off": cure = [.scalar("wifi on")]
    case "leave network": cure = [.scalar("join network")]
    case "disconnect": if let other { action = .map([("disconnect", .scalar(other))]) }
    case "partition":
      if let other { action = .map([("partition", .scalar(other))]) }
      cure = [
        draws.happens("all of it ends", permille: 400)
          ? .scalar("end partition") : other.map { .map([("end partition", .scalar($0))]) } ?? .scalar("end partition")
      ]
    case "network loss":
      action = .map([("network loss", .scalar("\(draws.number("loss", 1...40))%"))])
      cure = [.map([("network loss", .scalar("0%"))])]
    case "network delay":
      action = .map([("network delay", .scalar(draws.milliseconds("delay", 1...900)))])
    case "move to": action = .map([("move to", .list(["x", "y"].map { .scalar(draws.number($0, -25...25)) }))])
    case "use channels":
      let first = draws.number("first", 0...35)
      action = .map([("use channels", .scalar("\(first)..\(draws.number("last", first + 1...36))"))])
      cure = [.map([("use channels", .scalar("0..36"))])]
    case "update connection": action = .map([("update connection", Self.connection(draws.of("connection")))])
    case "message fault":
      action = .map([("message fault", Self.messageFault(draws.of("message fault")))])
      cure = draws.happens("ends", permille: 700) ? [.scalar("end message faults")] : []
    case "failure":
      action = .map([("failure", Self.failure(draws.of("failure")))])
      cure = draws.happens("ends", permille: 600) ? [.scalar("end failures")] : []
    case "forget bonds": if let other { action = .map([("forget bonds", .scalar(other))]) }
    case "cover link":
      let span = YAMLTree.scalar(draws.milliseconds("covered for", 5...4_000))
      action = .map([("cover link", .map([("with", other.map { .scalar($0) }), ("for", span)]))])
    case "churn": action = .map([("churn", Self.churn(draws.of("churn"), beginning))])
    default: break
    }
  }

  private static func weights(hasNetwork: Bool, isHostile: Bool) -> [(weight: Int, value: String)] {
    let ofNetwork = hasNetwork ? 4 : 0
    return [
      (10, "vanish"), (9, "radio off"), (10, "kill"), (3, "reclaim"), (5, "relaunch"), (8, "background"),
      (9, "go out of range"), (9, "disconnect"), (4, "move to"), (4, "use channels"), (4, "cover link"),
      (7, "update connection"), (4, "churn"), (ofNetwork, "wifi off"), (ofNetwork, "leave network"),
      (ofNetwork, "partition"), (ofNetwork, "network loss"), (ofNetwork, "network delay"),
      (isHostile ? 20 : 0, "message fault"),
      // What usually ends something, where nothing has begun.
      (1, "appear"), (1, "radio on"), (1, "foreground"), (1, "come back"), (1, "end message faults"),
    ]
  }

  private static let ofThePhone: [(weight: Int, value: String)] = [
    (8, "failure"), (2, "forget bonds"), (1, "refresh services"), (1, "end failures"),
  ]

  private static func failure(_ draws: Draws) -> YAMLTree {
    let operation = draws.one("of", of: FailingOperation.allCases)
    let isOfPeers = operation != .connect && draws.happens("of peers", permille: 400)
    return .map([
      ("of", .scalar(operation.rawValue)),
      ("code", .scalar(draws.one("code", of: [1, 3, 5, 8, 14, 17, 19, 22, 62, 133]))),
      (
        "asked by",
        isOfPeers || draws.happens("says who asks", permille: 300)
          ? .scalar((isOfPeers ? FailureRule.Asker.peers : .app).rawValue) : nil
      ),
      ("every", draws.happens("says every", permille: 500) ? .scalar(draws.number("every", 1...6)) : nil),
      ("count", draws.happens("says count", permille: 700) ? .scalar(draws.number("count", 1...6)) : nil),
      (
        "after",
        operation == .connect && draws.happens("takes time", permille: 400)
          ? .scalar(draws.milliseconds("after", 10...40_000)) : nil
      ),
    ])
  }

  /// What fits together: the timeout is longer than the interval with the latency allows.
  private static func connection(_ draws: Draws) -> YAMLTree {
    let units = draws.number("units", 6...200)
    let latency = draws.weighted("latency", [(4, 0), (2, draws.number("events", 1...6))])
    let least = (1 + latency) * units * 250 / 1_000 + 1
    let timeout = max(10, min(3_200, least + draws.number("patience", 0...600)))
    let interval = YAMLTree.scalar(Draws.text(thousandths: units * 1_250, "ms"))
    if draws.happens("only the interval", permille: 300) { return .map([("connection interval", interval)]) }
    return .map([
      ("connection interval", interval), ("peripheral latency", .scalar(latency)),
      ("supervision timeout", .scalar("\(timeout * 10)ms")),
    ])
  }

  static func messageFault(_ draws: Draws) -> YAMLTree {
    .map([
      ("do", .scalar(draws.one("do", of: MessageFault.allCases.map(\.rawValue)))),
      (
        "to",
        draws.happens("says which", permille: 500)
          ? .scalar(draws.one("to", of: MessageFaultRule.Direction.allCases.map(\.rawValue))) : nil
      ),
      ("every", draws.happens("says every", permille: 700) ? .scalar(draws.number("every", 1...12)) : nil),
      ("count", draws.happens("says count", permille: 500) ? .scalar(draws.number("count", 1...8)) : nil),
    ])
  }

  private static func churn(_ draws: Draws, _ beginning: [YAMLTree]) -> YAMLTree {
    let (leaving, returning): (String, [YAMLTree]) = draws.weighted(
      "way",
      [
        (3, ("vanish", [.scalar("appear")])), (2, ("kill", [.scalar("relaunch")] + beginning)),
        (2, ("go out of range", [.scalar("come back")])), (1, ("background", [.scalar("foreground")])),
        (1, ("radio off", [.scalar("radio on")])),
      ])
    return .map([
      ("stay", .scalar(draws.milliseconds("stay", 300...20_000))),
      ("away", .scalar(draws.milliseconds("away", 20...9_000))),
      ("for", .scalar("\(draws.number("for", 2...25))s")), ("leaving", .scalar(leaving)),
      ("returning", returning.count == 1 ? returning[0] : .list(returning)),
    ])
  }
}
