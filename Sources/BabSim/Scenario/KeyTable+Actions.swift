extension KeyTable {
  /// What can be done without saying more.
  static let plainActions = [
    "start hosting", "join", "start lobby game", "start multiplayer game", "end game", "leave", "ready", "not ready",
    "skip line", "start solo", "vanish", "appear", "radio off", "radio on", "kill", "relaunch", "background",
    "foreground", "disconnect", "go out of range", "come back", "end message faults",
  ]

  static let actions = KeyTable(
    id: "actions", title: "an action",
    keys: [
      Key("set scenario", .text, "in the lobby; the host"),
      Key("set difficulty", .word(difficulties), "in the lobby; the host"),
      Key("assign role", .table("assignment"), "the host"),
      Key("request role", .text, "a client, for itself"),
      Key("complete line", .table("completion"), "whose turn it is"),
      Key("propose vote", .word(["CHANGE_SCENE", "END_GAME", "SKIP_LINE"]), "either"),
      Key("vote", .boolean, "yes or no"),
      Key("generate", .text, "asks for lines about this"),
      Key("speak", .text, "solo mode"),
      Key("end solo", .word(["save", "discard"]), "solo mode"),
      Key("disconnect", .text, "ends the link with that device only"),
      Key("move to", .point, "from now on it stands there"),
      Key("message fault", .table("messageFault"), "a broken stack"),
    ])

  static let assignment = KeyTable(
    id: "assignment", title: "“assign role”",
    keys: [
      Key("player", .text, "a device", isRequired: true),
      Key("role", .text, "a role's id", isRequired: true),
    ])

  static let completion = KeyTable(
    id: "completion", title: "“complete line”",
    keys: [
      Key("accuracy", .share, "default 100%"),
      Key("errors", .integer(0, 1_000), "default 0"),
      Key("takes", .duration, "how long the person says it took; default 2s"),
    ])

  static let messageFault = KeyTable(
    id: "messageFault", title: "“message fault”",
    keys: [
      Key("do", .word(MessageFault.allCases.map(\.rawValue)), "what happens to a value", isRequired: true),
      Key("to", .word(MessageFaultRule.Direction.allCases.map(\.rawValue)), "which values; default outgoing"),
      Key("every", .integer(1, 1_000_000), "every how many-th value; default 1, each"),
      Key("count", .integer(1, 1_000_000), "how many in all; default without end"),
    ])
}
