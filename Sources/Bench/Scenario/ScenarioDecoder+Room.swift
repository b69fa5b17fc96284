import SimKernel
import VirtualRadio

/// The rooms a scenario can name.
struct RoomPreset {
  var name: String
  var environment: RadioEnvironment

  static let all = RadioEnvironment.presets.map { RoomPreset(name: $0.name, environment: $0.environment) }
  static let names = all.map(\.name)
}

extension ScenarioDecoder {
  func room(_ tree: YAMLTree, into scenario: inout Scenario) {
    if case .scalar = tree.value, !tree.isEmpty {
      preset(tree, into: &scenario)
      return
    }
    guard let fields = fields(tree, .room) else { return }
    if let tree = fields["preset"] { preset(tree, into: &scenario) }
    var room = scenario.radio
    let decibel: (YAMLTree, String) -> Int? = { tree, what in
      self.quantity(tree, what, .ratio, 0...20_000, "0 dB to 200 dB").map { Int($0) }
    }
    if let tree = fields["level dependent"], let value = boolean(tree, "“level dependent”") {
      room.isLevelDependent = value
    }
    if let tree = fields["reference loss"], let value = decibel(tree, "“reference loss”") { room.referenceLoss = value }
    if let tree = fields["path loss exponent"],
      let value = quantity(tree, "“path loss exponent”", .factor, 100...800, "1 to 8")
    {
      room.pathLossExponent = Int(value)
    }
    if let tree = fields["shadowing"], let value = decibel(tree, "“shadowing”") { room.shadowing = value }
    if let tree = fields["noise floor"],
      let value = quantity(tree, "“noise floor”", .level, -15_000...0, "-150 dBm to 0 dBm")
    {
      room.noiseFloor = Int(value)
    }
    if let tree = fields["packet loss"], let value = probability(tree, "“packet loss”") { room.packetLoss = value }
    if let tree = fields["bit error rate"], let value = probability(tree, "“bit error rate”") {
      room.bitErrorRate = value
    }
    if let tree = fields["capture threshold"], let value = decibel(tree, "“capture threshold”") {
      room.captureThreshold = value
    }
    if let tree = fields["channel loss"] { channelLoss(tree, into: &room) }
    if let tree = fields["fading"] { fading(tree, into: &room) }
    if let tree = fields["bursts"] { bursts(tree, into: &room) }
    if let tree = fields["interferers"], let items = items(tree, "“interferers”") {
      room.interferers = items.compactMap(interferer)
    }
    scenario.radio = room
  }

  private func preset(_ tree: YAMLTree, into scenario: inout Scenario) {
    if case .scalar(let text, _) = tree.value, Self.isReference(text) {
      guard let room = profileRoom(text, tree) else { return }
      scenario.radio = room
      scenario.radioPreset = shown(text)
      return
    }
    guard let name = choice(tree, "radio preset", from: RoomPreset.names),
      let preset = RoomPreset.all.first(where: { $0.name == name })
    else { return }
    scenario.radio = preset.environment
    scenario.radioPreset = name
  }

  private func bursts(_ tree: YAMLTree, into room: inout RadioEnvironment) {
    if case .scalar("none", _) = tree.value {
      room.bursts = nil
      return
    }
    guard let fields = fields(tree, .bursts) else { return }
    let least = SimDuration.microseconds(1)
    let good = required("good", fields, .bursts).flatMap { duration($0, "“good”", least: least) }
    let bad = required("bad", fields, .bursts).flatMap { duration($0, "“bad”", least: least) }
    var lossInGood = Ratio.never
    var lossInBad = Ratio.always
    if let tree = fields["loss in good"], let value = probability(tree, "“loss in good”") { lossInGood = value }
    if let tree = fields["loss in bad"], let value = probability(tree, "“loss in bad”") { lossInBad = value }
    guard let good, let bad else { return }
    room.bursts = RadioEnvironment.BurstLoss(
      meanGood: good, meanBad: bad, lossInGood: lossInGood, lossInBad: lossInBad)
  }

  private func interferer(_ tree: YAMLTree) -> RadioEnvironment.Interferer? {
    guard let fields = fields(tree, .interferer) else { return nil }
    let name = required("name", fields, .interferer).flatMap { text($0, "“name”") }
    let place = required("at", fields, .interferer).flatMap { position($0, "“at”") }
    var spectrum: RadioEnvironment.Interferer.Spectrum? = nil
    if let tree = fields["wifi channel"] {
      spectrum = integer(tree, "“wifi channel”", 1...13).map { .wifi($0) }
    } else if let tree = fields["rf channels"] {
      spectrum = integerRange(tree, "“rf channels”", 0...39).map { .flat($0) }
    } else {
      note(fields.location, "an interferer needs its channels; write “wifi channel: 6” or “rf channels: 12..22”")
    }
    var power = 700
    if let tree = fields["power"],
      let value = quantity(tree, "“power”", .level, -10_000...5_000, "-100 dBm to 50 dBm")
    {
      power = Int(value)
    }
    guard let activity = activity(fields), let name, let place, let spectrum else { return nil }
    return RadioEnvironment.Interferer(
      name: name, position: place, spectrum: spectrum, power: power, activity: activity)
  }

  /// When an interferer is on: `airtime` and `frame` of a station that senses the carrier, or `on` and `off`.
  private func activity(_ fields: Fields) -> RadioEnvironment.Interferer.Activity? {
    let length: (String, SimDuration) -> SimDuration? = { key, usual in
      guard let tree = fields[key] else { return usual }
      return self.duration(tree, "“\(key)”", least: .microseconds(1))
    }
    guard let tree = fields["airtime"] else {
      if fields["frame"] != nil {
        note(fields.keyLocation("frame"), "“frame” needs an “airtime”; write “airtime: 20%” beside it")
        return nil
      }
      guard let on = length("on", .milliseconds(2)), let off = length("off", .milliseconds(8)) else { return nil }
      return .onOff(meanOn: on, meanOff: off)
    }
    for key in ["on", "off"] where fields[key] != nil {
      note(
        fields.keyLocation(key),
        "“\(key)” is of an interferer without “airtime”; leave it out, or write “on” and “off”")
      return nil
    }
    guard let share = quantity(tree, "“airtime”", .permille, 1...999, "0.1% to 99.9%"),
      let frame = length("frame", .milliseconds(1))
    else { return nil }
    return .carrierSense(airtimePermille: Int(share), meanFrame: frame)
  }

  /// The value of a key that must be there.
  package func required(_ key: String, _ fields: Fields, _ table: KeyTable) -> YAMLTree? {
    if let tree = fields[key] { return tree }
    note(fields.location, "\(table.title) needs “\(key)”; write “\(key): …”")
    return nil
  }
}
