import BluetoothWire
import SimKernel
import VirtualRadio

/// When links end, what clocks do to them, and which channels they use.
extension RadioLaw {
  static let supervision = RadioLaw(
    name: "supervision", claim: "A link ends its timeout after the last valid PDU, by the clock of the end that counts",
    source: "Core 5.4, Vol 6, Part B, 4.5.2", form: "timeout · (1 + ppm of the clock)",
    tolerance: "exact to the nanosecond",
    unit: "ms", decimals: 6, counterexample: .radio { configuration, _ in configuration.clockPartsPerMillion += 1 },
    measure: { distortion in
      var points: [LawPoint] = []
      for (timeout, latency, silent, rate) in [
        (100, 0, 0, 0), (400, 0, 1, 0), (600, 4, 0, 20), (600, 4, 1, -20), (3_200, 30, 1, 0),
      ] {
        let (bench, _, _) = try distortion.link(
          latency: UInt16(latency), timeout: UInt16(timeout), wantsAir: true
        ) { configuration, index in configuration.clockPartsPerMillion = index == 1 - silent ? rate : 0 }
        bench.run(for: .milliseconds(3_777))
        bench.world.setRadio(silent, isOn: false)
        bench.run(for: .milliseconds(Int64(timeout) * 20))
        let observer = 1 - silent
        let heard = bench.air.filter { $0.receiver == observer && $0.fate == .received }
        guard let last = heard.map({ $0.start + $0.duration }).max(),
          let end = bench.disconnections(of: observer).first, end.reason == .connectionTimeout
        else { throw Unmeasurable("the link did not end by its timeout") }
        let span = Double(timeout) * 10
        points.append(
          .exact(
            "\(timeout * 10) ms, latency \(latency), the \(silent == 0 ? "peripheral" : "central") vanishes, \(rate) ppm",
            span + span * Double(rate) / 1_000_000, (end.at - last).milliseconds))
      }
      return Outcome(points)
    })

  static let establishment = RadioLaw(
    name: "establishment", claim: "A central that never hears the peripheral gives up after six intervals with 0x3E",
    source: "Core 5.4, Vol 6, Part B, 4.5", form: "6 · interval after CONNECT_IND", tolerance: "exact", unit: "ms",
    decimals: 3, counterexample: .radio { configuration, _ in configuration.clockPartsPerMillion = 20 },
    measure: { distortion in
      Outcome(
        try [6, 24, 80].map { interval in
          let bench = distortion.bench(2)
          // Off from the end of CONNECT_IND on.
          bench.onMessage = { [unowned bench] device, message in
            if device == 1, case .event(.leConnectionComplete) = message { bench.world.setRadio(0, isOn: false) }
          }
          bench.command(1, .leCreateConnection(RadioBench.creation(0, interval: UInt16(interval))))
          bench.advertise(0)
          bench.run(for: .seconds(10))
          let begin = bench.events[1].first { if case .leConnectionComplete = $0.event { true } else { false } }
          guard let begin, let end = bench.disconnections(of: 1).first,
            end.reason == .connectionFailedToBeEstablished
          else { throw Unmeasurable("the link was not given up") }
          return .exact(
            "interval \(milliseconds(interval)) ms", 7.5 * Double(interval), (end.at - begin.at).milliseconds)
        })
    })

  static let windowWidening = RadioLaw(
    name: "window-widening", claim: "A link lives while both clocks drift apart by no more than they claim and 16 µs",
    source: "Core 5.4, Vol 6, Part B, 4.2.2, 4.2.4", form: "⌊20 ppm + 20 ppm + 16 µs / ((latency + 1) · interval)⌋",
    tolerance: "exact to the ppm", unit: "ppm", decimals: 0,
    counterexample: .radio { configuration, _ in configuration.claimedClockAccuracy = 30 },
    measure: { distortion in
      Outcome(
        try [(24, 0), (24, 4), (80, 0), (800, 0), (800, 3)].map { interval, latency in
          let span = Double(interval) * 1.25 * Double(latency + 1)
          let expected = (40 + 16_000 / span).rounded(.down)
          var (lives, dies) = (0, 4_000)
          while dies - lives > 1 {
            let drift = (lives + dies) / 2
            if try survives(distortion, drift: drift, interval: interval, latency: latency) {
              lives = drift
            } else {
              dies = drift
            }
          }
          return .exact(
            "interval \(milliseconds(interval)) ms, latency \(latency)", expected, Double(lives))
        })
    })

  /// Whether a link lives for 90 s when the peripheral's clock is slow by so many ppm.
  private static func survives(_ distortion: Distortion, drift: Int, interval: Int, latency: Int) throws -> Bool {
    let bench = distortion.bench(2) { configuration, index in
      configuration.clockPartsPerMillion = index == 0 ? drift : 0
    }
    guard bench.connect(1, to: 0, interval: UInt16(interval), latency: UInt16(latency), timeout: 1_200) != nil else {
      throw Unmeasurable("no link")
    }
    bench.run(for: .seconds(90))
    return bench.disconnections(of: 0).isEmpty
  }

  static let sleepClock = RadioLaw(
    name: "sleep-clock", claim: "Anchor points follow the central's sleep clock",
    source: "Core 5.4, Vol 6, Part B, 4.2.2",
    form: "interval · (1 + ppm)", tolerance: "exact to the nanosecond", unit: "ns an interval of 30 ms", decimals: 0,
    counterexample: .radio { configuration, _ in configuration.clockPartsPerMillion += 1 },
    measure: { distortion in
      Outcome(
        try [0, 20, -50, 250].map { rate in
          let (bench, _, _) = try distortion.link(wantsAir: true) { configuration, index in
            configuration.clockPartsPerMillion = index == 1 ? rate : 0
            configuration.claimedClockAccuracy = 500
          }
          bench.run(for: .seconds(30))
          let anchors = bench.air.filter { $0.transmitter == 1 }.map(\.start)
          guard anchors.count > 900 else { throw Unmeasurable("there are no events") }
          let span = (anchors[900] - anchors[0]).nanoseconds
          return .exact("\(rate) ppm", 30_000_000 + 30 * Double(rate), Double(span) / 900)
        })
    })

  static let channelSelection1 = RadioLaw(
    name: "channel-selection-1", claim: "Algorithm #1 visits each of 37 channels once in 37 events, whatever the hop",
    source: "Core 5.4, Vol 6, Part B, 4.5.8.2", form: "37, because 37 is prime", tolerance: "exact",
    unit: "channels in 37 events", decimals: 0,
    counterexample: .radio { configuration, _ in configuration.supportsChannelSelection2 = true },
    measure: { distortion in
      Outcome(
        try (1...6).map { seed in
          let channels = try channels(distortion, seed: UInt64(seed), usesSecond: false, events: 37)
          return .exact("link \(seed)", 37, Double(distinct(channels)))
        })
    })

  static let channelSelection2 = RadioLaw(
    name: "channel-selection-2",
    claim: "Algorithm #2 gives the sample data, and its channels repeat as often as draws do",
    source: "Core 5.4, Vol 6, Part B, 4.5.8.3; Part C, 3.1, 3.2 (sample data)",
    form: "sample data; 37 · (1 − (36 / 37)³⁷) different channels in 37 events",
    tolerance: "exact; " + LawPoint.standardErrorsText, unit: "channel, channels", decimals: 2,
    counterexample: .radio { configuration, _ in configuration.supportsChannelSelection2 = false },
    measure: { distortion in
      let address = LL.advertisingAccessAddress
      let nine = LL.ChannelMap(bits: [9, 10, 21, 22, 23, 33, 34, 35, 36].reduce(0) { $0 | 1 << UInt64($1) })
      var points: [LawPoint] = []
      for (event, channel, map) in [
        (0, 25, LL.ChannelMap.all), (1, 20, .all), (2, 6, .all), (3, 21, .all), (6, 23, nine), (7, 9, nine),
        (8, 34, nine),
      ] as [(UInt16, Double, LL.ChannelMap)] {
        let found = LL.ChannelSelection2.channel(eventCounter: event, accessAddress: address, map: map)
        points.append(.exact("event \(event), \(map.count) channels in use", channel, Double(found)))
      }
      var samples = Samples()
      let channels = try channels(distortion, seed: 1, usesSecond: true, events: 37 * 100)
      for start in stride(from: 0, to: channels.count, by: 37) {
        samples.add(Double(distinct(Array(channels[start..<start + 37]))))
      }
      points.append(.mean("different channels in 37 events", 37 * (1 - RealNumbers.power(36.0 / 37, 37)), samples))
      return Outcome(points)
    })

  private static func distinct(_ channels: [UInt8]) -> Int {
    channels.reduce(UInt64(0)) { $0 | 1 << UInt64($1) }.nonzeroBitCount
  }

  /// RF channels of consecutive events of a link. Algorithm #2 is used when both ends support it.
  private static func channels(_ distortion: Distortion, seed: UInt64, usesSecond: Bool, events: Int) throws -> [UInt8]
  {
    let (bench, _, _) = try distortion.link(seed: seed, interval: 6, wantsAir: true) { configuration, _ in
      configuration.supportsChannelSelection2 = usesSecond
    }
    bench.run(for: .microseconds(7_500 * Int64(events + 2)))
    let channels = bench.air.filter { $0.transmitter == 1 }.map(\.rfChannel)
    guard channels.count >= events else { throw Unmeasurable("there are not enough events") }
    return Array(channels.prefix(events))
  }

  static let adaptiveHopping = RadioLaw(
    name: "adaptive-hopping",
    claim: "Noise on ten of 37 channels costs a link that stays there its share of PDUs; one that adapts leaves them",
    source: "Core 5.4, Vol 6, Part B, 4.5.8.1; the method is a decision, see Docs/Fidelity.md",
    form: "10 / 37 · (1 − off / (on + off) · e^(−80 µs / off)), on = off = 2 ms; 27 channels after two windows",
    tolerance: LawPoint.standardErrorsText + "; exact", unit: "% lost, channels", decimals: 2,
    counterexample: .radio { configuration, index in configuration.adaptsChannels = index == 0 },
    measure: { distortion in
      let noise = OnOff(on: 2_000, off: 2_000).strong(sync: 40, duration: 80)
      let (stays, _, _) = try distortion.link(
        in: .noisy(on: 13...22), seed: 4, interval: 6, timeout: 3_200, wantsAir: true
      ) { configuration, _ in configuration.adaptsChannels = false }
      stays.run(for: .seconds(75))
      // The first PDU of each event: later ones follow a loss.
      let polls = firstOfEvents(stays.air)
      let lost = polls.filter { $0.fate != .received }.count
      let (leaves, central, _) = try distortion.link(in: .noisy(on: 13...22), seed: 4, interval: 6, timeout: 3_200)
      leaves.run(for: .seconds(12))
      leaves.command(1, .leReadChannelMap(central))
      let map = leaves.events[1].compactMap { event -> [UInt8]? in
        if case .commandComplete(_, .success, let parameters) = event.event, parameters.count == 7 {
          parameters
        } else {
          nil
        }
      }.last
      guard let map else { throw Unmeasurable("there is no channel map") }
      return Outcome([
        .share(
          "polls lost without adaptation", 10.0 / 37 * (noise.unheard + noise.corrupted), hits: lost, of: polls.count),
        .exact("channels in use after 12 s", 27, Double(map.dropFirst(2).reduce(0) { $0 + $1.nonzeroBitCount })),
      ])
    })

  /// The central's PDUs that begin an event of 7.5 ms.
  private static func firstOfEvents(_ air: [AirPDU]) -> [AirPDU] {
    let central = air.filter { $0.transmitter == 1 && $0.accessAddress != LL.advertisingAccessAddress }
    return zip(central.dropFirst(), central).filter { $0.start - $1.start > .milliseconds(5) }.map(\.0)
  }
}
