import BluetoothWire
import SimKernel
import VirtualRadio

/// Links that always have something to send, and what errors cost them.
extension RadioLaw {
  /// Interval in units of 1.25 ms, and seconds that are measured.
  private static let saturated: [(interval: Int, seconds: Int)] = [(6, 100), (24, 200), (80, 500)]

  static let saturatedLink = RadioLaw(
    name: "saturated-link",
    claim: "A link whose peripheral always has 20 octets to send fills its events; two bad CRCs in a row close one",
    source: "Core 5.4, Vol 6, Part B, 4.5.6; without errors and pauses 236.7 kbit/s (Gomez, Oller and Paradells, "
      + "Sensors 2012, 12, 11734)",
    form:
      "⌊interval / 676 µs⌋ values an event; with bit errors a Markov chain over the exchanges of an event, its states "
      + "the bad CRCs in a row at each end and whether the value has arrived",
    tolerance: "without errors one event more or less; else " + LawPoint.standardErrorsText + ", seconds",
    unit: "kbit/s", decimals: 1, counterexample: .room { $0.bitErrorRate = .partsPerMillion(300) },
    measure: { distortion in
      var points: [LawPoint] = []
      var curves: [LawFigure.Curve] = []
      for (interval, seconds) in saturated {
        let exchanges = Exchange.count(in: interval * 1_250)
        /// kbit/s of so many values an event.
        func rate(_ values: Double) -> Double { values * Exchange.smallValueBits / (Double(interval) * 1.25) }
        var measured: [(x: Double, y: Double)] = []
        for errors in [0, 20, 100, 180, 500, 1_000] {
          let span = errors == 0 ? 20 : errors == 180 ? seconds : seconds / 8
          let samples = try throughput(distortion, interval: interval, seconds: span, partsPerMillion: errors)
          let name = "\(milliseconds(interval)) ms, BER \(errors) · 10⁻⁶"
          let expected = rate(
            BitErrors.valuesPerEvent(rate: Double(errors) / 1_000_000, exchanges: exchanges))
          if errors == 0 {
            let event = Double(exchanges) * Exchange.smallValueBits / 1_000 / Double(span)
            points.append(.within(event, name, expected, samples.mean))
          } else {
            points.append(.mean(name, expected, samples))
            measured.append((Double(errors), samples.mean))
          }
        }
        let expected = (0...60).map { step in
          // 10 … 1 000, evenly on a logarithmic scale.
          let errors = RealNumbers.ratio(decibels: 10 + Double(step) / 3)
          return (
            x: errors,
            y: rate(BitErrors.valuesPerEvent(rate: errors / 1_000_000, exchanges: exchanges))
          )
        }
        curves.append(.init(name: milliseconds(interval) + " ms", expected: expected, measured: measured))
      }
      return Outcome(
        points,
        figure: LawFigure(
          name: "throughput", title: "Throughput of values of 20 octets by connection interval",
          x: .init(
            title: "bit error rate, parts per million", isLogarithmic: true,
            ticks: [10, 20, 50, 100, 200, 500, 1_000].map { ($0, RealNumbers.text($0, decimals: 0)) }),
          y: .init(
            title: "kbit/s", ticks: [0, 50, 100, 150, 200, 250].map { ($0, RealNumbers.text($0, decimals: 0)) }),
          curves: curves))
    })

  /// kbit/s of each second of a link whose peripheral always has a value to send.
  private static func throughput(_ distortion: Distortion, interval: Int, seconds: Int, partsPerMillion errors: Int)
    throws -> Samples
  {
    var room = RadioEnvironment.lossless
    room.bitErrorRate = .partsPerMillion(UInt64(errors))
    let (bench, _, peripheral) = try distortion.link(in: room, seed: 11, interval: UInt16(interval), timeout: 3_200) {
      configuration, _ in
      configuration.aclBuffers = 16
      configuration.maximumDataLength = 27
      configuration.adaptsChannels = false
    }
    let octets = [UInt8](repeating: 0x5A, count: 27)
    bench.onMessage = { [unowned bench] device, message in
      guard device == 0, case .event(.numberOfCompletedPackets(let list)) = message else { return }
      for _ in 0..<list.reduce(0, { $0 + Int($1.count) }) {
        bench.world.controllers[0].submit(
          HCI.ACLData(handle: peripheral, boundary: .firstNonFlushable, octets: octets))
      }
    }
    for _ in 0..<16 { bench.send(0, peripheral, octets) }
    bench.run(for: .seconds(1))
    var samples = Samples()
    for _ in 0..<seconds {
      let before = bench.received[1].count
      bench.run(for: .seconds(1))
      samples.add(Double(bench.received[1].count - before) * Exchange.smallValueBits / 1_000)
      bench.received[1].removeAll(keepingCapacity: true)
      bench.events[0].removeAll(keepingCapacity: true)
    }
    return samples
  }

  static let timeDivision = RadioLaw(
    name: "time-division",
    claim: "Seven saturated links of one radio share it: each sends from its anchor to the next one",
    source: "Core 5.4, Vol 6, Part B, 4.5.1; which link gets the radio is a decision, see Docs/Fidelity.md",
    form: "⌊(time to the next anchor of any link + 150 µs) / 676 µs⌋ values an event",
    tolerance: "one event more or less",
    unit: "kbit/s", decimals: 2,
    counterexample: .radio { configuration, _ in configuration.maximumExchangesPerEvent = 4 },
    measure: { distortion in
      var points: [LawPoint] = []
      for interval in [24, 40, 80] as [UInt16] {
        let (bench, expected) = try sevenLinks(distortion, interval: interval)
        let seconds = 10
        let rates = saturate(bench, seconds: seconds)
        for (link, (expected, rate)) in zip(expected, rates).enumerated() {
          let event = expected * Double(interval) * 1.25 / 1_000 / Double(seconds)
          points.append(.within(event, "\(milliseconds(Int(interval))) ms, link \(link + 1)", expected, rate))
        }
      }
      return Outcome(points)
    })

  /// A peripheral with seven links none of whose anchors coincide, and what each should carry.
  private static func sevenLinks(_ distortion: Distortion, interval: UInt16) throws -> (RadioBench, [Double]) {
    for seed in 1...40 {
      let bench = distortion.bench(8, seed: UInt64(seed)) { configuration, _ in
        configuration.aclBuffers = 28
        configuration.maximumDataLength = 27
      }
      for central in 1...7 {
        guard bench.connect(central, to: 0, interval: interval) != nil else { throw Unmeasurable("no link") }
        bench.run(for: .seconds(1))
      }
      if let rates = TimeDivision.rates(bench.world.anchors, interval: interval) { return (bench, rates) }
    }
    throw Unmeasurable("anchors coincide with each of forty seeds")
  }

  /// kbit/s of each link while all of them always have a value to send.
  private static func saturate(_ bench: RadioBench, seconds: Int) -> [Double] {
    let octets = [UInt8](repeating: 0x5A, count: 27)
    bench.onMessage = { [unowned bench] device, message in
      guard device == 0, case .event(.numberOfCompletedPackets(let list)) = message else { return }
      for completed in list {
        for _ in 0..<completed.count {
          bench.world.controllers[0].submit(
            HCI.ACLData(handle: completed.handle, boundary: .firstNonFlushable, octets: octets))
        }
      }
    }
    for link in bench.connections(of: 0) { for _ in 0..<4 { bench.send(0, link.handle, octets) } }
    bench.run(for: .seconds(2))
    let before = bench.received.map(\.count)
    bench.run(for: .seconds(Int64(seconds)))
    return (1...7).map {
      Double(bench.received[$0].count - before[$0]) * Exchange.smallValueBits / Double(seconds) / 1_000
    }
  }

  static let retransmissions = RadioLaw(
    name: "retransmissions", claim: "Bad CRCs cost as many transmissions as the rules for closing an event say",
    source: "Core 5.4, Vol 6, Part B, 4.5.6, 4.5.9",
    form:
      "1 + q B + p A; B = p (1 + p B), A = q (1 + q B + p A) + p (1 + q p B + p (p A + q (1 + q B + p A))), q = 1 − p",
    tolerance: LawPoint.standardErrorsText, unit: "transmissions of a value", decimals: 4,
    counterexample: .room { $0.packetLoss = .partsPerMillion(150_000) },
    measure: { distortion in
      Outcome(
        try [50, 100, 200].map { permille in
          var room = RadioEnvironment.lossless
          room.packetLoss = Ratio(UInt64(permille), 1_000)
          let (bench, _, peripheral) = try distortion.link(in: room, seed: 7, interval: 6, timeout: 3_200) {
            configuration, _ in configuration.adaptsChannels = false
          }
          var samples = Samples()
          for _ in 0..<30_000 {
            let before = bench.world.statistics.retransmissions
            bench.send(0, peripheral, [1, 2, 3, 4, 5, 6, 7])
            // Five events: hardly ever does a value wait for the one before.
            bench.run(for: .nanoseconds(37_500_000))
            samples.add(1 + Double(bench.world.statistics.retransmissions - before))
          }
          return .mean(
            "\(RealNumbers.text(Double(permille) / 10, decimals: 0)) % of PDUs",
            BitErrors.transmissions(loss: Double(permille) / 1_000), samples)
        })
    })
}
