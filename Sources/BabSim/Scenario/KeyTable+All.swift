import VirtualRadio

extension KeyTable {
  static let all: [KeyTable] = [
    scenario, limits, room, bursts, interferer, device, phone, game, role, scriptLine, autoplay, habits, step,
    expectation, condition, actions, assignment, completion, messageFault,
  ]

  static let phoneNames = PhonePreset.all.map(\.name)
  static let dialectNames = DialectName.allCases.map(\.rawValue)
  static let difficulties = ["easy", "normal", "hard"]

  static let scenario = KeyTable(
    id: "scenario", title: "a scenario",
    keys: [
      Key("name", .text, "what the scenario is called; the file's name when absent"),
      Key("summary", .text, "one or two sentences for people"),
      Key("seed", .seed, "where every random draw comes from; default 1"),
      Key(
        "duration", .duration,
        "how long the run goes on after the last step or the last “within” that came true; default 2s"),
      Key("limits", .table("limits"), "where a run that does not end is stopped"),
      Key("radio", .either([.word(RoomPreset.names), .profile, .table("room")]), "the room; default ideal"),
      Key("dialect", .word(dialectNames), "which Bab profile is spoken; default sdk"),
      Key("devices", .mapping(of: .table("device")), "the peers, by name; exactly one is the host", isRequired: true),
      Key("game", .table("game"), "what is played"),
      Key("steps", .list(.table("step")), "what is done, one after the other"),
      Key("expect", .list(.definition("expectationEntry")), "what must hold"),
    ])

  static let limits = KeyTable(
    id: "limits", title: "“limits”",
    keys: [
      Key("simulated time", .duration, "default 10min"),
      Key("events", .integer(1, 1_000_000_000_000), "events of the queue; default 50000000"),
    ])

  static let room = KeyTable(
    id: "room", title: "“radio”",
    keys: [
      Key("preset", .either([.word(RoomPreset.names), .profile]), "what the other keys change; default ideal"),
      Key("level dependent", .boolean, "no: distance does not matter"),
      Key("reference loss", .decibel, "path loss at one metre"),
      Key("path loss exponent", .factor, "2 is free space, 2.5 to 3.3 are furnished rooms"),
      Key("shadowing", .decibel, "largest extra loss of a pair of devices, drawn per pair"),
      Key("noise floor", .level, "noise over 1 MHz"),
      Key("packet loss", .loss, "hits every PDU alike"),
      Key("capture threshold", .decibel, "how much stronger a PDU must be to survive a collision"),
      Key("bursts", .either([.word(["none"]), .table("bursts")]), "times at which much is lost"),
      Key("interferers", .list(.table("interferer")), "transmitters that are not Bluetooth"),
    ])

  static let bursts = KeyTable(
    id: "bursts", title: "“bursts”",
    keys: [
      Key("good", .duration, "mean length of a good time", isRequired: true),
      Key("bad", .duration, "mean length of a bad time", isRequired: true),
      Key("loss in good", .loss, "default 0%"),
      Key("loss in bad", .loss, "default 100%"),
    ])

  static let interferer = KeyTable(
    id: "interferer", title: "an interferer",
    keys: [
      Key("name", .text, "for the trace", isRequired: true),
      Key("at", .point, "where it stands", isRequired: true),
      Key("wifi channel", .integer(1, 13), "the RF channels a 20 MHz Wi-Fi channel covers"),
      Key("rf channels", .integerRange, "or these, within 0..39: 2402 + 2 k MHz"),
      Key("power", .level, "within 1 MHz; default 7 dBm (20 dBm over 20 MHz)"),
      Key("on", .duration, "mean length of a transmission; default 2ms"),
      Key("off", .duration, "mean length of a pause; default 8ms"),
    ])

  static let device = KeyTable(
    id: "device", title: "a device",
    keys: [
      Key("count", .integer(1, 63), "makes a group: name-1, name-2, …"),
      Key("role", .word(["host", "client"]), "default: host for the name “host”, else client"),
      Key("phone", .either([.word(phoneNames), .profile, .table("phone")]), "default ideal"),
      Key("at", .point, "where it stands; default [0, 0]"),
      Key("around", .either([.text, .point]), "a device or point in the middle of a circle"),
      Key("radius", .length, "of that circle; default 2 m"),
      Key("from", .point, "where a line of devices begins"),
      Key("to", .point, "where it ends"),
      Key("clock", .either([.word(["random"]), .clock]), "error of its clock; default random, as the phone's is"),
      Key("starts", .duration, "when its app is launched; default 0s"),
      Key("engine", .text, "reference, or the name of a mutant"),
      Key("display name", .text, "the player's name; default the device's"),
      Key("dialect", .word(dialectNames), "when it differs from the scenario's"),
    ])

  static let phone = KeyTable(
    id: "phone", title: "“phone”",
    keys: [
      Key("preset", .either([.word(phoneNames), .profile]), "what the other keys change; default ideal"),
      Key("att mtu", .integer(23, 517), "largest ATT_MTU, in both roles"),
      Key("exchanges att mtu", .boolean, "as central, on its own"),
      Key("links", .integer(1, 63), "as peripheral, at once"),
      Key("notification queue", .integer(1, 10_000), "values taken before “not sent”"),
      Key("write queue", .integer(1, 10_000), "write commands taken before “not sent”"),
      Key("acl buffers", .integer(1, 1_000), "of the controller, for all links"),
      Key("acl octets", .integer(27, 1_021), "of one such buffer"),
      Key("data length", .integer(27, 251), "largest LL payload; 27 is no data length extension"),
      Key("2m", .boolean, "supports LE 2M"),
      Key("prefers 2m", .boolean, "as central, moves a link to LE 2M on its own"),
      Key("packets per event", .integer(0, 1_000), "exchanges after which it ends a connection event; 0: as fit"),
      Key("channel selection 2", .boolean, "supports channel selection algorithm #2"),
      Key("connection interval", .duration, "asked for as central; a multiple of 1.25ms"),
      Key("peripheral latency", .integer(0, 499), "asked for as central"),
      Key("supervision timeout", .duration, "asked for as central; a multiple of 10ms"),
      Key("advertising interval", .duration, "in front; a multiple of 0.625ms"),
      Key("transmit power", .level, "-40 dBm to 20 dBm"),
      Key("sensitivity", .level, "-120 dBm to -40 dBm"),
    ])

  static let game = KeyTable(
    id: "game", title: "“game”",
    keys: [
      Key("scenario", .text, "id of the story; default coffee-shop"),
      Key("difficulty", .word(difficulties), "default normal"),
      Key("roles", .list(.table("role")), "when the story is not a known one"),
      Key("lines", .integer(1, 10_000), "the game ends after so many; default 16, or as many as the script has"),
      Key("script", .list(.table("scriptLine")), "what the generator says, again from the top when it is through"),
      Key("heartbeat", .either([.word(["none"]), .duration]), "pause between heartbeats; default none"),
      Key("autoplay", .either([.boolean, .table("autoplay")]), "people who play on their own; default no"),
    ])

  static let role = KeyTable(
    id: "role", title: "a role",
    keys: [
      Key("id", .text, "unique", isRequired: true),
      Key("name", .text, "default the id"),
      Key("description", .text, "default nothing"),
    ])

  static let scriptLine = KeyTable(
    id: "scriptLine", title: "a line of the script",
    keys: [
      Key("role", .text, "who says it; default whoever's turn it is"),
      Key("native", .text, "in the player's language", isRequired: true),
      Key("translated", .text, "in the language to learn", isRequired: true),
    ])

  static let autoplay = KeyTable(
    id: "autoplay", title: "“autoplay”",
    keys: [
      Key("think", .durationRange, "time before a line is done; default 500ms..1500ms"),
      Key("accuracy", .shareRange, "default 80%..100%"),
      Key("skip", .share, "how often a line is skipped instead; default 0%"),
      Key(
        "players", .mapping(of: .either([.word(["idle"]), .table("habits")])),
        "other habits for single devices or groups; “idle” does nothing"),
    ])

  static let habits = KeyTable(
    id: "habits", title: "a player's habits",
    keys: [
      Key("think", .durationRange, "as above"),
      Key("accuracy", .shareRange, "as above"),
      Key("skip", .share, "as above"),
    ])

  static let step = KeyTable(
    id: "step", title: "a step",
    keys: [
      Key("at", .duration, "at this time from the start"),
      Key("after", .duration, "so long after the step before; default 0s"),
      Key("when", .definition("condition"), "as soon as this holds"),
      Key("within", .duration, "how long “when” may take"),
      Key("label", .text, "a name expectations can count from"),
    ], others: .definition("action"))

  static let expectation = KeyTable(
    id: "expectation", title: "an expectation",
    keys: [
      Key("that", .definition("condition"), "must have held in time; without “within”: at the end"),
      Key("within", .duration, "how long it may take"),
      Key("always", .definition("condition"), "must hold all the time"),
      Key("after", .text, "the label of the step to count from; default the start"),
    ])

  static let condition = KeyTable(
    id: "conditions", title: "a condition",
    keys: [
      Key("all", .list(.definition("condition")), "every one of these"),
      Key("any", .list(.definition("condition")), "at least one of these"),
    ])
}
