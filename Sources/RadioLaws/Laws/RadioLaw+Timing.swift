import BluetoothWire
import SimKernel
import VirtualRadio

/// Times on air and within connection events.
extension RadioLaw {
  static let airTime = RadioLaw(
    name: "air-time", claim: "A PDU is on the air for its octets, and its answer follows T_IFS later",
    source: "Core 5.4, Vol 6, Part B, 2.1, 4.1.1, 4.5.10",
    form: "(10 + payload) · 8 µs on LE 1M, (11 + payload) · 4 µs on LE 2M; 150 µs", tolerance: "exact", unit: "µs",
    decimals: 0, counterexample: .radio { configuration, _ in configuration.supports2M = false },
    measure: { distortion in
      var points: [LawPoint] = []
      for phy in [LL.AirPHY.le1M, .le2M] {
        for payload in [0, 27, 251] {
          let (bench, central, _) = try distortion.link(wantsAir: true, length: max(27, payload), phy: phy)
          if payload > 0 { bench.send(1, central, [UInt8](repeating: 1, count: payload)) }
          bench.run(for: .milliseconds(100))
          let sent = bench.air.enumerated().filter {
            $0.element.transmitter == 1 && $0.element.pdu.count == payload + 2
          }
          guard let pdu = sent.first else { throw Unmeasurable("no PDU of \(payload) octets was sent") }
          let answer = bench.air[pdu.offset + 1]
          points.append(
            .exact(
              "\(payload) octets on \(phy.text)", Double(Exchange.airTime(payload: payload, phy: phy)),
              (pdu.element.duration).microseconds))
          points.append(
            .exact(
              "answer to \(payload) octets on \(phy.text)", Double(Exchange.interFrameSpace),
              (answer.start - (pdu.element.start + pdu.element.duration)).microseconds))
        }
      }
      return Outcome(points)
    })

  static let timePerValue = RadioLaw(
    name: "time-per-value",
    claim:
      "A peripheral that always has a value to send needs the time of its PDUs, of the empty ones between and T_IFS",
    source: "Core 5.4, Vol 6, Part B, 2.1, 2.4; the third row is Gomez, Oller and Paradells, Sensors 2012, 12, 11734, "
      + "whose 236.7 kbit/s are 20 octets in 676 µs",
    form: "for each PDU of a value: time on air + 150 µs + an empty PDU + 150 µs", tolerance: "exact", unit: "µs",
    decimals: 0, counterexample: .radio { configuration, _ in configuration.maximumDataLength = 100 },
    measure: { distortion in
      let cases: [(Int, Int, LL.AirPHY)] = [
        (247, 251, .le1M), (247, 27, .le1M), (23, 27, .le1M), (247, 251, .le2M), (185, 251, .le1M),
      ]
      return Outcome(
        try cases.map { attMTU, length, phy in
          let expected = Exchange.timePerValue(attMTU: attMTU, length: length, phy: phy)
          let measured = try timePerValue(distortion, attMTU: attMTU, length: length, phy: phy, expected: expected)
          let rate = RealNumbers.text(Double((attMTU - 3) * 8) / Double(expected) * 1_000, decimals: 1)
          return .exact(
            "ATT_MTU \(attMTU), PDUs of \(length), \(phy.text): \(rate) kbit/s", Double(expected), measured)
        })
    })

  /// Microseconds from the arrival of one value to that of the next, within one connection event.
  private static func timePerValue(
    _ distortion: Distortion, attMTU: Int, length: Int, phy: LL.AirPHY, expected: Int
  ) throws -> Double {
    let (bench, _, peripheral) = try distortion.link(interval: 320, length: length, phy: phy) { configuration, _ in
      configuration.maximumDataLength = length
      configuration.aclBuffers = 80
    }
    // As many values as fit half an interval, queued before the event begins.
    let values = min(38, 200_000 / expected)
    let octets = [UInt8](repeating: 0x5A, count: attMTU + 4)
    bench.received[1].removeAll()
    for _ in 0..<values {
      for start in stride(from: 0, to: octets.count, by: 251) {
        bench.send(0, peripheral, Array(octets[start..<min(start + 251, octets.count)]))
      }
    }
    bench.run(for: .milliseconds(800))
    let instants = bench.received[1].map(\.at)
    guard bench.received[1].reduce(0, { $0 + $1.data.octets.count }) == values * octets.count else {
      throw Unmeasurable("values are missing")
    }
    let first = instants[instants.count / values - 1]
    return (instants[instants.count - 1] - first).microseconds / Double(values - 1)
  }

  static let waitForAnchor = RadioLaw(
    name: "wait-for-anchor",
    claim: "Data waits for the next event that the peripheral listens to; its own data for the next PDU it sends",
    source: "Core 5.4, Vol 6, Part B, 4.5.1, 4.5.6, 4.5.9; that a PDU is chosen T_IFS before it starts is a decision",
    form:
      "to the peripheral (L + 1) · interval / 2 + time on air + L / (L + 1) · 460 µs, the exchange of an empty PDU "
      + "that was sent while it slept, L the latency; from it interval / 2 + 150 µs + time on air",
    tolerance: "one step of 2000 evenly spaced phases", unit: "ms", decimals: 3,
    counterexample: .radio { configuration, _ in configuration.clockPartsPerMillion = 20_000 },
    measure: { distortion in
      var points: [LawPoint] = []
      for (sender, interval, latency) in [
        (1, 24, 0), (1, 24, 1), (1, 24, 4), (0, 6, 0), (0, 24, 0), (0, 80, 0),
      ] {
        let listening = sender == 1 ? latency + 1 : 1
        let period = Int64(interval) * 1_250_000 * Int64(listening)
        let mean = try meanWait(distortion, sender: sender, interval: interval, latency: latency, period: period)
        let span = Double(period) / 1_000_000
        let own = Exchange.airTime(payload: 7, phy: .le1M)
        let asleep = Double(latency) / Double(latency + 1)
        let after =
          sender == 1
          ? Double(own) + asleep * Double(Exchange.time(payload: 0, phy: .le1M))
          : Double(Exchange.interFrameSpace + own)
        points.append(
          .within(
            span / Double(phases),
            "\(sender == 1 ? "to" : "from") the peripheral, \(milliseconds(interval)) ms, latency \(latency)",
            span / 2 + after / 1_000, mean))
      }
      return Outcome(points)
    })

  private static let phases = 2_000

  /// Milliseconds from the instant at which a host hands down seven octets to their arrival, at evenly spaced phases.
  private static func meanWait(_ distortion: Distortion, sender: Int, interval: Int, latency: Int, period: Int64) throws
    -> Double
  {
    let (bench, central, peripheral) = try distortion.link(interval: UInt16(interval), latency: UInt16(latency))
    var samples = Samples()
    for _ in 0..<phases {
      let before = bench.received[1 - sender].count
      let start = bench.timeline.now
      bench.send(sender, sender == 1 ? central : peripheral, [1, 2, 3, 4, 5, 6, 7])
      bench.run(until: start + .nanoseconds(12 * period + period / Int64(phases)))
      guard bench.received[1 - sender].count == before + 1 else { throw Unmeasurable("a value did not arrive") }
      samples.add((bench.received[1 - sender][before].at - start).milliseconds)
    }
    return samples.mean
  }
}

extension RadioLaw {
  static let peripheralLatency = RadioLaw(
    name: "peripheral-latency", claim: "An idle peripheral answers every (latency + 1)th event",
    source: "Core 5.4, Vol 6, Part B, 4.5.1", form: "latency + 1", tolerance: "exact",
    unit: "events from answer to answer",
    decimals: 0, counterexample: .radio { configuration, index in configuration.clockPartsPerMillion = index * 500 },
    measure: { distortion in
      Outcome(
        try [0, 1, 4, 30].map { latency in
          let (bench, _, _) = try distortion.link(latency: UInt16(latency), timeout: 600, wantsAir: true)
          bench.run(for: .seconds(30))
          let answers = bench.air.filter { $0.transmitter == 0 }.map(\.start)
          guard answers.count > 10 else { throw Unmeasurable("there are no answers") }
          let span = (answers[answers.count - 1] - answers[0]).milliseconds
          return .exact("latency \(latency)", Double(latency + 1), span / 30 / Double(answers.count - 1))
        })
    })
}

extension LL.AirPHY {
  /// As people write it.
  var text: String {
    switch self {
    case .le1M: "LE 1M"
    case .le2M: "LE 2M"
    case .codedS8: "LE Coded, S = 8"
    case .codedS2: "LE Coded, S = 2"
    }
  }
}

extension SimDuration {
  var microseconds: Double { Double(nanoseconds) / 1_000 }
  var milliseconds: Double { Double(nanoseconds) / 1_000_000 }
}

/// A connection interval in units of 1.25 ms, as people write it.
func milliseconds(_ interval: Int) -> String {
  RealNumbers.text(Double(interval) * 1.25, decimals: interval % 4 == 0 ? 0 : interval % 2 == 0 ? 1 : 2)
}

extension Distortion {
  /// Device 1 connected to device 0, with all that was asked for agreed: the world, the central's and the peripheral's
  /// handle.
  func link(
    in room: RadioEnvironment = .lossless, seed: UInt64 = 1, interval: UInt16 = 24, latency: UInt16 = 0,
    timeout: UInt16 = 400, wantsAir: Bool = false, length: Int = 27, phy: LL.AirPHY = .le1M,
    change: (inout RadioConfiguration, Int) -> Void = { _, _ in }
  ) throws -> (bench: RadioBench, central: HCI.ConnectionHandle, peripheral: HCI.ConnectionHandle) {
    let bench = bench(2, in: room, seed: seed, wantsAir: wantsAir) { configuration, index in
      configuration.supportsCoded = phy.isCoded
      change(&configuration, index)
    }
    for _ in 0..<20 {
      guard let (central, peripheral) = bench.connect(1, to: 0, interval: interval, latency: latency, timeout: timeout)
      else { continue }
      if length > 27 { bench.command(0, .leSetDataLength(peripheral, txOctets: UInt16(length), txTime: 17_040)) }
      if length > 27 { bench.command(1, .leSetDataLength(central, txOctets: UInt16(length), txTime: 17_040)) }
      if phy == .le2M { bench.command(1, .leSetPHY(central, tx: .le2M, rx: .le2M)) }
      if phy.isCoded {
        let options: HCI.PHYOptions = phy == .codedS2 ? .s2 : .s8
        for (device, handle) in [(1, central), (0, peripheral)] {
          bench.command(device, .leSetPHY(handle, tx: .leCoded, rx: .leCoded, options: options))
        }
      }
      bench.run(for: .seconds(length > 27 || phy != .le1M ? 8 : 1))
      guard bench.disconnections(of: 0).count < bench.connections(of: 0).count else { continue }
      bench.air.removeAll()
      return (bench, central, peripheral)
    }
    throw Unmeasurable("twenty attempts gave no link")
  }
}
