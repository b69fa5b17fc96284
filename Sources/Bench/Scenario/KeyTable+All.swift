package import BluetoothWire
import VirtualRadio

extension KeyTable {
  package static let phoneNames = PhonePreset.all.map(\.name)

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
      Key("bit error rate", .loss, "hits every bit alike, so long PDUs more often"),
      Key("capture threshold", .decibel, "how much stronger a PDU must be to survive a collision"),
      Key("channel loss", .mapping(of: .loss), "by channel index, 0..36 or 37 to 39: hits every PDU there alike"),
      Key("fading", .either([.word(["none"]), .table("fading")]), "levels that change from block to block of time"),
      Key("bursts", .either([.word(["none"]), .table("bursts")]), "times at which much is lost"),
      Key("interferers", .list(.table("interferer")), "transmitters that are not Bluetooth"),
    ])

  static let fading = KeyTable(
    id: "fading", title: "“fading”",
    keys: [
      Key("kind", .word(fadingKinds), "how levels are distributed", isRequired: true),
      Key("coherence time", .duration, "how long a level holds", isRequired: true),
      Key("k factor", .factor, "rician: power of the path that stands out over that of the others; 0 to 100"),
      Key("deviation", .decibel, "log-normal: standard deviation; at most 20 dB"),
    ])

  package static let fadingKinds = ["rayleigh", "rician", "log-normal"]

  package static let advertisingKinds: [(name: String, kind: HCI.AdvertisingParameters.Kind)] = [
    ("connectable", .connectableUndirected), ("scannable", .scannableUndirected),
    ("non-connectable", .nonConnectableUndirected), ("directed", .connectableDirectedHighDuty),
    ("directed low duty cycle", .connectableDirectedLowDuty),
  ]

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
      Key("wifi channel", .integer(1, 13), "20 MHz, with the spectrum mask of OFDM"),
      Key("rf channels", .integerRange, "or these alone, within 0..39: 2402 + 2 k MHz"),
      Key("power", .level, "within 1 MHz; default 7 dBm (20 dBm over 20 MHz)"),
      Key("airtime", .share, "of a station that senses the carrier: its share of the time when alone"),
      Key("frame", .duration, "with airtime: mean length of a frame; default 1ms"),
      Key("on", .duration, "without airtime: mean length of a transmission; default 2ms"),
      Key("off", .duration, "without airtime: mean length of a pause; default 8ms"),
    ])

  static let phone = KeyTable(
    id: "phone", title: "“phone”",
    keys: [
      Key("preset", .either([.word(phoneNames), .profile]), "what the other keys change; default ideal"),
      Key("att mtu", .integer(23, 517), "largest ATT_MTU, in both roles"),
      Key("exchanges att mtu", .boolean, "as central, on its own"),
      Key("links", .integer(1, 63), "as peripheral, at once"),
      Key("notification queue", .integer(1, 10_000), "values accepted before “not sent”"),
      Key("write queue", .integer(1, 10_000), "write commands accepted before “not sent”"),
      Key("acl buffers", .integer(1, 1_000), "of the controller, for all links"),
      Key("acl octets", .integer(27, 1_021), "of one such buffer"),
      Key("data length", .integer(27, 251), "largest LL payload; 27 is no data length extension"),
      Key("2m", .boolean, "supports LE 2M"),
      Key("prefers 2m", .boolean, "as central, moves a link to LE 2M on its own"),
      Key("packets per event", .integer(0, 1_000), "exchanges after which it ends a connection event; 0: as fit"),
      Key("event length", .duration, "the longest connection event; default as long as there is room"),
      Key("hop increment", .integer(5, 16), "as central, of channel selection algorithm #1; default drawn"),
      Key("anchor offset", .duration, "as central, of a link's first anchor; a multiple of 1.25ms; default drawn"),
      Key("link spacing", .duration, "as central, from the anchors of the link before; default drawn"),
      Key("channel selection 2", .boolean, "supports channel selection algorithm #2"),
      Key("adaptive hopping", .boolean, "as central, leaves data channels on which events fail; default yes"),
      Key("clock accuracy", .clock, "accuracy that it claims for its clock, 20 ppm to 500 ppm"),
      Key("connection interval", .duration, "asked for as central; a multiple of 1.25ms"),
      Key("peripheral latency", .integer(0, 499), "asked for as central"),
      Key("supervision timeout", .duration, "asked for as central; a multiple of 10ms"),
      Key("advertising interval", .duration, "with the app in the foreground; a multiple of 0.625ms"),
      Key("advertising kind", .word(advertisingKinds.map(\.name)), "default connectable; directed for 1.28s"),
      Key("advertising channels", .list(.integer(37, 39)), "default [37, 38, 39]"),
      Key("scan interval", .duration, "with the app in the foreground, and while connecting; a multiple of 0.625ms"),
      Key("scan window", .duration, "the part of it in which it listens; a multiple of 0.625ms"),
      Key("transmit power", .level, "-40 dBm to 20 dBm"),
      Key("sensitivity", .level, "weaker signals are not received; -120 dBm to -40 dBm"),
      Key("suspends after", .duration, "an app in the background gets no events from then on; default never"),
      Key("reclaims sockets", .boolean, "of an app that was suspended for a minute; default no"),
      Key("transmit current", .current, "while it sends; default 7.1 mA"),
      Key("receive current", .current, "while it listens; default 6.5 mA"),
      Key("sleep current", .current, "all other time; default 1.9 uA"),
    ])

  static let step = KeyTable(
    id: "step", title: "a step",
    keys: [
      Key("at", .duration, "at this time from the start"),
      Key("after", .duration, "this long after the step before; default 0s"),
      Key("when", .definition("condition"), "as soon as this holds"),
      Key("within", .duration, "how long “when” may take"),
      Key("spread", .table("spread"), "when each device does it; done when the last one has; default all at once"),
      Key("label", .text, "a name expectations can count from"),
    ], others: .definition("action"))

  static let meanwhile = KeyTable(
    id: "meanwhile", title: "an entry of “meanwhile”",
    keys: [Key("at", .duration, "at this time from the start, whatever the steps wait for", isRequired: true)],
    others: .definition("action"))

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
