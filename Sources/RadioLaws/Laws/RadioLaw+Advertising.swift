import BluetoothWire
import SimKernel
import VirtualRadio

/// Advertising and scanning.
extension RadioLaw {
  static let advertisingDelay = RadioLaw(
    name: "advertising-delay", claim: "Advertising events are an interval and a uniform delay of 0 … 10 ms apart",
    source: "Core 5.4, Vol 6, Part B, 4.4.2.2.1", form: "interval + 5 ms on average",
    tolerance: LawPoint.standardErrorsText,
    unit: "ms", decimals: 3, counterexample: .radio { configuration, _ in configuration.clockPartsPerMillion = 10_000 },
    measure: { distortion in
      Outcome(
        [32, 160, 1_600].map { units in
          let bench = distortion.bench(1, wantsAir: true)
          bench.advertise(0, interval: UInt16(units))
          let interval = Double(units) * 0.625
          bench.run(for: .microseconds(Int64(units) * 625 * 4_000))
          let starts = bench.air.filter { $0.rfChannel == 0 }.map(\.start)
          var samples = Samples()
          for (next, start) in zip(starts.dropFirst(), starts) { samples.add((next - start).milliseconds) }
          return .mean("interval \(RealNumbers.text(interval, decimals: 0)) ms", interval + 5, samples)
        })
    })

  static let directedAdvertising = RadioLaw(
    name: "directed-advertising", claim: "High duty cycle directed advertising is dense and ends by itself",
    source: "Core 5.4, Vol 6, Part B, 4.4.2.4.3", form: "an event at least every 3.75 ms, for 1.28 s",
    tolerance: "exact",
    unit: "ms", decimals: 3, counterexample: .radio { configuration, _ in configuration.clockPartsPerMillion = 100 },
    measure: { distortion in
      let bench = distortion.bench(1, wantsAir: true)
      var parameters = HCI.AdvertisingParameters(intervalMinimum: 32, intervalMaximum: 32)
      parameters.kind = .connectableDirectedHighDuty
      parameters.peerAddress = RadioBench.address(1)
      bench.command(0, .leSetAdvertisingParameters(parameters))
      let start = bench.timeline.now
      bench.command(0, .leSetAdvertisingEnable(true))
      bench.run(for: .seconds(3))
      let end = bench.events[0].first {
        if case .leConnectionComplete(let complete) = $0.event { complete.status == .advertisingTimeout } else { false }
      }
      let events = bench.air.filter { $0.rfChannel == 0 }.map(\.start)
      guard let end, events.count > 1 else { throw Unmeasurable("advertising did not end") }
      return Outcome([
        .exact("until Advertising Timeout", 1_280, (end.at - start).milliseconds),
        .exact("from event to event", 3.75, (events[1] - events[0]).milliseconds),
      ])
    })

  /// Nine octets of payload, ADV_IND with an address and flags.
  private static func process(interval units: Int) -> Discovery {
    let duration = Double(Exchange.airTime(payload: 9, phy: .le1M)) / 1_000
    // 400 µs from a PDU to the next channel: a decision.
    return Discovery(advertisingInterval: Double(units) * 0.625, spacing: duration + 0.4, duration: duration)
  }

  static let discovery = RadioLaw(
    name: "discovery", claim: "A scanner that never looks away waits for the next advertising event",
    source: "the inspection paradox of renewal processes; the process of Core 5.4, Vol 6, Part B, 4.4.2.2.1",
    form: "E[T²] / 2 E[T] + time on air, T uniform between interval and interval + 10 ms",
    tolerance: LawPoint.standardErrorsText, unit: "ms", decimals: 2,
    counterexample: .radio { configuration, _ in configuration.clockPartsPerMillion = 100_000 },
    measure: { distortion in
      Outcome(
        try [32, 160, 800].map { units in
          let process = process(interval: units)
          var samples = Samples()
          for wait in try waits(distortion, advertising: units, scan: (0x4000, 0x4000), count: 8_000) {
            samples.add(wait)
          }
          return .mean(
            "advertising every \(RealNumbers.text(process.advertisingInterval, decimals: 0)) ms", process.meanWait,
            samples)
        })
    })

  static let discoveryByWindows = RadioLaw(
    name: "discovery-by-windows",
    claim: "A scanner that listens for a window of each interval, on one channel after the other, waits longer",
    source:
      "the problem of Kindt, Saur, Balszun and Chakraborty, Neighbor Discovery Latency in BLE-Like Protocols, IEEE "
      + "Transactions on Mobile Computing 17 (2018); Core 5.4, Vol 6, Part B, 4.4.3",
    form:
      "u(t) = r(t) + ∫ u(s)·(1 − h(s))·k(t − s) ds, the renewal equation of events that were not heard, solved on a grid",
    tolerance: LawPoint.standardErrorsText, unit: "ms", decimals: 1,
    counterexample: .radio { configuration, _ in configuration.clockPartsPerMillion = 200_000 },
    measure: { distortion in
      var points: [LawPoint] = []
      var curves: [LawFigure.Curve] = []
      for (units, interval, window, shown) in [(32, 96, 48, 60), (160, 96, 48, 420), (160, 160, 16, 600)] {
        let process = process(interval: units)
        let (scanInterval, scanWindow) = (Double(interval) * 0.625, Double(window) * 0.625)
        let step = 5.0
        let expected = process.waits(
          scan: (scanInterval, scanWindow), limit: window == 16 ? 40_000 : 8_000, step: step)
        let waits = try waits(distortion, advertising: units, scan: (interval, window), count: 4_000)
        var samples = Samples()
        for wait in waits { samples.add(wait) }
        let words = [process.advertisingInterval, scanInterval, scanWindow].map { RealNumbers.text($0, decimals: 0) }
        points.append(
          .mean("advertising every \(words[0]) ms, scanning \(words[2]) of \(words[1]) ms", expected.mean, samples))
        curves.append(
          .init(
            name: "\(words[0]) ms, \(words[2]) of \(words[1])",
            expected: (0...120).map { (x: Double($0) * step, y: expected.distribution[$0] * 100) },
            measured: (1...12).map { index in
              let limit = Double(index * shown) / 12
              return (limit, Double(waits.filter { $0 <= limit }.count) / Double(waits.count) * 100)
            }))
      }
      return Outcome(
        points,
        figure: LawFigure(
          name: "discovery", title: "Advertisers that were found, over the time since scanning began",
          x: .init(
            title: "time in ms; the legend: advertising interval, then window of scan interval, ms",
            ticks: [0, 100, 200, 300, 400, 500, 600].map { ($0, RealNumbers.text($0, decimals: 0)) }),
          y: .init(title: "percent", ticks: [0, 25, 50, 75, 100].map { ($0, RealNumbers.text($0, decimals: 0)) }),
          curves: curves))
    })

  static let discoveryCouplings = RadioLaw(
    name: "discovery-couplings",
    claim: "Discovery takes longest where advertising events are a whole number of scan intervals apart on average",
    source:
      "the peaks of Kindt, Saur, Balszun and Chakraborty, as above, who leave out the advDelay: without it an advertiser "
      + "at a peak may never be found; Core 5.4, Vol 6, Part B, 4.4.2.2.1, 4.4.3",
    form: "the renewal equation of discovery-by-windows; scan window 10 ms of 60 ms, peaks at k · 60 ms − 5 ms",
    tolerance: LawPoint.standardErrorsText, unit: "ms", decimals: 0,
    counterexample: .radio { configuration, index in configuration.clockPartsPerMillion = index == 0 ? 50_000 : 0 },
    measure: { distortion in
      let curve = stride(from: 32, through: 232, by: 8).map { units in
        (x: Double(units) * 0.625, y: process(interval: units).meanWait(scan: (60, 10)))
      }
      let points = try [3, 7, 11, 13, 15, 19, 23].map { place in
        let (interval, expected) = curve[place]
        var samples = Samples()
        for wait in try waits(distortion, advertising: 32 + 8 * place, scan: (96, 16), count: 1_500) {
          samples.add(wait)
        }
        let words = RealNumbers.text(interval, decimals: 0)
        return (interval, LawPoint.mean("advertising every \(words) ms", expected, samples))
      }
      let figure = LawFigure(
        name: "couplings", title: "Mean time to the first report, over the advertising interval",
        x: .init(
          title: "advertising interval in ms; scan window 10 ms of 60 ms",
          ticks: [20, 55, 85, 115, 145].map { ($0, RealNumbers.text($0, decimals: 0)) }),
        y: .init(
          title: "ms", isLogarithmic: true,
          ticks: [100, 1_000, 10_000].map { ($0, RealNumbers.text($0, decimals: 0)) }),
        curves: [
          .init(name: "", expected: curve, measured: points.map { (x: $0, y: $1.measured) })
        ])
      return Outcome(points.map(\.1), figure: figure)
    })

  /// Milliseconds from the start of scanning to the first report, each from a phase of its own.
  private static func waits(
    _ distortion: Distortion, advertising units: Int, scan: (interval: Int, window: Int), count: Int
  )
    throws -> [Double]
  {
    let bench = distortion.bench(2, seed: 3)
    bench.advertise(0, interval: UInt16(units))
    bench.command(
      1,
      .leSetScanParameters(
        .init(isActive: false, interval: UInt16(scan.interval), window: UInt16(scan.window))))
    var stream = RandomStream(seed: 3, component: "law", purpose: "phase")
    // Scanning begins at instants that know nothing of the advertiser: a place in each span of eight mean cycles. A
    // pause drawn from the end of the last wait on would begin at an advertising event, and prefer long waits.
    let span = Int64(units * 625 + 5_000) * 8_000
    var waits: [Double] = []
    for _ in 0..<count {
      let round = bench.timeline.now.nanoseconds / span + 1
      bench.run(until: .zero + .nanoseconds(round * span + Int64(stream.below(UInt64(span / 2)))))
      let start = bench.timeline.now
      bench.events[1].removeAll(keepingCapacity: true)
      bench.command(1, .leSetScanEnable(true, filterDuplicates: true))
      let isFound = bench.run(until: start + .seconds(100)) {
        bench.events[1].contains { if case .leAdvertisingReport = $0.event { true } else { false } }
      }
      guard isFound else { throw Unmeasurable("an advertiser was not found within 100 s") }
      waits.append((bench.timeline.now - start).milliseconds)
      bench.command(1, .leSetScanEnable(false, filterDuplicates: true))
    }
    return waits
  }

  static let advertisingCollisions = RadioLaw(
    name: "advertising-collisions", claim: "Advertisers of equal strength destroy each other's PDUs where they overlap",
    source: "Abramson, The ALOHA System, AFIPS 1970, for finite users; Core 5.4, Vol 6, Part A, 4.2 (C/I)",
    form: "(1 − 2 d / (interval + 5 ms)) to the power N − 1 arrive; d = 376 µs, interval = 20 ms",
    tolerance: LawPoint.standardErrorsText + ", two PDUs of a collision counted as one", unit: "% lost", decimals: 2,
    counterexample: .room { $0.captureThreshold = -1_000 },
    measure: { distortion in
      let duration = Double(Exchange.airTime(payload: 37, phy: .le1M)) / 1_000
      let process = Discovery(advertisingInterval: 20, spacing: duration + 0.4, duration: duration)
      func expected(_ count: Int) -> Double { 1 - process.survival(others: count - 1) }
      var points: [LawPoint] = []
      for (count, rounds) in [(2, 12), (5, 6), (10, 3), (20, 2), (40, 1), (60, 1)] {
        let (lost, sent) = collisions(distortion, advertisers: count, rounds: rounds)
        points.append(.share("\(count) advertisers", expected(count), hits: lost, of: sent, correlated: 2))
      }
      let figure = LawFigure(
        name: "collisions", title: "Advertising PDUs lost by collisions, over the number of advertisers",
        x: .init(
          title: "advertisers, interval 20 ms", ticks: [0, 20, 40, 60].map { ($0, RealNumbers.text($0, decimals: 0)) }),
        y: .init(title: "percent", ticks: [0, 25, 50, 75, 100].map { ($0, RealNumbers.text($0, decimals: 0)) }),
        curves: [
          .init(
            name: "", expected: (1...60).map { (x: Double($0), y: expected($0) * 100) },
            measured: zip([2, 5, 10, 20, 40, 60], points).map { (x: $0, y: $1.measured) })
        ])
      return Outcome(points, figure: figure)
    })

  /// PDUs on the channel of a scanner that is as far from each advertiser: lost ones and all, in rounds of ten seconds.
  private static func collisions(_ distortion: Distortion, advertisers: Int, rounds: Int) -> (lost: Int, sent: Int) {
    let bench = distortion.bench(advertisers + 1, seed: 5, wantsAir: true) { configuration, index in
      // Device 0 scans from above; the floor is small beside that distance.
      configuration.position = Position(x: index % 8, y: index / 8, z: index == 0 ? 300 : 0)
    }
    for device in 1...advertisers {
      bench.advertise(device, data: [30, 0xFF] + [UInt8](repeating: 7, count: 29))
    }
    bench.command(0, .leSetScanParameters(.init(isActive: false, interval: 0x4000, window: 0x4000)))
    bench.run(for: .seconds(1))
    var (lost, sent) = (0, 0)
    for _ in 0..<rounds {
      bench.air.removeAll(keepingCapacity: true)
      bench.command(0, .leSetScanEnable(true, filterDuplicates: true))
      let start = bench.timeline.now
      bench.run(for: .seconds(10))
      bench.command(0, .leSetScanEnable(false, filterDuplicates: true))
      guard let channel = bench.air.first(where: { $0.fate == .received })?.rfChannel else { continue }
      for pdu in bench.air where pdu.rfChannel == channel && pdu.start >= start {
        sent += 1
        if pdu.fate != .received { lost += 1 }
      }
    }
    return (lost, sent)
  }
}
