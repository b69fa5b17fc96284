import BluetoothWire
import SimKernel
import VirtualRadio

/// LE Coded, and what a link carries on each PHY.
extension RadioLaw {
  static let codedAirTime = RadioLaw(
    name: "coded-air-time", claim: "On LE Coded a PDU is on the air for its code, and its answer follows T_IFS later",
    source: "Core 5.4, Vol 6, Part B, 2.2, 3.3, 4.1.1, 4.5.10",
    form: "80 µs + 37 bits · 8 µs + (8 · (5 + payload) + 3) bits · S µs; 150 µs", tolerance: "exact", unit: "µs",
    decimals: 0, counterexample: .radio { configuration, _ in configuration.supportsCoded = false },
    measure: { distortion in
      var points: [LawPoint] = []
      for phy in [LL.AirPHY.codedS8, .codedS2] {
        for payload in [0, 27, 251] {
          let (bench, central, _) = try distortion.link(
            interval: 80, wantsAir: true, length: max(27, payload), phy: phy)
          if payload > 0 { bench.send(1, central, [UInt8](repeating: 1, count: payload)) }
          bench.run(for: .milliseconds(300))
          let sent = bench.air.enumerated().filter {
            $0.element.transmitter == 1 && $0.element.pdu.count == payload + 2
          }
          guard let pdu = sent.first, pdu.offset + 1 < bench.air.count else {
            throw Unmeasurable("no PDU of \(payload) octets was sent")
          }
          let answer = bench.air[pdu.offset + 1]
          points.append(
            .exact(
              "\(payload) octets, S = \(phy.symbols)", Double(Exchange.airTime(payload: payload, phy: phy)),
              pdu.element.duration.microseconds))
          points.append(
            .exact(
              "answer to \(payload) octets, S = \(phy.symbols)", Double(Exchange.interFrameSpace),
              (answer.start - (pdu.element.start + pdu.element.duration)).microseconds))
        }
      }
      return Outcome(points)
    })

  /// What a receiver gains on LE Coded, decibels: nRF52840 says −95, −99 and −103 dBm.
  private static func declaredGain(_ phy: LL.AirPHY) -> Double { phy == .codedS8 ? 8 : phy == .codedS2 ? 4 : 0 }

  static let codedRange = RadioLaw(
    name: "coded-range", claim: "LE Coded reaches farther by what its receiver gains",
    source:
      "nRF52840 Product Specification v1.7, RADIO: −95 dBm on LE 1M, −99 and −103 dBm on LE Coded; free space: "
      + "ITU-R P.525-4",
    form: "1 m · 10^((95 + g − 40.2) / (10 n)) at 0 dBm; g = 0, 4 and 8 dB",
    tolerance: "0.3 %: logarithms are made of "
      + "integers, 10 log₁₀ is off by less than 0.02 dB",
    unit: "m", decimals: 0, counterexample: .room { $0.referenceLoss += 10 },
    measure: { distortion in
      var points: [LawPoint] = []
      for exponent in [200, 270] {
        var room = RadioEnvironment.lossless
        room.pathLossExponent = exponent
        for phy in [LL.AirPHY.le1M, .codedS2, .codedS8] {
          var (heard, lost) = (100, 1_000_000)
          while lost - heard > 1 {
            let distance = (heard + lost) / 2
            let probe = distortion.probe(room, at: [Position(x: 0, y: 0), Position(x: distance, y: 0)])
            let fate = probe.fate(
              from: 0, to: 1, channel: 20, start: .zero + .milliseconds(1), payloadLength: 37, phy: phy)
            if fate == .received { heard = distance } else { lost = distance }
          }
          let n = Double(exponent) / 100
          let expected = RealNumbers.ratio(decibels: (95 + declaredGain(phy) - 40.2) / n)
          points.append(
            .within(
              expected * 0.003, "n = \(RealNumbers.text(n, decimals: 1)), \(phy.text)", expected, Double(heard) / 100))
        }
      }
      return Outcome(points)
    })

  static let codedNoise = RadioLaw(
    name: "coded-noise",
    claim: "Bits on LE Coded survive noise that is stronger by the gain of their block of the code",
    source: "as signal-to-noise; the gains are those of coded-range, and that a bit gains them whatever the noise is a "
      + "decision",
    form: "1 − (1 − b(SNR + 8 dB))^47 · (1 − b(SNR + g))^(8 · (5 + payload) + 3), b(x) = ½ e^(−x / 2)",
    tolerance: LawPoint.standardErrorsText, unit: "% lost", decimals: 3, counterexample: .room { $0.noiseFloor += 30 },
    measure: { distortion in
      var points: [LawPoint] = []
      for (phy, levels) in [(LL.AirPHY.codedS2, 5...8), (.codedS8, 1...4)] {
        for decibels in levels {
          for payload in [0, 37, 251] {
            let expected =
              1
              - BitErrors.codedSurvival(
                signalToNoise: Double(decibels), payload: payload, gain: declaredGain(phy),
                gainOfS8: declaredGain(.codedS8))
            if expected < 0.003 || expected > 0.997 { continue }
            let probe = distortion.probe(room(signalToNoise: decibels), at: pair)
            let tally = send(probe, count: 20_000, payload: payload, phy: phy, apart: .microseconds(40_013))
            points.append(
              .share(
                "\(decibels) dB, S = \(phy.symbols), \(payload) octets", expected, hits: tally.lost, of: tally.sent))
          }
        }
      }
      return Outcome(points)
    })

  static let phyThroughput = RadioLaw(
    name: "phy-throughput",
    claim: "With data length extension a saturated link carries a value of 244 octets in each exchange, on every PHY",
    source: "Core 5.4, Vol 6, Part B, 2.1, 2.2, 4.5.6, 4.5.10: 1402, 791, 372 and 110 kbit/s without pauses between "
      + "events",
    form: "⌊interval / (empty PDU + 150 µs + PDU of 251 octets + 150 µs)⌋ values an event",
    tolerance: "one event more or less", unit: "kbit/s", decimals: 1,
    counterexample: .radio { configuration, _ in configuration.maximumDataLength = 200 },
    measure: { distortion in
      var points: [LawPoint] = []
      for phy in [LL.AirPHY.le2M, .le1M, .codedS2, .codedS8] {
        for interval in [40, 80, 400] {
          let seconds = 20
          let values = Double(Exchange.longValues(in: interval * 1_250, phy: phy))
          let event = values * Exchange.longValueBits / 1_000
          let expected = event / (Double(interval) * 1.25 / 1_000)
          points.append(
            .within(
              event / Double(seconds), "\(phy.text), \(milliseconds(interval)) ms", expected,
              try longThroughput(distortion, phy, interval: UInt16(interval), seconds: seconds)))
        }
      }
      return Outcome(points)
    })

  /// kbit/s of a link whose peripheral always has a value of 244 octets to send.
  private static func longThroughput(_ distortion: Distortion, _ phy: LL.AirPHY, interval: UInt16, seconds: Int) throws
    -> Double
  {
    let (bench, _, peripheral) = try distortion.link(interval: interval, timeout: 3_200, length: 251, phy: phy) {
      configuration, _ in configuration.aclBuffers = 8
    }
    let octets = [UInt8](repeating: 0x5A, count: 251)
    bench.onMessage = { [unowned bench] device, message in
      guard device == 0, case .event(.numberOfCompletedPackets(let list)) = message else { return }
      for _ in 0..<list.reduce(0, { $0 + Int($1.count) }) {
        bench.world.controllers[0].submit(
          HCI.ACLData(handle: peripheral, boundary: .firstNonFlushable, octets: octets))
      }
    }
    for _ in 0..<8 { bench.send(0, peripheral, octets) }
    bench.run(for: .seconds(2))
    bench.received[1].removeAll()
    bench.run(for: .seconds(Int64(seconds)))
    let values = Double(bench.received[1].reduce(0) { $0 + $1.data.octets.count }) / 251
    return values * Exchange.longValueBits / 1_000 / Double(seconds)
  }

  static let codedDiscovery = RadioLaw(
    name: "coded-discovery", claim: "A scanner of LE Coded waits for an advertiser on LE Coded as one of LE 1M does",
    source:
      "the inspection paradox of renewal processes; Core 5.4, Vol 6, Part B, 2.2, 4.4.2.2; times between PDUs are "
      + "decisions",
    form:
      "E[G²] / 2 E[G] + 1.568 ms + 1.470 ms + AUX_ADV_IND, G uniform between interval and interval + 10 ms; 1.568 ms "
      + "from one ADV_EXT_IND to the next, 1.470 ms from the last one to AUX_ADV_IND",
    tolerance: LawPoint.standardErrorsText, unit: "ms", decimals: 2,
    counterexample: .radio { configuration, _ in configuration.clockPartsPerMillion = 100_000 },
    measure: { distortion in
      Outcome(
        try [32, 160].map { units in
          let interval = Double(units) * 0.625
          let mean = interval + Discovery.largestDelay / 2
          let variance = Discovery.largestDelay * Discovery.largestDelay / 12
          let announcement = Double(Exchange.airTime(payload: 7, phy: .codedS8)) / 1_000
          let spacing = announcement + 0.4
          // T_MAFS after it, in whole units of 30 µs.
          let offset = ((announcement + 0.3) / 0.03).rounded(.up) * 0.03
          let rest = spacing + offset + Double(Exchange.airTime(payload: 13, phy: .codedS8)) / 1_000
          var samples = Samples()
          for wait in try waits(distortion, units: units, skip: 0, cycle: mean, isCoded: true) { samples.add(wait) }
          let words = RealNumbers.text(interval, decimals: 0)
          return .mean("every \(words) ms", (mean * mean + variance) / (2 * mean) + rest, samples)
        })
    })
}

extension LL.AirPHY {
  /// Symbols a bit on LE Coded; 1 on the others.
  fileprivate var symbols: Int { coding?.symbols ?? 1 }
}
