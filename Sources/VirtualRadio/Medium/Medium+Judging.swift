import BluetoothWire
import SimKernel

/// Something else on the air during a PDU, as its receiver hears it.
struct Disturbance {
  var start: SimInstant
  var end: SimInstant
  /// Hundredths of dBm.
  var level: Int
  var source: Source
  /// Another Bluetooth transmission: the capture rule applies.
  var isTransmission: Bool { if case .radio = source { true } else { false } }

  enum Source {
    case radio(Int)
    case interferer(Int)
  }
}

/// How a PDU arrives at a receiver.
extension Medium {
  /// Judges a PDU that ends now at a receiver that listened to all of it.
  ///
  /// Its time is cut where an interferer or another transmission begins or ends, and after the access address. Each
  /// segment has its own noise, and its bits survive by the signal-to-noise ratio there. Preamble and access address
  /// decide whether it is heard, the rest whether its CRC is right.
  func judge(
    from transmitter: Int, to receiver: Int, channel: Int, start: SimInstant, end: SimInstant, phy: LL.AirPHY
  ) -> Reception {
    judge(
      from: transmitter, to: receiver, withoutFading: level(from: transmitter, to: receiver), channel: channel,
      start: start, end: end, phy: phy)
  }

  /// The same where the level between the two radios is known, without what fading adds.
  func judge(
    from transmitter: Int, to receiver: Int, withoutFading base: Int, channel: Int, start: SimInstant, end: SimInstant,
    phy: LL.AirPHY
  ) -> Reception {
    judgements += 1
    let level = base + fade(transmitter, receiver, rfChannel: channel, at: start)
    if level < sensitivity(of: receiver, phy) { return lose(.level, .unheard) }
    guard let others = surveyTransmissions(transmitter, receiver, channel, start, end) else {
      collisions += 1
      return lose(.ownTransmission, .unheard)
    }
    if isLossless, others.count == 0 { return .received }
    return judge(
      level, from: transmitter, to: receiver, channel: channel, start: start, end: end, phy: phy, others: others)
  }

  /// Whether a PDU will arrive if both radios stay where they are and no other one sends meanwhile.
  /// - Precondition: `isForeseeable`.
  func foresees(
    from transmitter: Int, to receiver: Int, channel: Int, start: SimInstant, end: SimInstant, phy: LL.AirPHY
  ) -> Bool {
    let level =
      level(from: transmitter, to: receiver) + fade(transmitter, receiver, rfChannel: channel, at: start)
    if level < sensitivity(of: receiver, phy) { return false }
    return isLossless
      || judge(
        level, from: transmitter, to: receiver, channel: channel, start: start, end: end, phy: phy, others: Survey())
        == .received
  }

  private func judge(
    _ level: Int, from transmitter: Int, to receiver: Int, channel: Int, start: SimInstant, end: SimInstant,
    phy: LL.AirPHY, others: Survey
  ) -> Reception {
    let noise = environment.noiseFloor + (phy == .le2M ? 300 : 0)
    if !disturbances.isEmpty { disturbances.removeAll(keepingCapacity: true) }
    collectInterferers(receiver, channel, start, end, above: noise)
    let draws = draws(transmitter, receiver, start)
    let hasNoise = environment.isLevelDependent || !environment.interferers.isEmpty
    if !isClear(level, of: others, noise: hasNoise ? noise : nil) {
      if others.count > 0 { collectTransmissions(transmitter, receiver, channel, start, end) }
      let fate = judgeSegments(level, noise: hasNoise ? noise : nil, start, end, phy, draw: draws[0] >> 32)
      if fate != .received { return lose(.disturbance, fate) }
    }
    if !environment.bitErrorRate.isZero {
      let fate = judgeBits(start, end, phy, draw: draws[3] >> 32)
      if fate != .received { return lose(.chance, fate) }
    }
    if RandomField.happens(environment.packetLoss, by: draws[1]) { return lose(.chance, .corrupted) }
    // The half of the word that the segments have left over.
    if !environment.channelLoss.isEmpty, RandomField.happens(environment.channelLoss[channel], by: draws[0] << 32) {
      return lose(.chance, .corrupted)
    }
    if let burst = environment.bursts {
      let isBad = isBad(transmitter, receiver, burst, from: start, to: end)
      let loss = isBad ? burst.lossInBad : burst.lossInGood
      if RandomField.happens(loss, by: draws[2]) {
        return isBad ? lose(.burst, .unheard) : lose(.chance, .corrupted)
      }
    }
    return .received
  }

  /// Bit errors that have nothing to do with levels.
  private func judgeBits(_ start: SimInstant, _ end: SimInstant, _ phy: LL.AirPHY, draw: UInt64) -> Reception {
    let bits = Int(phy.bits(within: (end - start).nanoseconds))
    let heard = Int(phy.bits(within: LL.detectionTime(phy: phy)))
    if draw >= PacketError.success(bits: heard, errorRate: environment.bitErrorRate) { return .unheard }
    return draw < PacketError.success(bits: bits, errorRate: environment.bitErrorRate) ? .received : .corrupted
  }

  /// Other transmissions during a PDU, before anybody asks for their exact levels.
  private struct Survey {
    var count = 0
    /// No one of them is stronger at the receiver, hundredths of dBm.
    var bound = Int.min
  }

  /// What other radios sent meanwhile; nil when the receiver itself did.
  private func surveyTransmissions(
    _ transmitter: Int, _ receiver: Int, _ channel: Int, _ start: SimInstant, _ end: SimInstant
  ) -> Survey? {
    var survey = Survey()
    let log = onAir[channel]
    if log.count == 1 { return survey }
    for other in UnsafeBufferPointer(start: log.entries, count: log.count)
    where other.start < end && other.end > start && other.radio != transmitter {
      if other.radio == receiver { return nil }
      survey.count += 1
      survey.bound = max(survey.bound, greatestPassingLevel(from: other.radio, to: receiver))
    }
    return survey
  }

  /// Whether a PDU survives whatever goes on meanwhile, because it is strong enough for all of it at once. Sums of
  /// levels grow with each of them, so no segment can be worse than all of them as strong as the strongest.
  private func isClear(_ level: Int, of others: Survey, noise: Int?) -> Bool {
    let count = others.count + disturbances.count
    if count > 0 {
      if count > 8 { return false }
      var sum = others.bound
      for _ in 1..<max(others.count, 1) { sum = Decibel.sum(sum, others.bound) }
      if others.count > 0, level - sum < environment.captureThreshold { return false }
    }
    guard var sum = noise else { return true }
    if level - sum < PacketError.certain { return false }
    if count > 0 {
      let strongest = disturbances.reduce(others.bound) { max($0, $1.level) }
      for _ in 0..<count { sum = Decibel.sum(sum, strongest) }
    }
    return level - sum >= PacketError.certain
  }

  /// The levels of what other radios sent meanwhile.
  private func collectTransmissions(
    _ transmitter: Int, _ receiver: Int, _ channel: Int, _ start: SimInstant, _ end: SimInstant
  ) {
    let log = onAir[channel]
    for other in UnsafeBufferPointer(start: log.entries, count: log.count)
    where other.start < end && other.end > start && other.radio != transmitter {
      disturbances.append(
        Disturbance(
          start: other.start, end: other.end,
          level: passingLevel(from: other.radio, to: receiver) - other.cut
            + fade(other.radio, receiver, rfChannel: channel, at: other.start),
          source: .radio(other.radio)))
    }
  }

  /// When interferers were on that this receiver can tell from the noise: 20.5 dB below it they add nothing.
  private func collectInterferers(
    _ receiver: Int, _ channel: Int, _ start: SimInstant, _ end: SimInstant, above noise: Int
  ) {
    for index in interference.interferers.indices {
      guard let attenuation = interference.attenuation(index, onRFChannel: channel) else { continue }
      let level = level(ofInterferer: index, at: receiver) - attenuation
      if level + 2_050 <= noise { continue }
      interference.times(of: index, to: end).forEach(from: start, to: end) {
        disturbances.append(Disturbance(start: $0.start, end: $0.end, level: level, source: .interferer(index)))
      }
    }
  }

  /// - Parameters:
  ///   - noise: nil in rooms in which level decides nothing.
  ///   - draw: uniform in 0 ..< 2³²: the PDU survives a chance above it.
  private func judgeSegments(
    _ level: Int, noise: Int?, _ start: SimInstant, _ end: SimInstant, _ phy: LL.AirPHY, draw: UInt64
  ) -> Reception {
    let heard = start + .nanoseconds(LL.detectionTime(phy: phy))
    let block = start + .nanoseconds(LL.codedStart)
    // The strongest first, so that a sum does not depend on the order in which they were collected.
    disturbances.sort { $0.level > $1.level }
    setEdges(start, heard, block: phy == .codedS2 ? block : nil, end)
    var chance: UInt64 = 1 << 32
    var isHit = false
    var bits: Int64 = 0
    for index in 1..<edges.count {
      let (from, to) = (edges[index - 1], edges[index])
      if from == to { continue }
      let (others, sum) = sum(from: from, to: to, noise: noise)
      let coding = from < block ? phy.ofFirstBlock : phy
      if let others, level - others < environment.captureThreshold - CodingGain.capture(coding) {
        if !isHit { collisions += 1 }
        isHit = true
        if from < heard { return .unheard }
      }
      let before = bits
      bits = phy.bits(within: (to - start).nanoseconds)
      if let sum, bits > before {
        let ratio = level - sum + CodingGain.sensitivity(coding)
        let success = PacketError.success(bits: Int(bits - before), signalToNoise: ratio)
        if success < 1 << 32 { chance = (chance &* success) >> 32 }
      }
      if draw >= chance { return from < heard ? .unheard : .corrupted }
    }
    return isHit ? .corrupted : .received
  }

  /// Start, end of the access address, start of another block of the code, end, and each edge of a disturbance between,
  /// in order.
  private func setEdges(_ start: SimInstant, _ heard: SimInstant, block: SimInstant?, _ end: SimInstant) {
    edges.removeAll(keepingCapacity: true)
    edges.append(start)
    edges.append(heard)
    if let block { edges.append(block) }
    for disturbance in disturbances {
      if disturbance.start > start { edges.append(disturbance.start) }
      if disturbance.end < end { edges.append(disturbance.end) }
    }
    edges.append(end)
    if edges.count > 3 { edges.sort() }
    assert(edges.first == start && edges.last == end && heard <= end, "the segments cover the PDU")
  }

  /// The summed level of other transmissions in a segment, and of everything with the noise.
  private func sum(from: SimInstant, to: SimInstant, noise: Int?) -> (others: Int?, all: Int?) {
    var others: Int?
    var all = noise
    for disturbance in disturbances where disturbance.start < to && disturbance.end > from {
      if disturbance.isTransmission { others = others.map { Decibel.sum($0, disturbance.level) } ?? disturbance.level }
      all = all.map { Decibel.sum($0, disturbance.level) }
    }
    return (others, all)
  }
}
