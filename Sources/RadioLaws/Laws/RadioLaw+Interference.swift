import BluetoothWire
import SimKernel
import VirtualRadio

/// Transmitters that are not Bluetooth.
extension RadioLaw {
  private typealias Interferer = RadioEnvironment.Interferer

  /// As far from the receiver as the sender is, one metre.
  private static func room(_ interferers: [(Interferer.Spectrum, power: Int, Interferer.Activity)]) -> RadioEnvironment
  {
    var room = RadioEnvironment.lossless
    room.interferers = interferers.enumerated().map { index, interferer in
      Interferer(
        name: "interferer \(index)", position: Position(x: 200, y: 0), spectrum: interferer.0, power: interferer.power,
        activity: interferer.2)
    }
    return room
  }

  private static let always = Interferer.Activity.onOff(meanOn: .seconds(1_000_000), meanOff: .microseconds(1))

  static let strongInterferer = RadioLaw(
    name: "strong-interferer",
    claim:
      "An interferer that nothing survives costs the PDUs it overlaps: unheard or with a bad CRC by when it begins",
    source: "alternating renewal process with exponential times; Core 5.4, Vol 6, Part B, 4.5.1 (which PDUs are heard)",
    form:
      "unheard 1 − off / (on + off) · e^(−h / off), bad CRC the rest of e^(−T / off); on 1 ms, off 2 ms, h = 40 µs on "
      + "LE 1M, 24 µs on LE 2M",
    tolerance: LawPoint.standardErrorsText, unit: "%", decimals: 2,
    counterexample: .room {
      $0.interferers[0].activity = .onOff(meanOn: .milliseconds(1), meanOff: .microseconds(1_850))
    },
    measure: { distortion in
      var points: [LawPoint] = []
      for phy in [LL.AirPHY.le1M, .le2M] {
        for payload in [0, 251] {
          let probe = distortion.probe(
            room([(.flat(0...39), 1_000, .onOff(meanOn: .milliseconds(1), meanOff: .milliseconds(2)))]), at: pair)
          let expected = OnOff(on: 1_000, off: 2_000).strong(
            sync: phy == .le2M ? 24 : 40, duration: Double(Exchange.airTime(payload: payload, phy: phy)))
          let tally = send(probe, count: 50_000, payload: payload, phy: phy)
          let name = "\(payload) octets on \(phy.text)"
          points.append(.share(name + ", unheard", expected.unheard, hits: tally.unheard, of: tally.sent))
          points.append(.share(name + ", bad CRC", expected.corrupted, hits: tally.corrupted, of: tally.sent))
        }
      }
      return Outcome(points)
    })

  static let weakInterferer = RadioLaw(
    name: "weak-interferer", claim: "An interferer that is weaker than the PDU costs the bits that it covers",
    source: "Markov-modulated Poisson process; the bit error rate of law signal-to-noise",
    form:
      "(off, on) / (off + on) · exp([[−a, a], [b, −b − λ]] · T) · (1, 1), a = 1 / off, b = 1 / on, on 400 µs, off 600 µs",
    tolerance: LawPoint.standardErrorsText, unit: "% lost", decimals: 2,
    counterexample: .room { $0.interferers[0].power += 50 },
    measure: { distortion in
      Outcome(
        [(0, -850), (27, -950), (251, -1_100)].map { payload, power in
          let probe = distortion.probe(
            room([(.flat(0...39), power, .onOff(meanOn: .microseconds(400), meanOff: .microseconds(600)))]), at: pair)
          // The levels as the room was meant: signal over interferer in decibels is −power.
          let rate = BitErrors.rate(signalToNoise: -Double(power) / 100)
          let expected =
            1
            - OnOff(on: 400, off: 600).weak(
              rate: -RealNumbers.logarithm(1 - rate), duration: Double(Exchange.airTime(payload: payload, phy: .le1M)))
          let tally = send(probe, count: 50_000, payload: payload)
          return .share(
            "\(payload) octets, \(RealNumbers.text(-Double(power) / 100, decimals: 1)) dB weaker", expected,
            hits: tally.lost, of: tally.sent)
        })
    })

  static let wifiMask = RadioLaw(
    name: "wifi-mask",
    claim: "Wi-Fi 1, 6 and 11 reach the three advertising channels with the skirts of their spectra only",
    source: "IEEE 802.11-2020, 17.3.9.3 (mask), 15.4.4.3 (channels); Core 5.4, Vol 6, Part A, 2",
    form: "0 dBr to ±9 MHz, −20 at ±11, −28 at ±20, −40 from ±30 on, linear in between; loss by the sum of the noise",
    tolerance: "0.011 dB for levels, which are whole hundredths; for losses " + LawPoint.standardErrorsText
      + " and what 0.02 dB of the sum of levels come to",
    unit: "dBr, % lost", decimals: 2, counterexample: .room { $0.interferers[1].power += 100 },
    measure: { distortion in
      var points: [LawPoint] = []
      let channels = [1, 6, 11]
      for (rfChannel, index, power) in [(0, 37, -100), (12, 38, 700), (39, 39, 1_500)] {
        let probe = distortion.probe(room(channels.map { (.wifi($0), power, always) }), at: pair)
        var noise = RealNumbers.ratio(decibels: -104 + 40.2)
        for (interferer, wifi) in channels.enumerated() {
          let relative = mask(megahertz: abs(2_402 + 2 * rfChannel - (2_407 + 5 * wifi)))
          noise += RealNumbers.ratio(decibels: Double(power) / 100 + relative)
          let level = probe.level(ofInterferer: interferer, at: 1, onRFChannel: rfChannel) ?? 0
          points.append(
            .within(
              0.011, "Wi-Fi \(wifi) on channel index \(index)", relative,
              Double(level - power - probe.level(from: 0, to: 1)) / 100))
        }
        let ratio = -10 * RealNumbers.decimalLogarithm(noise)
        let tally = send(probe, count: 40_000, payload: 37, channel: rfChannel)
        func loss(_ decibels: Double) -> Double { 1 - BitErrors.survival(signalToNoise: decibels, payload: 37) }
        var point = LawPoint.share(
          "PDUs on channel index \(index)", loss(ratio), hits: tally.lost, of: tally.sent)
        point.allowed += 100 * (loss(ratio - 0.02) - loss(ratio))
        points.append(point)
      }
      return Outcome(points)
    })

  /// The mask of a 20 MHz channel that far from its middle, dBr.
  private static func mask(megahertz distance: Int) -> Double {
    let corners: [(at: Double, level: Double)] = [(9, 0), (11, -20), (20, -28), (30, -40)]
    let place = Double(distance)
    if place <= 9 { return 0 }
    for (left, right) in zip(corners, corners.dropFirst()) where place <= right.at {
      return left.level + (right.level - left.level) * (place - left.at) / (right.at - left.at)
    }
    return -40
  }

  static let carrierSense = RadioLaw(
    name: "carrier-sense",
    claim: "A Wi-Fi station is on the air for its airtime, and when saturated pauses for DIFS and back-off",
    source: "IEEE 802.11-2020, 10.3.4, 17.4.4 (DIFS 28 µs, slot 9 µs, aCWmin 15)",
    form: "its airtime; saturated frame / (frame + 28 µs + 7.5 · 9 µs); frames of 500 µs on average",
    tolerance: "4 standard errors of as many frames and pauses: share · (1 − share) · √(2 / frames), and 0.14 % of the "
      + "share, by which the table of exponential times is short",
    unit: "% of the time", decimals: 2,
    counterexample: .room {
      for index in $0.interferers.indices {
        $0.interferers[index].activity = .carrierSense(airtimePermille: 300, meanFrame: .microseconds(500))
      }
    },
    measure: { distortion in
      Outcome(
        [50, 200, 600, 999].map { airtime in
          let seconds = 40
          let probe = distortion.probe(
            room([(.wifi(6), 0, .carrierSense(airtimePermille: airtime, meanFrame: .microseconds(500)))]), at: pair)
          let time = probe.timeOn(ofInterferer: 0, until: .zero + .seconds(Int64(seconds)))
          let saturated = 500 / (500 + 28 + 7.5 * 9)
          let share = min(Double(airtime) / 1_000, saturated)
          let frames = share * Double(seconds) / 0.000_5
          let allowed = LawPoint.standardErrors * share * (1 - share) * (2 / frames).squareRoot() + 0.001_4 * share
          return LawPoint(
            label: airtime == 999 ? "saturated" : "airtime \(airtime / 10) %", expected: 100 * share,
            measured: 100 * Double(time.nanoseconds) / Double(seconds) / 1e9, allowed: 100 * allowed,
            samples: Int(frames))
        })
    })
}
