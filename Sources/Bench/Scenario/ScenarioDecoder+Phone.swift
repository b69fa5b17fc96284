import BluetoothWire
import SimKernel
import VirtualRadio

extension ScenarioDecoder {
  /// A preset by name, or a preset with single values changed.
  func phone(_ tree: YAMLTree) -> PhonePreset? {
    if case .scalar = tree.value, !tree.isEmpty {
      return phonePreset(tree)
    }
    guard let fields = fields(tree, .phone) else { return nil }
    var phone = PhonePreset.ideal
    if let tree = fields["preset"] {
      guard let preset = phonePreset(tree) else { return nil }
      phone = preset
    }
    values(fields, into: &phone)
    features(fields, into: &phone)
    timing(fields, into: &phone)
    return phone
  }

  private func values(_ fields: Fields, into phone: inout PhonePreset) {
    if let value = whole("att mtu", fields, 23...517) {
      phone.att.serverMTU = value
      phone.att.clientMTU = value
    }
    if let value = whole("links", fields, 1...63) { phone.connection.linksAsPeripheral = value }
    if let value = whole("notification queue", fields, 1...10_000) { phone.buffers.notificationQueue = value }
    if let value = whole("write queue", fields, 1...10_000) { phone.buffers.writeCommandQueue = value }
    if let value = whole("acl buffers", fields, 1...1_000) { phone.buffers.aclCount = value }
    if let value = whole("acl octets", fields, 27...1_021) { phone.buffers.aclOctets = value }
    if let value = whole("data length", fields, 27...251) { phone.radio.maximumDataOctets = UInt16(value) }
    if let value = whole("packets per event", fields, 0...1_000) { phone.radio.packetsPerEvent = value }
    if let value = whole("hop increment", fields, 5...16) { phone.radio.hopIncrement = UInt8(value) }
    if let value = peripheralLatency(fields) { phone.connection.initial.peripheralLatency = value }
    if let tree = fields["transmit power"],
      let value = quantity(tree, "“transmit power”", .level, -4_000...2_000, "-40 dBm to 20 dBm")
    {
      phone.radio.transmitPower = Int(value)
    }
    if let tree = fields["sensitivity"],
      let value = quantity(tree, "“sensitivity”", .level, -12_000...(-4_000), "-120 dBm to -40 dBm")
    {
      phone.radio.sensitivity = Int(value)
    }
    if let value = current("transmit current", fields) { phone.radio.currents.transmit = value }
    if let value = current("receive current", fields) { phone.radio.currents.receive = value }
    if let value = current("sleep current", fields) { phone.radio.currents.sleep = value }
  }

  private func current(_ key: String, _ fields: Fields) -> Int64? {
    fields[key].flatMap { quantity($0, "“\(key)”", .current, 0...1_000_000_000, "0 mA to 1000 mA") }
  }

  private func features(_ fields: Fields, into phone: inout PhonePreset) {
    if let tree = fields["adaptive hopping"], let value = boolean(tree, "“adaptive hopping”") {
      phone.radio.adaptsChannels = value
    }
    if let tree = fields["exchanges att mtu"], let value = boolean(tree, "“exchanges att mtu”") {
      phone.att.exchangesAutomatically = value
      phone.att.appMayExchange = value && phone.att.appMayExchange
    }
    if let tree = fields["2m"], let value = boolean(tree, "“2m”") {
      phone.radio.supports2M = value
      phone.radio.prefers2M = value && phone.radio.prefers2M
    }
    if let tree = fields["prefers 2m"], let value = boolean(tree, "“prefers 2m”") {
      phone.radio.prefers2M = value
      if value, !phone.radio.supports2M { note(tree.location, "“prefers 2m” needs “2m: yes”; write that too") }
    }
    if let tree = fields["suspends after"], let value = duration(tree, "“suspends after”") {
      phone.background.suspendsAfter = value
    }
    if let tree = fields["reclaims sockets"], let value = boolean(tree, "“reclaims sockets”") {
      phone.background.reclaimsSockets = value
    }
    if let tree = fields["channel selection 2"], let value = boolean(tree, "“channel selection 2”") {
      phone.radio.supportsChannelSelection2 = value
    }
  }

  private func timing(_ fields: Fields, into phone: inout PhonePreset) {
    if let value = connectionInterval(fields) {
      phone.connection.initial.intervalMinimum = value
      phone.connection.initial.intervalMaximum = value
    }
    if let value = supervisionTimeout(fields) {
      phone.connection.initial.supervisionTimeout = value
    }
    if let value = units("advertising interval", fields, 625_000, 32...16_384, "20ms to 10.24s in steps of 0.625ms") {
      phone.advertising.interval = value
    }
    if let tree = fields["advertising kind"],
      let word = choice(tree, "advertising kind", from: KeyTable.advertisingKinds.map(\.name)),
      let kind = KeyTable.advertisingKinds.first(where: { $0.name == word })?.kind
    {
      phone.advertising.kind = kind
    }
    scanning(fields, into: &phone)
    anchors(fields, into: &phone)
    // Vol 6, Part B, 4.5.2: the timeout is more than (1 + latency) × interval × 2.
    let asked = phone.connection.initial
    let least = (1 + Int(asked.peripheralLatency)) * Int(asked.intervalMaximum) * 125 * 2
    if Int(asked.supervisionTimeout) * 1_000 <= least {
      let key = ["supervision timeout", "peripheral latency", "connection interval"].first { fields[$0] != nil }
      note(
        key.map(fields.keyLocation) ?? fields.location,
        "the supervision timeout must be more than (1 + latency) × interval × 2; write a longer one")
    }
  }

  /// Where connection events are, and how long they last.
  private func anchors(_ fields: Fields, into phone: inout PhonePreset) {
    if let tree = fields["event length"], let value = duration(tree, "“event length”", least: .microseconds(1)) {
      phone.radio.eventLength = value
    }
    let interval = SimDuration.microseconds(1_250) * Int64(phone.connection.initial.intervalMinimum)
    if let value = units("anchor offset", fields, 1_250_000, 0...3_200, "0ms to 4s in steps of 1.25ms") {
      phone.radio.anchorOffset = .microseconds(1_250) * Int64(value)
    }
    if let tree = fields["link spacing"], let value = duration(tree, "“link spacing”") {
      phone.radio.linkSpacing = value
    }
    for (key, value) in [("anchor offset", phone.radio.anchorOffset), ("link spacing", phone.radio.linkSpacing)] {
      if let value, let tree = fields[key], value > interval {
        note(tree.location, "“\(key)” is longer than the connection interval; write a shorter one")
      }
    }
  }

  /// Advertising channels, scan interval and window, and what the clock is claimed to be.
  private func scanning(_ fields: Fields, into phone: inout PhonePreset) {
    if let tree = fields["advertising channels"] { advertisingChannels(tree).map { phone.advertising.channels = $0 } }
    if let tree = fields["clock accuracy"],
      let value = quantity(tree, "“clock accuracy”", .clock, 20...500, "20 ppm to 500 ppm")
    {
      phone.radio.declaredClockPartsPerMillion = Int(value)
    }
    let limits = "2.5ms to 10.24s in steps of 0.625ms"
    let interval = units("scan interval", fields, 625_000, 4...16_384, limits)
    let window = units("scan window", fields, 625_000, 4...16_384, limits)
    for setup in [\PhonePreset.ScanningHabits.foreground, \.connecting] {
      if let interval { phone.scanning[keyPath: setup].interval = interval }
      if let window { phone.scanning[keyPath: setup].window = window }
      let both = phone.scanning[keyPath: setup]
      if let tree = fields["scan window"] ?? fields["scan interval"], both.window > both.interval {
        note(tree.location, "the scan window is longer than the scan interval; write both")
        return
      }
    }
  }

  private func advertisingChannels(_ tree: YAMLTree) -> UInt8? {
    guard case .sequence(let items) = tree.value, !items.isEmpty else {
      note(tree.location, "“advertising channels” is a list of 37, 38 and 39; write, for example, [37, 38]")
      return nil
    }
    var map: UInt8 = 0
    for item in items {
      guard let channel = integer(item, "an advertising channel", 37...39) else { return nil }
      map |= 1 << UInt8(channel - 37)
    }
    return map
  }

  private func whole(_ key: String, _ fields: Fields, _ limits: ClosedRange<Int>) -> Int? {
    fields[key].flatMap { integer($0, "“\(key)”", limits) }
  }

  /// Units of 1.25 ms (Vol 4, Part E, 7.8.18).
  func connectionInterval(_ fields: Fields) -> UInt16? {
    units("connection interval", fields, 1_250_000, 6...3_200, "7.5ms to 4s in steps of 1.25ms")
  }

  /// Units of 10 ms (Vol 4, Part E, 7.8.18).
  func supervisionTimeout(_ fields: Fields) -> UInt16? {
    units("supervision timeout", fields, 10_000_000, 10...3_200, "100ms to 32s in steps of 10ms")
  }

  /// Connection events (Vol 4, Part E, 7.8.18).
  func peripheralLatency(_ fields: Fields) -> UInt16? {
    whole("peripheral latency", fields, 0...499).map { UInt16($0) }
  }

  /// A duration in whole units; limits in units.
  private func units(
    _ key: String, _ fields: Fields, _ nanoseconds: Int64, _ limits: ClosedRange<Int64>, _ limitsText: String
  ) -> UInt16? {
    guard let tree = fields[key], let value = duration(tree, "“\(key)”") else { return nil }
    let count = value.nanoseconds / nanoseconds
    guard value.nanoseconds % nanoseconds == 0, limits.contains(count) else {
      note(tree.location, "“\(key)” cannot be that; write \(limitsText)")
      return nil
    }
    return UInt16(count)
  }
}
