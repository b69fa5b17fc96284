import BluetoothWire
import SimKernel
import VirtualRadio

/// Connection subrating.
extension RadioLaw {
  static let subrateShare = RadioLaw(
    name: "subrate-share",
    claim: "A subrated link without data uses one event in as many as its factor says; data keep as many more in use "
      + "as the continuation number says",
    source: "Core 5.4, Vol 6, Part B, 4.5.1",
    form: "1 / factor; (1 + continuation number) / factor with a value in each", tolerance: "exact",
    unit: "% of events", decimals: 3,
    counterexample: .radio { configuration, index in configuration.supportsSubrating = index == 1 },
    measure: { distortion in
      var points: [LawPoint] = []
      for (factor, continuation) in [(2, 0), (10, 0), (10, 3), (50, 9), (500, 0)] as [(UInt16, UInt16)] {
        let bench = try distortion.subrated(factor: factor, continuation: continuation)
        let wait = bench.interval * Int64(factor)
        let link = bench.link
        link.run(for: wait * 2)
        let before = link.world.statistics.connectionEvents
        let rounds = 40
        for round in 0..<rounds {
          if continuation > 0 { link.send(1, bench.central, [UInt8(round)]) }
          link.run(for: wait)
        }
        // What follows the last value may be after its wait: one more, of which the first event is not counted.
        link.run(for: wait)
        let used = Double(link.world.statistics.connectionEvents - before - 1)
        points.append(
          .exact(
            "factor \(factor), continuation number \(continuation)", 100 * Double(1 + continuation) / Double(factor),
            100 * used / (Double(rounds) * Double(factor))))
      }
      return Outcome(points)
    })

  static let subrateWait = RadioLaw(
    name: "subrate-wait",
    claim: "A value on a subrated link waits for a subrated event, and one that follows it at once for the next event",
    source: "uniform waiting time; Core 5.4, Vol 6, Part B, 4.5.1",
    form: "factor · interval / 2 to the start of its PDU; interval within the continuation number",
    tolerance: LawPoint.standardErrorsText + "; exact to the nanosecond", unit: "ms", decimals: 3,
    counterexample: .radio { configuration, _ in configuration.supportsSubrating = false },
    measure: { distortion in
      var points: [LawPoint] = []
      for (factor, continuation) in [(4, 1), (20, 2), (100, 5)] as [(UInt16, UInt16)] {
        let bench = try distortion.subrated(factor: factor, continuation: continuation)
        var stream = RandomStream(seed: UInt64(factor), component: "law", purpose: "subrate-wait")
        let (link, wait) = (bench.link, (bench.interval * Int64(factor)).nanoseconds)
        let air = Double(Exchange.airTime(payload: 1, phy: .le1M)) / 1_000
        var (samples, next) = (Samples(), [Double]())
        for _ in 0..<400 {
          link.run(for: .nanoseconds(wait + Int64(stream.below(UInt64(wait)))))
          samples.add(try bench.delay() - air)
          // It waits for the event after that of the first one.
          next.append(try bench.delay())
        }
        let words = "factor \(factor), continuation number \(continuation)"
        points.append(.mean("\(words): the first", Double(wait) / 2e6, samples))
        points.append(
          .within(1e-9, "\(words): the next", bench.interval.milliseconds, next.reduce(0, +) / Double(next.count)))
      }
      return Outcome(points)
    })
}

/// A link whose central has asked for subrating, as both hosts allow it.
private struct SubratedLink {
  var link: RadioBench
  var central: HCI.ConnectionHandle
  var interval: SimDuration

  /// From handing a value of one octet to the central's controller to its delivery, ms.
  func delay() throws -> Double {
    let (begin, before) = (link.timeline.now, link.received[0].count)
    link.send(1, central, [1])
    guard link.run(until: begin + .seconds(60), orUntil: { link.received[0].count > before }) else {
      throw Unmeasurable("a value did not arrive within 60 s")
    }
    return (link.timeline.now - begin).milliseconds
  }
}

extension Distortion {
  fileprivate func subrated(factor: UInt16, continuation: UInt16) throws -> SubratedLink {
    let bench = bench(2, seed: UInt64(factor)) { configuration, _ in configuration.supportsSubrating = true }
    for device in 0...1 { bench.command(device, .general(.leSetHostFeature(bit: 38, value: 1))) }
    guard let (central, _) = bench.connect(1, to: 0, interval: 6, timeout: 3_200) else {
      throw Unmeasurable("there is no link")
    }
    bench.command(1, .leReadRemoteFeatures(central))
    bench.run(for: .milliseconds(100))
    let wish = HCI.SubrateParameters(
      factorMinimum: factor, factorMaximum: factor, continuationNumber: continuation, supervisionTimeout: 3_200)
    bench.command(1, .general(.leSubrateRequest(central, wish)))
    bench.run(for: .milliseconds(100))
    return SubratedLink(link: bench, central: central, interval: .microseconds(7_500))
  }
}
