import BluetoothWire
import SimKernel
import VirtualRadio

/// Periodic advertising.
extension RadioLaw {
  static let periodicLoss = RadioLaw(
    name: "periodic-loss",
    claim: "A scanner receives of a train what is not lost, and loses it after a run of losses as long as its timeout",
    source: "runs of Bernoulli trials: W. Feller, An Introduction to Probability Theory, XIII.7; Core 5.4, Vol 6, Part "
      + "B, 4.4.5; Vol 4, Part E, 7.7.65.16",
    form: "1 − p; ((1 − p^r) / ((1 − p) p^r) − r) · interval + timeout, r = ⌈timeout / interval⌉ − 1",
    tolerance: LawPoint.standardErrorsText, unit: "% received, ms", decimals: 2,
    counterexample: .room { $0.packetLoss = .partsPerMillion(400_000) },
    measure: { distortion in
      var points: [LawPoint] = []
      for (percent, run) in [(20, 2), (50, 3), (50, 5)] {
        var room = RadioEnvironment.lossless
        room.packetLoss = Ratio(UInt64(percent), 100)
        let bench = distortion.bench(2, in: room, seed: 11)
        let timeout = 10 * UInt16(run) + 5
        bench.beginTrain(interval: 80)
        var (samples, events, received) = (Samples(), 0, 0)
        while samples.count < 500 {
          guard let begin = bench.synchronise(timeout: timeout) else { continue }
          let lost = bench.run(until: bench.timeline.now + .seconds(600)) {
            if case .periodic(.lePeriodicAdvertisingSyncLost) = bench.events[1].last?.event { true } else { false }
          }
          guard lost else { throw Unmeasurable("a train was not lost within 600 s") }
          let span = (bench.timeline.now - begin).milliseconds
          samples.add(span)
          events += Int((span - Double(timeout) * 10) / 100 + 0.5) + run
          // The first report is that of the event with which the count begins.
          received += bench.periodicReports - 1
        }
        let p = Double(percent) / 100
        let runs = (1 - RealNumbers.power(p, run)) / ((1 - p) * RealNumbers.power(p, run))
        points.append(.share("\(percent) % lost, received", 1 - p, hits: received, of: events))
        points.append(
          .mean(
            "\(percent) % lost, timeout \(Int(timeout) * 10) ms", (runs - Double(run)) * 100 + Double(timeout) * 10,
            samples))
      }
      return Outcome(points)
    })

  static let periodicWindow = RadioLaw(
    name: "periodic-window",
    claim: "A scanner that leaves out events keeps a train as long as both clocks keep to what they claim, and listens "
      + "for what they claim",
    source: "Core 5.4, Vol 6, Part B, 4.2.4, 4.4.5; Vol 4, Part E, 7.8.67",
    form: "(skip + 1) · interval · (claimed + advertiser's − scanner's error) + 16 µs + time on air of an event; none "
      + "where the errors differ by more than is claimed and 16 µs",
    tolerance: "0.5 µs for listening, because times are rounded; events exactly", unit: "µs an event, events",
    decimals: 1,
    counterexample: .radio { configuration, index in
      if index == 0 { configuration.clockPartsPerMillion = 700 }
    },
    measure: { distortion in
      var points: [LawPoint] = []
      for (skip, errors, claimed) in [
        (0, (0, 0), 20), (0, (50, -50), 50), (9, (20, -20), 20), (9, (-20, 20), 20), (9, (500, -500), 500),
        (49, (75, 30), 75), (4, (30, -30), 20), (9, (30, -30), 20),
      ] as [(Int, (Int, Int), Int)] {
        let bench = distortion.bench(2, seed: 12) { configuration, index in
          configuration.clockPartsPerMillion = index == 0 ? errors.0 : errors.1
          configuration.claimedClockAccuracy = claimed
        }
        bench.beginTrain(interval: 80)
        guard bench.synchronise(skip: UInt16(skip), timeout: 0x4000) != nil else {
          throw Unmeasurable("there is no train")
        }
        let span = Double(skip + 1) * 100_000
        bench.run(for: .milliseconds(10))
        let before = (bench.periodicReports, bench.world.radioTimes(of: 1).receive)
        let events = 20
        bench.run(for: .microseconds(Int64(span) * Int64(events)))
        let heard = bench.periodicReports - before.0
        let drift = span * Double(errors.0 - errors.1) / 1e6
        let widening = span * Double(2 * claimed) / 1e6 + 16
        let isKept = abs(drift) <= widening
        let words = "skip \(skip), \(errors.0) and \(errors.1) ppm, \(claimed) ppm claimed"
        points.append(.exact("events: \(words)", isKept ? Double(events) : 0, Double(heard)))
        if !isKept { continue }
        let time = (bench.world.radioTimes(of: 1).receive - before.1).microseconds / Double(events)
        points.append(
          .within(
            0.5, "listening: \(words)", widening + drift + Double(Exchange.airTime(payload: 4, phy: .le1M)), time))
      }
      return Outcome(points)
    })
}

extension RadioBench {
  /// Device 0 has a train of three octets, and a set that tells of it; the other one scans.
  /// - Parameter interval: units of 1.25 ms.
  fileprivate func beginTrain(interval: UInt16) {
    let parameters = HCI.ExtendedAdvertisingParameters(
      set: 0, properties: [], intervalMinimum: 32, intervalMaximum: 32)
    command(0, .extended(.leSetExtendedAdvertisingParameters(parameters)))
    command(0, .extended(.leSetAdvertisingSetRandomAddress(0, Self.address(0))))
    let train = HCI.PeriodicAdvertisingParameters(set: 0, intervalMinimum: interval, intervalMaximum: interval)
    command(0, .periodic(.leSetPeriodicAdvertisingParameters(train)))
    command(0, .periodic(.leSetPeriodicAdvertisingData(0, .complete, [2, 1, 6])))
    command(0, .periodic(.leSetPeriodicAdvertisingEnable(.on, 0)))
    let time = HCI.ExtendedScanParameters.OnePHY(isActive: false, interval: 0x4000, window: 0x4000)
    command(1, .extended(.leSetExtendedScanParameters(.init(phys: .le1M, entries: [time]))))
  }

  /// Looks for the train; then neither the set nor the scanner is on any more, and nothing comes in its way.
  /// - Returns: when it was there; nil: none of its first six events came in.
  fileprivate func synchronise(skip: UInt16 = 0, timeout: UInt16) -> SimInstant? {
    turn(isOn: true)
    events[1].removeAll(keepingCapacity: true)
    var creation = HCI.PeriodicSyncCreation(advertiser: .init(address: Self.address(0), sid: 0), timeout: timeout)
    creation.skip = skip
    command(1, .periodic(.lePeriodicAdvertisingCreateSync(creation)))
    var found: HCI.PeriodicSyncEstablished?
    onMessage = { device, message in
      if device == 1, case .event(.periodic(.lePeriodicAdvertisingSyncEstablished(let sync))) = message { found = sync }
    }
    run(until: timeline.now + .seconds(60)) { found != nil }
    onMessage = nil
    turn(isOn: false)
    return found?.status == .success ? timeline.now : nil
  }

  private func turn(isOn: Bool) {
    command(0, .extended(.leSetExtendedAdvertisingEnable(isOn, [.init(set: 0)])))
    command(1, .extended(.leSetExtendedScanEnable(.init(isEnabled: isOn))))
  }

  fileprivate var periodicReports: Int {
    events[1].count { if case .periodic(.lePeriodicAdvertisingReport) = $0.event { true } else { false } }
  }
}
