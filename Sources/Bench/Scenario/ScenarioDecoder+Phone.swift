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
    if let value = whole("peripheral latency", fields, 0...499) {
      phone.connection.initial.peripheralLatency = UInt16(value)
    }
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
  }

  private func features(_ fields: Fields, into phone: inout PhonePreset) {
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
    if let tree = fields["channel selection 2"], let value = boolean(tree, "“channel selection 2”") {
      phone.radio.supportsChannelSelection2 = value
    }
  }

  private func timing(_ fields: Fields, into phone: inout PhonePreset) {
    if let value = units("connection interval", fields, 1_250_000, 6...3_200, "7.5ms to 4s in steps of 1.25ms") {
      phone.connection.initial.intervalMinimum = value
      phone.connection.initial.intervalMaximum = value
    }
    if let value = units("supervision timeout", fields, 10_000_000, 10...3_200, "100ms to 32s in steps of 10ms") {
      phone.connection.initial.supervisionTimeout = value
    }
    if let value = units("advertising interval", fields, 625_000, 32...16_384, "20ms to 10.24s in steps of 0.625ms") {
      phone.advertising.interval = value
    }
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

  private func whole(_ key: String, _ fields: Fields, _ limits: ClosedRange<Int>) -> Int? {
    fields[key].flatMap { integer($0, "“\(key)”", limits) }
  }

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
