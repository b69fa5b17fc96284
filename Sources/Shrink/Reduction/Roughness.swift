import Bench
import BluetoothWire
import SimKernel
import VirtualRadio

/// The one order of how rough a scenario is. A smaller scenario is rougher than the original in nothing: what fails
/// only in a world that is worse than the one somebody had says nothing about theirs.
///
/// Rougher are: more loss and noise, more and stronger interferers, smaller queues, buffers and ATT_MTUs, a shorter
/// supervision timeout, less power, more faults, shorter times between them, and people and apps that act more often.
/// The ideal phone is rougher than none. Networks are not compared: shrinking only leaves out parts of them, and lowers
/// loss and delay.
struct Roughness: Sendable {
  private let original: Scenario
  private let pauses: [Pause]

  init(_ original: Scenario, _ tree: YAMLTree) {
    self.original = original
    pauses = Pause.all(in: tree, of: original)
  }

  /// In what a scenario is rougher than the original, for people; nil: in nothing.
  func excess(of scenario: Scenario, _ tree: YAMLTree) -> String? {
    room(scenario.radio) ?? phones(scenario) ?? faults(scenario) ?? pauses(Pause.all(in: tree, of: scenario))
  }

  // MARK: Rooms

  private func room(_ room: RadioEnvironment) -> String? {
    let old = original.radio
    if room.captureThreshold > old.captureThreshold { return "capture threshold" }
    if room.isLevelDependent {
      let levels = [
        ("level dependent", !old.isLevelDependent), ("shadowing", room.shadowing > old.shadowing),
        ("noise floor", room.noiseFloor > old.noiseFloor), ("reference loss", room.referenceLoss > old.referenceLoss),
        ("path loss exponent", room.pathLossExponent > old.pathLossExponent),
      ]
      if let rougher = levels.first(where: \.1) { return rougher.0 }
    }
    if room.bitErrorRate.parts > old.bitErrorRate.parts { return "bit error rate" }
    if room.packetLoss.parts > old.packetLoss.parts, !room.isPlain || room.packetLoss.parts > old.leastLoss {
      return "packet loss"
    }
    for (channel, loss) in room.channelLoss.enumerated() {
      if loss.parts > (old.channelLoss.indices.contains(channel) ? old.channelLoss[channel].parts : 0) {
        return "channel loss"
      }
    }
    if let bursts = room.bursts, old.bursts.map({ bursts.isRougher(than: $0) }) ?? true { return "bursts" }
    if room.fading != nil, room.fading != old.fading { return "fading" }
    for interferer in room.interferers {
      let isKnown = old.interferers.contains { $0.name == interferer.name && !interferer.isRougher(than: $0) }
      if !isKnown { return "interferer \(interferer.name)" }
    }
    return nil
  }

  // MARK: Phones

  /// No phone has less of anything than the phone of some device of its role had.
  private func phones(_ scenario: Scenario) -> String? {
    for device in scenario.devices where device.phone != .ideal {
      let olds = original.devices.filter { $0.role == device.role && $0.app == device.app }.map(\.phone.means)
      for (index, mean) in device.phone.means.enumerated() {
        if let least = olds.map({ $0[index].amount }).min(), mean.amount < least {
          return "\(mean.name) of \(device.name)"
        }
      }
    }
    return nil
  }

  // MARK: Faults

  /// Whether steps say how long it is from one fault to the next.
  var hasSeveralFaults: Bool { Self.faultTimes(original).count > 1 }

  private func faults(_ scenario: Scenario) -> String? {
    let (old, new) = (Self.faultTimes(original), Self.faultTimes(scenario))
    if new.count > old.count { return "faults" }
    if let gap = Self.leastGap(new), gap < Self.leastGap(old) ?? .zero { return "time between faults" }
    return nil
  }

  /// When faults come at the earliest, by what the steps of a lobby say: waiting for a condition may take no time.
  private static func faultTimes(_ scenario: Scenario) -> [SimInstant] {
    var times: [SimInstant] = []
    var now = SimInstant.zero
    for step in scenario.steps where step.lobby == 0 {
      switch step.trigger {
      case .at(let instant): now = max(now, instant)
      case .after(let span): now = now + span
      case .when: break
      }
      let isFault = step.action.parts.contains { if case .fault = $0 { true } else { false } }
      if isFault { times.append(now) }
    }
    return times
  }

  static func leastGap(_ times: [SimInstant]) -> SimDuration? {
    zip(times, times.dropFirst()).map { $1 - $0 }.min()
  }

  // MARK: Pauses

  private func pauses(_ others: [Pause]) -> String? {
    others.first { pause in
      let olds = pauses.filter { $0.key == pause.key }
      return (0...1).contains { end in pause.ends[end] < olds.map { $0.ends[end] }.min() ?? 0 }
    }?.key
  }
}

/// A time between two things that somebody or something does again and again; shorter is rougher.
struct Pause: Hashable, Sendable {
  static let keys = ["heartbeat", "think", "stay", "away", "mean gap", "every"]

  var key: String
  /// Both ends of a range, or the same twice, nanoseconds.
  var ends: [Int64]

  private init?(_ key: String, _ text: String) {
    let ends = text.ranges(of: "..").first.map { [text[..<$0.lowerBound], text[$0.upperBound...]] } ?? [text[...]]
    let times = ends.compactMap { SimDuration(scenarioText: $0.trimmed)?.nanoseconds }
    guard times.count == ends.count, let first = times.first, let last = times.last else { return nil }
    self.key = key
    self.ends = [first, last]
  }

  /// All pauses of a tree: those that are written, and those that are meant where their mapping says nothing of them.
  static func all(in tree: YAMLTree, of scenario: Scenario) -> [Pause] {
    all(in: tree, usual: scenario.usualPauses)
  }

  private static func all(in tree: YAMLTree, usual: [Scenario.UsualPause]) -> [Pause] {
    tree.items.flatMap { all(in: $0, usual: usual) }
      + tree.entries.flatMap { entry -> [Pause] in
        if keys.contains(entry.key), let text = entry.value.scalar { return Pause(entry.key, text).map { [$0] } ?? [] }
        let meant = usual.filter { pause in
          pause.table == entry.key && entry.value.entry(pause.key) == nil && entry.value.scalar != "no"
        }
        return all(in: entry.value, usual: usual) + meant.compactMap { Pause($0.key, $0.text) }
      }
  }
}

extension Substring {
  fileprivate var trimmed: String { split(separator: " ").joined(separator: " ") }
}

extension Ratio {
  /// In a million.
  fileprivate var parts: UInt64 { numerator * 1_000_000 / denominator }
}

extension RadioEnvironment {
  /// Nothing but a loss that hits every PDU alike.
  fileprivate var isPlain: Bool {
    !isLevelDependent && bitErrorRate.isZero && bursts == nil && fading == nil && channelLoss.isEmpty
      && interferers.isEmpty
  }

  /// How many PDUs in a million are lost at least, by what hits every PDU and by bursts; what levels and interferers do
  /// comes on top.
  fileprivate var leastLoss: UInt64 {
    let burst = bursts.map { bursts in
      let (good, bad) = (UInt64(bursts.meanGood.nanoseconds) / 1_000, UInt64(bursts.meanBad.nanoseconds) / 1_000)
      return good + bad == 0 ? 0 : (good * bursts.lossInGood.parts + bad * bursts.lossInBad.parts) / (good + bad)
    }
    let whole: UInt64 = 1_000_000
    return whole - (whole - packetLoss.parts) * (whole - (burst ?? 0)) / whole
  }
}

extension RadioEnvironment.BurstLoss {
  fileprivate func isRougher(than other: Self) -> Bool {
    lossInGood.parts > other.lossInGood.parts || lossInBad.parts > other.lossInBad.parts || meanBad > other.meanBad
      || meanGood < other.meanGood
  }
}

extension RadioEnvironment.Interferer {
  fileprivate func isRougher(than other: Self) -> Bool {
    if power > other.power || spectrum != other.spectrum || position != other.position { return true }
    switch (activity, other.activity) {
    case (.carrierSense(let new, _), .carrierSense(let old, _)): return new > old
    case (.onOff(let on, let off), .onOff(let oldOn, let oldOff)): return on > oldOn || off < oldOff
    default: return activity != other.activity
    }
  }
}

extension PhonePreset {
  /// What a phone has of what makes life easy: more is kinder.
  fileprivate var means: [(name: String, amount: Int)] {
    [
      ("ATT_MTU", min(att.serverMTU, att.clientMTU)), ("notification queue", buffers.notificationQueue),
      ("write queue", buffers.writeCommandQueue), ("acl buffers", buffers.aclCount),
      ("acl octets", buffers.aclOctets), ("links", min(connection.linksAsPeripheral, connection.linksAsCentral)),
      ("supervision timeout", Int(connection.initial.supervisionTimeout)),
      ("data length", Int(radio.maximumDataOctets)),
      ("packets per event", radio.packetsPerEvent == 0 ? .max : radio.packetsPerEvent),
      ("transmit power", radio.transmitPower), ("sensitivity", -radio.sensitivity),
    ]
  }
}
