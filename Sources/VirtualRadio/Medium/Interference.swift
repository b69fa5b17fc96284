import SimKernel

/// The interferers of a room: when each is on, and how strong it is on an RF channel at a radio.
struct Interference {
  /// Where the times of an interferer come from.
  private enum Source {
    case sojourns(Int)
    case station(channel: Int, Int)
    case external(Int)
  }

  private(set) var interferers: [RadioEnvironment.Interferer]
  private var sources: [Source] = []
  private var sojourns: [Sojourns] = []
  private var channels: [SharedChannel] = []
  /// Times that come from elsewhere.
  private var reported: [SpanLog] = []
  /// How much weaker than its power an interferer is on an RF channel, hundredths of dB; negative: it is silent there.
  private var attenuations: [Int16] = []

  /// How often they were replaced: each time they have draws of their own.
  private var generation = 0

  init(_ interferers: [RadioEnvironment.Interferer], seed: UInt64) {
    self.interferers = interferers
    begin(seed: seed, at: .zero)
  }

  /// Others are there from an instant on; those whose times come from elsewhere keep them, in their order.
  mutating func replace(by others: [RadioEnvironment.Interferer], seed: UInt64, at now: SimInstant) {
    let known = reported
    (interferers, sources, sojourns, channels, reported, attenuations) = (others, [], [], [], [], [])
    generation += 1
    begin(seed: seed, at: now)
    assert(reported.count == known.count, "interferers whose times come from elsewhere stay")
    reported = known
  }

  private mutating func begin(seed: UInt64, at now: SimInstant) {
    let groups = Self.groups(interferers)
    var channelOfGroup = [Int?](repeating: nil, count: interferers.count)
    for (index, interferer) in interferers.enumerated() {
      let purpose = generation == 0 ? "interferer" : "interferer \(generation)"
      let stream = RandomStream(seed: seed, component: interferer.name, purpose: purpose)
      for channel in 0..<40 {
        attenuations.append(interferer.spectrum.attenuation(onRFChannel: channel).map { Int16($0) } ?? -1)
      }
      switch interferer.activity {
      case .onOff(let on, let off):
        sources.append(.sojourns(sojourns.count))
        sojourns.append(Sojourns(meanOff: off, meanOn: on, stream: stream, from: now))
      case .carrierSense(let airtime, let frame):
        let channel = channelOfGroup[groups[index]] ?? channels.count
        if channel == channels.count { channels.append(SharedChannel()) }
        channelOfGroup[groups[index]] = channel
        sources.append(.station(channel: channel, channels[channel].stations.count))
        channels[channel].join(
          SharedChannel.Station(airtimePermille: airtime, meanFrame: frame, stream: stream, from: now))
      case .external:
        sources.append(.external(reported.count))
        reported.append(SpanLog())
      }
    }
  }

  /// A number for each interferer: those that sense each other's carrier, directly or through others, have the same.
  private static func groups(_ interferers: [RadioEnvironment.Interferer]) -> [Int] {
    var groups = Array(interferers.indices)
    for (a, one) in interferers.enumerated() where one.sensesCarrier {
      for (b, other) in interferers[..<a].enumerated()
      where other.sensesCarrier && one.spectrum.occupied.overlaps(other.spectrum.occupied) && groups[a] != groups[b] {
        let (kept, replaced) = (min(groups[a], groups[b]), max(groups[a], groups[b]))
        groups = groups.map { $0 == replaced ? kept : $0 }
      }
    }
    return groups
  }

  /// nil: it is silent on this RF channel.
  func attenuation(_ index: Int, onRFChannel channel: Int) -> Int? {
    let value = attenuations[index * 40 + channel]
    return value < 0 ? nil : Int(value)
  }

  /// When an interferer is on, complete up to `end`.
  mutating func times(of index: Int, to end: SimInstant) -> SpanLog {
    switch sources[index] {
    case .sojourns(let place):
      sojourns[place].extend(to: end)
      return sojourns[place].log
    case .station(let channel, let place):
      channels[channel].extend(to: end)
      return channels[channel].stations[place].log
    case .external(let place): return reported[place]
    }
  }

  /// An interferer whose times come from elsewhere is on. PDUs are judged at their ends, so it is enough that this is
  /// said at the start.
  /// - Precondition: `start` is not before the end of its last span.
  mutating func note(_ index: Int, from start: SimInstant, to end: SimInstant) {
    guard case .external(let place) = sources[index] else {
      preconditionFailure("interferer \(index) keeps its own times")
    }
    reported[place].append(SpanLog.Span(start: start, end: end))
  }
}
