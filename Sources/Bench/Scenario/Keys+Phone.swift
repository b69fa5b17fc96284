import BluetoothWire
import SimKernel
package import VirtualRadio

extension Keys {
  package static let phone = KeyedMapping("phone", "“phone”", of: PhonePreset.ideal) { phone, keys in
    keys("preset", .either([.word(KeyTable.phoneNames), .profile]), "what the other keys change; default ideal")
    controller(&phone, keys)
    stack(&phone, keys)
    radio(&phone.radio, keys)
    links(&phone, keys)
    advertising(&phone.advertising, keys)
    scanning(&phone.scanning, keys)
    keys("transmit power", &phone.radio.transmitPower, .level(-4_000...2_000), "-40 dBm to 20 dBm")
    keys(
      "sensitivity", &phone.radio.sensitivity, .level(-12_000...(-4_000)),
      "weaker signals are not received; -120 dBm to -40 dBm")
    background(&phone.background, keys)
    keys("transmit current", &phone.radio.currents.transmit, .current, "while it sends; default 7.1 mA")
    keys("receive current", &phone.radio.currents.receive, .current, "while it listens; default 6.5 mA")
    keys("sleep current", &phone.radio.currents.sleep, .current, "all other time; default 1.9 uA")
  }

  private static func controller(_ phone: inout PhonePreset, _ keys: KeyVisitor) {
    keys(
      "controller", .word(KeyTable.controllerNames, "controller"),
      "a real one, with its version, commands, features, buffers and lists, as a host reads them; default the bench's",
      value: phone.radio.controller?.name
    ) { name in
      if let model = ControllerModel.named(name) { phone.take(model) }
    }
  }

  private static func background(_ habits: inout PhonePreset.BackgroundHabits, _ keys: KeyVisitor) {
    keys(
      "background advertising", &habits.advertising, .word("background advertising"),
      "of an app in the background; default the preset's")
    keys(
      "background scanning", &habits.scanning, .word("background scanning"),
      "of an app in the background; default the preset's")
    keys(
      "suspends after", &habits.suspendsAfter, .duration(),
      "an app in the background gets no events from then on; default never")
    keys(
      "woken by bluetooth", &habits.isWokenByBluetooth, .boolean,
      "a suspended app gets events of Bluetooth, and runs for a while then; default yes")
    keys(
      "wakes every", &habits.wakesEvery, .duration(least: .seconds(1)),
      "a suspended app runs for a while each time; default never")
    keys(
      "wakes for", &habits.wakesFor, .duration(least: .milliseconds(1)),
      "how long Bluetooth, or the clock, keeps a suspended app running; default 10s")
    keys(
      "screen off after", &habits.screenOffAfter, .duration(least: .seconds(1)),
      "without anything that its person does; default never")
    keys(
      "dozes after", &habits.dozesAfter, .duration(),
      "with the screen off; the app is suspended, and runs for 60 s after 5, 10, 15, 15 min …; default never")
    keys("ends app after", &habits.endsAfter, .duration(), "in the background, by the system; default never")
    keys(
      "reclaims sockets", &habits.reclaimsSockets, .boolean,
      "of an app that was suspended for a minute; default no")
  }

  private static func stack(_ phone: inout PhonePreset, _ keys: KeyVisitor) {
    keys(
      "att mtu", .whole(23...517), "largest ATT_MTU, in both roles",
      value: phone.att.serverMTU == phone.att.clientMTU ? phone.att.serverMTU : nil
    ) {
      phone.att.serverMTU = $0
      phone.att.clientMTU = $0
    }
    // “no” takes it from the app too, which a preset need not do.
    let att = phone.att
    let exchanges = att.exchangesAutomatically || !att.appMayExchange ? att.exchangesAutomatically : nil
    keys("exchanges att mtu", .boolean, "as central, on its own", value: exchanges) {
      phone.att.exchangesAutomatically = $0
      phone.att.appMayExchange = $0 && phone.att.appMayExchange
    }
    keys("keeps services", &phone.att.keepsServices, .boolean, "of its app while Bluetooth is off")
    keys(
      "caches services", &phone.att.cachesServices, .word("caches services"),
      "as central, of which peers it keeps them from one link to the next")
    keys(
      "service changed", &phone.att.tellsServiceChanges, .boolean,
      "its server tells clients when its services have changed; default yes")
    bonds(&phone.pairing, keys)
    keys(
      "lost bond", &phone.lostBond, .word("lost bond"),
      "as central, what it does when a peer has lost their bond; android-7: pairs again, others: ends link")
    keys(
      "one operation at a time", &phone.att.oneOperationAtATime, .boolean,
      "of its app on a link, others are refused; default no")
    keys(
      "att timeout ends link", &phone.att.timeoutEndsLink, .boolean, "after 30 s without an answer")
    keys("links", &phone.connection.linksAsPeripheral, .whole(1...63), "as peripheral, at once")
    keys("links as central", &phone.connection.linksAsCentral, .whole(1...63), "at once")
    keys("links in all", .whole(1...126), "at once, in both roles together", value: phone.connection.linksInAll) {
      phone.connection.linksInAll = $0
    }
    keys(
      "notification queue", &phone.buffers.notificationQueue, .whole(1...10_000), "values accepted before “not sent”")
    keys(
      "write queue", &phone.buffers.writeCommandQueue, .whole(1...10_000), "write commands accepted before “not sent”")
    keys("acl buffers", &phone.buffers.aclCount, .whole(1...1_000), "of the controller, for all links")
    keys("acl octets", &phone.buffers.aclOctets, .whole(27...1_021), "of one such buffer")
  }

  private static func bonds(_ habits: inout PhonePreset.PairingHabits?, _ keys: KeyVisitor) {
    keys(
      "bonds", .boolean,
      "as central, pairs with the peers of its app and encrypts its links; as peripheral, takes part",
      value: habits?.pairsLinks
    ) { isOn in
      if isOn, habits == nil { habits = PhonePreset.PairingHabits() }
      habits?.pairsLinks = isOn
    }
    keys(
      "bond limit", .whole(1...64), "bonds that it keeps, a further one replaces the oldest; default 64",
      value: habits?.security.bondLimit
    ) { limit in
      guard habits != nil else { return keys.note("bond limit", "“bond limit” needs “bonds: yes”; write that too") }
      habits?.security.bondLimit = limit
    }
  }

  private static func radio(_ radio: inout PhonePreset.Radio, _ keys: KeyVisitor) {
    keys(
      "data length", &radio.maximumDataOctets, .whole(27...251),
      "largest LL payload; 27 is no data length extension")
    keys("2m", .boolean, "supports LE 2M", value: radio.supports2M) {
      radio.supports2M = $0
      radio.prefers2M = $0 && radio.prefers2M
    }
    keys("prefers 2m", &radio.prefers2M, .boolean, "as central, moves a link to LE 2M on its own")
    if radio.prefers2M, !radio.supports2M { keys.note("prefers 2m", "“prefers 2m” needs “2m: yes”; write that too") }
    coded(&radio, keys)
    keys(
      "packets per event", &radio.packetsPerEvent, .whole(0...1_000),
      "exchanges after which it ends a connection event; 0: as fit")
    keys(
      "event length", &radio.eventLength, .duration(least: .microseconds(1)),
      "the longest connection event; default as long as there is room")
    keys(
      "hop increment", &radio.hopIncrement, .whole(5...16),
      "as central, of channel selection algorithm #1; default drawn")
    let unit = SimDuration.microseconds(1_250)
    keys(
      "anchor offset", .units(of: 1_250, 0...3_200),
      "as central, of a link's first anchor; a multiple of 1.25ms; default drawn",
      value: radio.anchorOffset.map { $0.nanoseconds / unit.nanoseconds }
    ) { radio.anchorOffset = unit * $0 }
    keys(
      "link spacing", &radio.linkSpacing, .duration(), "as central, from the anchors of the link before; default drawn")
    keys(
      "link scheduling", &radio.linkScheduling, .word("link scheduling"),
      "which event takes place where those of two of its links overlap: in turns, the one that begins first, or that of "
        + "the oldest link; default turns")
    keys(
      "subrating", &radio.supportsSubrating, .boolean,
      "its controller has connection subrating; default for an external host only")
    keys(
      "sync transfer", &radio.supportsSyncTransfer, .boolean,
      "its controller tells peers of periodic advertising; default for an external host only")
    keys(
      "periodic responses", &radio.supportsPeriodicResponses, .boolean,
      "its controller has periodic advertising with responses, and sync transfer; default for an external host only")
    upkeep(&radio, keys)
    keys("channel selection 2", &radio.supportsChannelSelection2, .boolean, "supports channel selection algorithm #2")
    keys(
      "adaptive hopping", &radio.adaptsChannels, .boolean,
      "as central, leaves data channels on which events fail; default yes")
    keys(
      "zephyr commands", &radio.hasZephyrCommands, .boolean,
      "for an external host, its controller has the vendor commands of Zephyr; default no")
    keys(
      "clock accuracy", &radio.declaredClockPartsPerMillion, .quantity(.clock, .clock, 20...500),
      "accuracy that it claims for its clock, 20 ppm to 500 ppm")
  }

  /// Features of the link layer of which an external host asks, or which work on their own.
  private static func upkeep(_ radio: inout PhonePreset.Radio, _ keys: KeyVisitor) {
    keys(
      "clock accuracy updates", &radio.supportsClockUpdates, .boolean,
      "its controller tells peers how accurate its clock is; default for an external host only")
    keys(
      "power control", &radio.supportsPowerControl, .boolean,
      "its controller has LE Power Control and path loss monitoring; default for an external host only")
    keys(
      "wanted level", &radio.wantedLevel, .level(-10_000...0),
      "with power control, the level at which it wants to receive its peers, in dBm; default it does not mind")
    if radio.wantedLevel != nil, radio.supportsPowerControl != true {
      keys.note("wanted level", "“wanted level” needs “power control: yes”; write that too")
    }
    keys(
      "isochronous streams", &radio.supportsStreams, .boolean,
      "its controller has connected isochronous streams; default for an external host only")
    keys(
      "channel reports", &radio.supportsChannelReports, .boolean,
      "as peripheral it reports bad channels, and as central it goes by reports; default for an external host only")
    keys(
      "minimum used channels", &radio.minimumUsedChannels, .whole(2...37),
      "as peripheral it needs that many data channels, and as central it goes by such needs; default 2 for an external "
        + "host, none for others")
  }

  private static func coded(_ radio: inout PhonePreset.Radio, _ keys: KeyVisitor) {
    keys("coded", .boolean, "supports LE Coded; default no", value: radio.supportsCoded) {
      radio.supportsCoded = $0
      radio.preferredCoding = $0 ? radio.preferredCoding : nil
    }
    keys(
      "prefers coded", .word(["s2", "s8"], "prefers coded"),
      "as central, moves a link to LE Coded on its own; it sends there with two or eight symbols a bit; default no",
      value: radio.preferredCoding.map { $0 == .s2 ? "s2" : "s8" }
    ) { radio.preferredCoding = $0 == "s2" ? .s2 : .s8 }
    guard radio.preferredCoding != nil else { return }
    if !radio.supportsCoded { keys.note("prefers coded", "“prefers coded” needs “coded: yes”; write that too") }
    if radio.prefers2M { keys.note("prefers coded", "“prefers coded” needs “prefers 2m: no”; write that too") }
  }

  private static func links(_ phone: inout PhonePreset, _ keys: KeyVisitor) {
    let asked = phone.connection.initial
    keys(
      "connection interval", .connectionInterval, "asked for as central; a multiple of 1.25ms",
      value: asked.intervalMinimum == asked.intervalMaximum ? asked.intervalMinimum : nil
    ) {
      phone.connection.initial.intervalMinimum = $0
      phone.connection.initial.intervalMaximum = $0
    }
    keys("peripheral latency", &phone.connection.initial.peripheralLatency, .peripheralLatency, "asked for as central")
    keys(
      "supervision timeout", &phone.connection.initial.supervisionTimeout, .supervisionTimeout,
      "asked for as central; a multiple of 10ms")
    keys(
      "requests after", &phone.connection.requestsAfter, .duration(),
      "as central, from when a link is up to the first ATT request; default 0s")
    keys(
      "discovery interval", &phone.connection.discoveryInterval, .connectionInterval,
      "as central, of a link while something is discovered; a multiple of 1.25ms; default the link's own")
    check(phone.connection.initial, phone.radio, keys)
  }

  private static func check(_ asked: HCI.ConnectionParameters, _ radio: PhonePreset.Radio, _ keys: KeyVisitor) {
    let interval = SimDuration.microseconds(1_250) * Int64(asked.intervalMinimum)
    for (key, value) in [("anchor offset", radio.anchorOffset), ("link spacing", radio.linkSpacing)] {
      if let value, value > interval {
        keys.note(key, "“\(key)” is longer than the connection interval; write a shorter one")
      }
    }
    // Vol 6, Part B, 4.5.2: the timeout is more than (1 + latency) × interval × 2.
    let least = (1 + Int(asked.peripheralLatency)) * Int(asked.intervalMaximum) * 125 * 2
    if Int(asked.supervisionTimeout) * 1_000 <= least {
      keys.noteMapping(
        "the supervision timeout must be more than (1 + latency) × interval × 2; write a longer one",
        firstOf: ["supervision timeout", "peripheral latency", "connection interval"])
    }
  }

  private static func advertising(_ habits: inout PhonePreset.AdvertisingHabits, _ keys: KeyVisitor) {
    keys(
      "advertising interval", &habits.interval, .units(of: 625, 32...16_384),
      "with the app in the foreground; a multiple of 0.625ms")
    let kinds = KeyTable.advertisingKinds
    keys(
      "advertising kind", .word(kinds.map(\.name), "advertising kind"), "default connectable; directed for 1.28s",
      value: kinds.first { $0.kind == habits.kind }?.name
    ) { word in
      if let kind = kinds.first(where: { $0.name == word })?.kind { habits.kind = kind }
    }
    keys(
      "rotates address", &habits.rotatesAddress, ValueForm.duration(least: .seconds(1)).orNone,
      "to another resolvable private address, every so often at most, or none; phones do so every 15min")
    keys(
      "extended advertising", &habits.isExtended, .boolean,
      "it uses the extended commands, and its apps have extended PDUs; default no", usual: false)
    keys("advertising channels", &habits.channels, .advertisingChannels, "default [37, 38, 39]")
  }

  private static func scanning(_ habits: inout PhonePreset.ScanningHabits, _ keys: KeyVisitor) {
    keys(
      "scan starts", &habits.startsPerHalfMinute, .whole(1...1_000),
      "that an app has within 30 s, a further scan finds nothing; default without limit")
    let (first, second) = (habits.foreground, habits.connecting)
    keys(
      "scan interval", .units(of: 625, 4...16_384),
      "with the app in the foreground, and while connecting; a multiple of 0.625ms",
      value: first.interval == second.interval ? first.interval : nil
    ) {
      habits.foreground.interval = $0
      habits.connecting.interval = $0
    }
    keys(
      "scan window", .units(of: 625, 4...16_384), "the part of it in which it listens; a multiple of 0.625ms",
      value: first.window == second.window ? first.window : nil
    ) {
      habits.foreground.window = $0
      habits.connecting.window = $0
    }
    if [habits.foreground, habits.connecting].contains(where: { $0.window > $0.interval }) {
      keys.note(
        keys.has("scan window") ? "scan window" : "scan interval",
        "the scan window is longer than the scan interval; write both")
    }
  }
}

extension ValueForm where Value == UInt8 {
  /// Bits 0, 1, 2: channel indices 37, 38, 39.
  fileprivate static var advertisingChannels: Self {
    Self(.list(.integer(37, 39)), { map in .list((0..<3).filter { map >> $0 & 1 == 1 }.map { .scalar(37 + $0) }) }) {
      decoder, tree, _ in
      guard case .sequence(let items) = tree.value, !items.isEmpty else {
        return decoder.refuse(
          tree.location, "“advertising channels” is a list of 37, 38 and 39; write, for example, [37, 38]")
      }
      var map: UInt8 = 0
      for item in items {
        guard let channel = decoder.integer(item, "an advertising channel", 37...39) else { return nil }
        map |= 1 << UInt8(channel - 37)
      }
      return map
    }
  }
}
