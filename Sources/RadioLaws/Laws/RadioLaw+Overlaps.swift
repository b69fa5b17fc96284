import BluetoothWire
import SimKernel
import VirtualRadio

/// A peripheral with two links whose intervals drift through each other.
extension RadioLaw {
  private static let petersen =
    "connection shadowing: Petersen, Schmidt and Wählisch, Mind the Gap: Multi-hop IPv6 over BLE in the IoT, CoNEXT 2021 "
    + "(arXiv 2110.02922)"

  static let linkOverlap = RadioLaw(
    name: "link-overlap",
    claim: "Two links of a radio with one interval meet in each turn of their clocks, and share what time there is",
    source: petersen,
    form: "one meeting in interval / drift; the younger link is silent for 2 · 310 µs / drift where the oldest goes "
      + "first, for half of it with turns or where the event that begins first takes place",
    tolerance: "two connection intervals", unit: "s", decimals: 2,
    counterexample: .radio { configuration, _ in configuration.linkScheduling = .turns },
    measure: { distortion in
      var points: [LawPoint] = []
      let cases: [(LinkScheduling, Int)] = [
        (.oldest, 20), (.oldest, 50), (.oldest, -50), (.first, 50), (.turns, 20), (.turns, 50),
      ]
      for (scheduling, drift) in cases {
        let form = LinkOverlap(interval: 75, drift: Double(abs(drift)))
        let world = OverlapWorld(drift: drift, scheduling: scheduling, timeout: 3_200)
        points.append(
          .within(
            0.15, "silence in a turn, \(scheduling), \(RealNumbers.text(Double(drift), decimals: 0)) µs/s",
            form.duration / (scheduling == .oldest ? 1 : 2), try world.silence(distortion, for: form.period)))
      }
      let slow = LinkOverlap(interval: 75, drift: 5)
      points.append(
        .within(
          0.15, "from meeting to meeting, 5 µs/s", slow.period,
          try OverlapWorld(drift: 5, scheduling: .turns, timeout: 3_200).period(distortion, after: slow.duration * 2)))
      return Outcome(points)
    })

  static let linkLosses = RadioLaw(
    name: "link-losses",
    claim: "Where one link always goes before another, a meeting that outlasts the supervision timeout ends a link",
    source: petersen + "; 75 ms and 2.5 s are the parameters of nimble_statconn in RIOT, the remedy is that of its "
      + "pull request 15922: intervals that differ",
    form: "within an hour from a phase that is drawn: drift · (1 h − timeout) / (interval − 2 · 310 µs), about "
      + "drift · 1 h / interval; made again each time: 1 h / ((interval − 2 · 310 µs) / (2 · drift) + timeout)",
    tolerance: LawPoint.standardErrorsText + "; exact where all links live, or none does", unit: "losses an hour",
    decimals: 3, counterexample: .radio { configuration, _ in configuration.linkScheduling = .turns },
    measure: { distortion in
      var points: [LawPoint] = []
      for drift in [5, 10] {
        let form = LinkOverlap(interval: 75, drift: Double(drift))
        let lives = try OverlapWorld(drift: drift, scheduling: .oldest).lives(distortion, watch: 3_600, count: 400)
        let expected = form.losses(within: 3_600, timeout: 2.5)
        points.append(
          LawPoint(
            label: "oldest, \(drift) µs/s, first hour", expected: expected,
            measured: Double(lives.filter { $0 < 3_600 }.count) / Double(lives.count),
            allowed: LawPoint.standardErrors * (expected * (1 - expected) / Double(lives.count)).squareRoot(),
            samples: lives.count))
      }
      let life = LinkOverlap(interval: 75, drift: 5).life(timeout: 2.5)
      let lives = try OverlapWorld(drift: 5, scheduling: .oldest).lives(distortion, watch: 16_000, count: 200)
      let count = Double(lives.count)
      points.append(
        LawPoint(
          label: "oldest, 5 µs/s, made again each time", expected: 3_600 / life.mean,
          measured: 3_600 * count / lives.reduce(0, +),
          allowed: LawPoint.standardErrors * 3_600 / life.mean * life.deviation / life.mean / count.squareRoot(),
          samples: lives.count))
      // The meetings of 100 µs/s last 6.2 s, and come every 750 s.
      let others: [(String, OverlapWorld, Double)] = [
        ("turns, 5 µs/s", OverlapWorld(drift: 5, scheduling: .turns), 0),
        ("oldest, 5 µs/s, 65 and 85 ms", OverlapWorld(drift: 5, scheduling: .oldest, intervals: (52, 68)), 0),
        ("oldest, 100 µs/s, timeout 10 s", OverlapWorld(drift: 100, scheduling: .oldest, timeout: 1_000), 0),
        ("oldest, 100 µs/s, timeout 4 s", OverlapWorld(drift: 100, scheduling: .oldest, timeout: 400), 1),
      ]
      for (label, world, expected) in others {
        let lives = try world.lives(distortion, watch: 3_600, count: 40)
        var point = LawPoint.exact(
          label, expected, Double(lives.filter { $0 < 3_600 }.count) / Double(lives.count))
        point.samples = lives.count
        points.append(point)
      }
      return Outcome(points)
    })
}

/// Device 0 is the peripheral of device 1, whose link is older, and of device 2.
private struct OverlapWorld {
  /// By how much the clock of device 2 is slower than that of device 1, µs/s.
  var drift: Int
  var scheduling: LinkScheduling
  /// Units of 1.25 ms.
  var intervals: (UInt16, UInt16) = (60, 60)
  /// Units of 10 ms.
  var timeout: UInt16 = 250

  private func bench(_ distortion: Distortion, seed: UInt64 = 7) -> RadioBench {
    distortion.bench(3, seed: seed) { configuration, index in
      configuration.clockPartsPerMillion = index == 2 ? drift : 0
      configuration.claimedClockAccuracy = 100
      configuration.linkScheduling = scheduling
    }
  }

  /// Makes both links; false where they began within a meeting.
  private func connect(_ bench: RadioBench) -> Bool {
    for device in 0...2 { bench.events[device].removeAll(keepingCapacity: true) }
    for (central, interval) in [(1, intervals.0), (2, intervals.1)] {
      guard bench.connect(central, to: 0, interval: interval, timeout: timeout) != nil else { return false }
      bench.run(for: .seconds(1))
    }
    return bench.disconnections(of: 0).isEmpty
  }

  private func connected(_ distortion: Distortion) throws -> RadioBench {
    for seed in 1...20 as ClosedRange<UInt64> {
      let bench = bench(distortion, seed: seed)
      if connect(bench) { return bench }
    }
    throw Unmeasurable("no links")
  }

  /// How long the younger link is without a PDU of its central within a time, seconds.
  func silence(_ distortion: Distortion, for time: Double) throws -> Double {
    let bench = try connected(distortion)
    let before = bench.world.receptions(from: 2, to: 0).judged
    bench.run(for: .milliseconds(Int64(time * 1_000)))
    guard bench.disconnections(of: 0).isEmpty else { throw Unmeasurable("a link was lost") }
    let interval = Double(intervals.1) / 800
    return time - Double(bench.world.receptions(from: 2, to: 0).judged - before) * interval
  }

  /// From the first event of a meeting that is missed to that of the next meeting, seconds.
  /// - Parameter pause: longer than a meeting.
  func period(_ distortion: Distortion, after pause: Double) throws -> Double {
    let bench = try connected(distortion)
    var starts: [SimInstant] = []
    for _ in 0..<2 {
      bench.run(for: .milliseconds(Int64(pause * 1_000)))
      let before = bench.world.statistics.missedConnectionEvents
      let meets = bench.run(until: bench.timeline.now + .seconds(20_000)) {
        bench.world.statistics.missedConnectionEvents > before
      }
      guard meets else { throw Unmeasurable("the links do not meet") }
      starts.append(bench.timeline.now)
    }
    return (starts[1] - starts[0]).milliseconds / 1_000
  }

  /// Seconds until either link is lost, or `watch`; each time both links are made again.
  func lives(_ distortion: Distortion, watch: Int64, count: Int) throws -> [Double] {
    let bench = bench(distortion)
    var lives: [Double] = []
    for _ in 0..<count * 2 where lives.count < count {
      if connect(bench) {
        let start = bench.timeline.now
        bench.run(until: start + .seconds(watch)) { !bench.disconnections(of: 0).isEmpty }
        lives.append((bench.timeline.now - start).milliseconds / 1_000)
      }
      for device in 1...2 {
        guard let link = bench.connections(of: device).first else { continue }
        bench.command(device, .disconnect(link.handle, reason: .remoteUserTerminatedConnection))
      }
      bench.command(0, .leSetAdvertisingEnable(false))
      bench.run(for: .seconds(Int64(timeout) / 100 + 2))
    }
    guard lives.count == count else { throw Unmeasurable("links are not established") }
    return lives
  }
}
