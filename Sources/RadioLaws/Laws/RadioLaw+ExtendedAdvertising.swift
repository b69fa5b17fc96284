import BluetoothWire
import SimKernel
import VirtualRadio

/// Extended advertising.
extension RadioLaw {
  static let secondarySkip = RadioLaw(
    name: "secondary-skip",
    claim: "A scanner waits for an AUX_ADV_IND that is left out as often as the advertiser's host allows",
    source: "the inspection paradox of renewal processes; Core 5.4, Vol 6, Part B, 4.4.2.2.2; Vol 4, Part E, 7.8.53",
    form:
      "E[G²] / 2 E[G] + 0.986 ms + time on air, G the sum of skip + 1 times, each uniform between interval and "
      + "interval + 10 ms",
    tolerance: LawPoint.standardErrorsText, unit: "ms", decimals: 2,
    counterexample: .radio { configuration, _ in configuration.clockPartsPerMillion = 100_000 },
    measure: { distortion in
      Outcome(
        try [(32, 0), (32, 3), (160, 9), (32, 255)].map { units, skip in
          let interval = Double(units) * 0.625
          // At most 2.4 s, in which no event is left out: a decision.
          let events = Double(min(skip, Int(2_400 / (interval + Discovery.largestDelay))) + 1)
          let mean = events * (interval + Discovery.largestDelay / 2)
          let variance = events * Discovery.largestDelay * Discovery.largestDelay / 12
          // From the start of the last ADV_EXT_IND to AUX_ADV_IND there are 0.450 ms, and 0.536 ms from one to the next
          // (decisions); the scanner is on any of the three channels. Then 13 octets of payload.
          let rest = 0.450 + 0.536 + Double(Exchange.airTime(payload: 13, phy: .le1M)) / 1_000
          var samples = Samples()
          for wait in try waits(distortion, units: units, skip: skip, cycle: mean) { samples.add(wait) }
          let words = RealNumbers.text(interval, decimals: 0)
          return .mean(
            "every \(words) ms, skip \(skip)", (mean * mean + variance) / (2 * mean) + rest, samples)
        })
    })

  /// Milliseconds from the start of scanning to the first report, each from a phase of its own.
  static func waits(
    _ distortion: Distortion, units: Int, skip: Int, cycle: Double, isCoded: Bool = false
  ) throws -> [Double] {
    let bench = distortion.bench(2, seed: 9) { configuration, _ in configuration.supportsCoded = isCoded }
    var parameters = HCI.ExtendedAdvertisingParameters(
      set: 0, properties: [], intervalMinimum: UInt32(units), intervalMaximum: UInt32(units))
    parameters.secondaryMaximumSkip = UInt8(skip)
    if isCoded { (parameters.primaryPHY, parameters.secondaryPHY) = (.leCoded, .leCoded) }
    for command in [
      HCI.ExtendedCommand.leSetExtendedAdvertisingParameters(parameters),
      .leSetAdvertisingSetRandomAddress(0, RadioBench.address(0)),
      .leSetExtendedAdvertisingData(.init(set: 0, data: [2, 1, 6])),
      .leSetExtendedAdvertisingEnable(true, [.init(set: 0)]),
    ] { bench.command(0, .extended(command)) }
    bench.command(
      1,
      .extended(
        .leSetExtendedScanParameters(
          .init(phys: isCoded ? .leCoded : .le1M, entries: [.init(isActive: false, interval: 0x4000, window: 0x4000)])))
    )
    var stream = RandomStream(seed: 9, component: "law", purpose: "phase")
    let span = Int64(cycle * 6) * 1_000_000
    var waits: [Double] = []
    for _ in 0..<2_000 {
      let round = bench.timeline.now.nanoseconds / span + 1
      bench.run(until: .zero + .nanoseconds(round * span + Int64(stream.below(UInt64(span / 2)))))
      let start = bench.timeline.now
      bench.events[1].removeAll(keepingCapacity: true)
      bench.command(1, .extended(.leSetExtendedScanEnable(.init(isEnabled: true, duplicateFilter: .on))))
      let isFound = bench.run(until: start + .seconds(30)) {
        bench.events[1].contains {
          if case .extended(.leExtendedAdvertisingReport) = $0.event { true } else { false }
        }
      }
      guard isFound else { throw Unmeasurable("an advertiser was not found within 30 s") }
      waits.append((bench.timeline.now - start).milliseconds)
      bench.command(1, .extended(.leSetExtendedScanEnable(.init(isEnabled: false))))
    }
    return waits
  }
}
