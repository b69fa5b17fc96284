import BluetoothWire
import SimKernel
package import VirtualRadio

/// The mappings of scenario files, each key declared once.
package enum Keys {
  static let limits = KeyedMapping("limits", "“limits”", of: Scenario.Limits()) { limits, keys in
    keys("simulated time", &limits.simulatedTime, .duration(least: .nanoseconds(1)), "default 10min")
    keys("events", &limits.events, .whole(1...1_000_000_000_000), "events of the queue; default 50000000")
  }

  package static let room = KeyedMapping("room", "“radio”", of: RadioEnvironment.ideal) { room, keys in
    keys("preset", .either([.word(roomNames), .profile]), "what the other keys change; default ideal")
    keys("level dependent", &room.isLevelDependent, .boolean, "no: distance does not matter")
    keys("reference loss", &room.referenceLoss, .decibel(0...20_000), "path loss at one metre")
    keys(
      "path loss exponent", &room.pathLossExponent, .factor(100...800),
      "2 is free space, 2.5 to 3.3 are furnished rooms")
    keys("shadowing", &room.shadowing, .decibel(0...20_000), "largest extra loss of a pair of devices, drawn per pair")
    keys("noise floor", &room.noiseFloor, .level(-15_000...0), "noise over 1 MHz")
    keys("packet loss", &room.packetLoss, .probability, "hits every PDU alike")
    keys("bit error rate", &room.bitErrorRate, .probability, "hits every bit alike, so long PDUs more often")
    keys(
      "capture threshold", &room.captureThreshold, .decibel(0...20_000),
      "how much stronger a PDU must be to survive a collision")
    keys(
      "channel loss", &room.channelLoss, .channelLosses,
      "by channel index, 0..36 or 37 to 39: hits every PDU there alike")
    keys("fading", &room.fading, fading.form.orNone, "levels that change from block to block of time")
    keys("bursts", &room.bursts, bursts.form.orNone, "times at which much is lost")
    keys("interferers", &room.interferers, .list(interferer.form), "transmitters that are not Bluetooth")
  }

  /// `radio` of a step.
  static let roomChange = KeyedMapping(
    "radioChange", "“radio” of a step", of: RadioEnvironment.Change()
  ) { change, keys in
    keys("packet loss", &change.packetLoss, .probability, "hits every PDU alike")
    keys("bit error rate", &change.bitErrorRate, .probability, "hits every bit alike")
    keys("channel loss", &change.channelLoss, .channelLosses, "by channel index; {} for none")
    keys(
      "interferers", &change.interferers, .list(interferer.form), "in place of those that were there; [] for none")
  }

  static let roomNames = RadioEnvironment.presets.map(\.name)
  package static let fadingKinds = ["rayleigh", "rician", "log-normal"]

  static let fading = KeyedMapping(
    "fading", "“fading”", of: RadioEnvironment.Fading(kind: .rayleigh, coherence: .zero)
  ) { fading, keys in
    var word: String?
    keys(
      "kind", .word(fadingKinds, "kind of fading"), "how levels are distributed", .required, value: fading.kind.word
    ) { word = $0 }
    func own(_ key: String, of kind: String) -> KeyVisitor.Presence {
      if word == kind { return .needed }
      return word == nil ? .ignored : .refused("“\(key)” is of \(kind) fading; leave it out, or write “kind: \(kind)”")
    }
    keys("coherence time", &fading.coherence, .duration(least: .microseconds(1)), "how long a level holds", .required)
    keys(
      "k factor", .factor(0...10_000), "rician: power of the path that stands out over that of the others; 0 to 100",
      own("k factor", of: "rician"), value: fading.kind.factor
    ) { fading.kind = .rician(factor: $0) }
    keys(
      "deviation", .decibel(0...2_000), "log-normal: standard deviation; at most 20 dB",
      own("deviation", of: "log-normal"), value: fading.kind.deviation
    ) { fading.kind = .logNormal(deviation: $0) }
  }

  static let bursts = KeyedMapping(
    "bursts", "“bursts”",
    of: RadioEnvironment.BurstLoss(meanGood: .zero, meanBad: .zero, lossInGood: .never, lossInBad: .always)
  ) { bursts, keys in
    let length = ValueForm.duration(least: .microseconds(1))
    keys("good", &bursts.meanGood, length, "mean length of a good time", .required)
    keys("bad", &bursts.meanBad, length, "mean length of a bad time", .required)
    keys("loss in good", &bursts.lossInGood, .probability, "default 0%", usual: .never)
    keys("loss in bad", &bursts.lossInBad, .probability, "default 100%")
  }

  private typealias Interferer = RadioEnvironment.Interferer

  static let interferer = KeyedMapping(
    "interferer", "an interferer",
    of: RadioEnvironment.Interferer(
      name: "", position: Position(x: 0, y: 0), spectrum: .wifi(1), power: 700,
      activity: .onOff(meanOn: .milliseconds(2), meanOff: .milliseconds(8)))
  ) { interferer, keys in
    keys("name", &interferer.name, .text, "for the trace", .required)
    keys("at", &interferer.position, .point, "where it stands", .required)
    spectrum(&interferer.spectrum, keys)
    keys("power", &interferer.power, .level(-10_000...5_000), "within 1 MHz; default 7 dBm (20 dBm over 20 MHz)")
    activity(&interferer.activity, keys)
  }

  private static func spectrum(_ spectrum: inout Interferer.Spectrum, _ keys: KeyVisitor) {
    var channel: Int?
    var channels: ClosedRange<Int>?
    switch spectrum {
    case .wifi(let number): channel = number
    case .flat(let range): channels = range
    }
    keys("wifi channel", .whole(1...13), "20 MHz, with the spectrum mask of OFDM", value: channel) {
      spectrum = .wifi($0)
    }
    keys(
      "rf channels", .range(0...39), "or these alone, within 0..39: 2402 + 2 k MHz",
      keys.has("wifi channel") ? .ignored : .optional, value: channels
    ) { spectrum = .flat($0) }
    if !keys.has("wifi channel"), !keys.has("rf channels") {
      keys.noteMapping("an interferer needs its channels; write “wifi channel: 6” or “rf channels: 12..22”")
    }
  }

  /// When an interferer is on: `airtime` and `frame` of a station that senses the carrier, or `on` and `off`.
  private static func activity(_ activity: inout Interferer.Activity, _ keys: KeyVisitor) {
    var (airtime, frame, on, off) = (Int?.none, SimDuration?.none, SimDuration?.none, SimDuration?.none)
    switch activity {
    case .carrierSense(let share, let length): (airtime, frame) = (share, length)
    case .onOff(let present, let absent): (on, off) = (present, absent)
    // A world adds these to its own copy of the room; no scenario has any.
    case .external: break
    }
    let senses = keys.has("airtime")
    func pause(_ key: String) -> KeyVisitor.Presence {
      if !senses { return keys.has("frame") ? .ignored : .optional }
      if key == "off", keys.has("on") { return .ignored }
      return .refused("“\(key)” is of an interferer without “airtime”; leave it out, or write “on” and “off”")
    }
    let isSensible: KeyVisitor.Presence = senses && (keys.has("on") || keys.has("off")) ? .ignored : .optional
    let length = ValueForm.duration(least: .microseconds(1))
    keys(
      "airtime", &airtime, .share(1...999),
      "of a station that senses the carrier: its share of the time when alone", isSensible)
    keys(
      "frame", &frame, length, "with airtime: mean length of a frame; default 1ms",
      senses ? isSensible : .refused("“frame” needs an “airtime”; write “airtime: 20%” beside it"))
    keys("on", &on, length, "without airtime: mean length of a transmission; default 2ms", pause("on"))
    keys("off", &off, length, "without airtime: mean length of a pause; default 8ms", pause("off"))
    activity =
      airtime.map { .carrierSense(airtimePermille: $0, meanFrame: frame ?? .milliseconds(1)) }
      ?? .onOff(meanOn: on ?? .milliseconds(2), meanOff: off ?? .milliseconds(8))
  }
}

extension RadioEnvironment.Fading.Kind {
  fileprivate var word: String { factor != nil ? "rician" : deviation != nil ? "log-normal" : "rayleigh" }
  fileprivate var factor: Int? { if case .rician(let factor) = self { factor } else { nil } }
  fileprivate var deviation: Int? { if case .logNormal(let deviation) = self { deviation } else { nil } }
}

extension ValueForm where Value == [Ratio] {
  /// By RF channel, and written by channel index.
  fileprivate static var channelLosses: Self {
    Self(.mapping(of: .loss), text) { decoder, tree, _ in decoder.channelLosses(tree) }
  }

  private static func text(_ losses: Value) -> YAMLTree {
    var entries: [(channels: ClosedRange<Int>, loss: Ratio)] = []
    for (channel, place) in ScenarioDecoder.rfChannels.enumerated() where !losses.isEmpty {
      if let last = entries.last, last.loss == losses[place] {
        entries[entries.count - 1].channels = last.channels.lowerBound...channel
      } else {
        entries.append((channel...channel, losses[place]))
      }
    }
    if entries.count > 1 { entries.removeAll(where: \.loss.isZero) }
    return .map(
      entries.map { entry in
        let (first, last) = (entry.channels.lowerBound, entry.channels.upperBound)
        return (first == last ? "\(first)" : "\(first)..\(last)", ValueForm<Ratio>.probability.write(entry.loss))
      })
  }
}
