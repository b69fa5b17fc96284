import BluetoothWire
import SimKernel
import VirtualRadio

/// Propagation, noise and loss between two radios.
extension RadioLaw {
  static let pathLoss = RadioLaw(
    name: "path-loss", claim: "Loss grows with the logarithm of the distance",
    source: "free space at 2.44 GHz: ITU-R P.525-4; other exponents: ITU-R P.1238-11",
    form: "−(40.2 dB + 10 n log₁₀(d / 1 m)) at 0 dBm",
    tolerance: "n · 0.02 dB: the radio's logarithm is made of integers, and 10 log₁₀ is off by less than 0.02 dB",
    unit: "dBm", decimals: 2, counterexample: .room { $0.referenceLoss += 10 },
    measure: { distortion in
      var points: [LawPoint] = []
      for exponent in [200, 270, 330] {
        var room = RadioEnvironment.lossless
        room.pathLossExponent = exponent
        for distance in [100, 300, 1_000, 10_000] {
          let probe = distortion.probe(room, at: [Position(x: 0, y: 0), Position(x: distance, y: 0)])
          let (n, metres) = (Double(exponent) / 100, Double(distance) / 100)
          points.append(
            .within(
              n * 0.02, "n = \(RealNumbers.text(n, decimals: 1)), \(RealNumbers.text(metres, decimals: 0)) m",
              -(40.2 + 10 * n * RealNumbers.decimalLogarithm(metres)), Double(probe.level(from: 0, to: 1)) / 100))
        }
      }
      return Outcome(points)
    })

  static let shadowing = RadioLaw(
    name: "shadowing", claim: "Each pair of devices has a constant extra loss that is uniform up to the room's value",
    source: "a decision, see Docs/Fidelity.md",
    form: "half the largest extra loss on average, largest / √12 its spread",
    tolerance: LawPoint.standardErrorsText, unit: "dB", decimals: 3, counterexample: .room { $0.shadowing += 50 },
    measure: { distortion in
      var room = RadioEnvironment.lossless
      room.shadowing = 800
      let places = (0..<80).map { Position(x: $0, y: 0) }
      let clear = Distortion.none.probe(.lossless, at: places)
      let probe = distortion.probe(room, at: places)
      var (losses, squares) = (Samples(), Samples())
      for one in places.indices {
        for other in 0..<one {
          let loss = Double(clear.level(from: one, to: other) - probe.level(from: one, to: other)) / 100
          losses.add(loss)
          squares.add((loss - 4) * (loss - 4))
        }
      }
      return Outcome([
        .mean("mean of pairs, at most 8 dB", 4, losses), .mean("mean square of loss − 4 dB, dB²", 64 / 12.0, squares),
      ])
    })

  static let capture = RadioLaw(
    name: "capture", claim: "The stronger of two PDUs at once arrives when it is 10 dB stronger, else neither",
    source: "Core 5.4, Vol 6, Part A, 4.2 (C/I co-channel); the margin of 10 dB is a decision",
    form: "⌊4 m / 10^(10 / (10 n))⌋ is the largest distance that is heard while another sends at 4 m",
    tolerance: "exact",
    unit: "cm", decimals: 0, counterexample: .room { $0.captureThreshold = 600 },
    measure: { distortion in
      Outcome(
        [200, 300].map { exponent in
          var room = RadioEnvironment.lossless
          room.pathLossExponent = exponent
          var (heard, lost) = (10, 400)
          while lost - heard > 1 {
            let distance = (heard + lost) / 2
            let probe = distortion.probe(
              room, at: [Position(x: 0, y: 0), Position(x: distance, y: 0), Position(x: -400, y: 0)])
            let start = SimInstant.zero + .milliseconds(1)
            for radio in 1...2 {
              probe.disturb(by: radio, channel: 0, start: start, end: start + .microseconds(352))
            }
            let fate = probe.fate(from: 1, to: 0, channel: 0, start: start, payloadLength: 34, phy: .le1M)
            if fate == .received { heard = distance } else { lost = distance }
          }
          let expected = 400 / RealNumbers.ratio(decibels: 1_000 / Double(exponent))
          return .exact(
            "n = \(RealNumbers.text(Double(exponent) / 100, decimals: 0))", expected.rounded(.down), Double(heard))
        })
    })

  /// What became of many PDUs from radio 0 to radio 1.
  struct Tally {
    var sent = 0
    var unheard = 0
    var corrupted = 0
    var lost: Int { unheard + corrupted }
  }

  /// Sends PDUs so far apart that what disturbed one has forgotten it at the next.
  static func send(
    _ probe: MediumProbe, count: Int, payload: Int, phy: LL.AirPHY = .le1M, channel: Int = 20,
    apart: SimDuration = .microseconds(15_013)
  ) -> Tally {
    var tally = Tally(sent: count)
    var start = SimInstant.zero + .milliseconds(5)
    for _ in 0..<count {
      switch probe.fate(from: 0, to: 1, channel: channel, start: start, payloadLength: payload, phy: phy) {
      case .received: break
      case .corrupted: tally.corrupted += 1
      case .unheard: tally.unheard += 1
      }
      start = start + apart
    }
    return tally
  }

  /// One metre apart.
  static let pair = [Position(x: 0, y: 0), Position(x: 100, y: 0)]

  static let bitErrorRate = RadioLaw(
    name: "bit-error-rate",
    claim: "A PDU is heard by the bits of preamble and access address, and intact by all of them",
    source: "independent bits; Core 5.4, Vol 6, Part B, 2.1",
    form: "1 − (1 − b)^bits; 40 bits on LE 1M and 48 on LE 2M decide whether it is heard",
    tolerance: LawPoint.standardErrorsText,
    unit: "% lost", decimals: 3, counterexample: .room { $0.bitErrorRate = .partsPerMillion(200) },
    measure: { distortion in
      var points: [LawPoint] = []
      for (errors, payload, phy) in [
        (100, 27, .le1M), (100, 251, .le1M), (1_000, 0, .le1M), (1_000, 27, .le2M), (1_000, 251, .le2M),
      ] as [(Int, Int, LL.AirPHY)] {
        var room = RadioEnvironment.lossless
        room.bitErrorRate = .partsPerMillion(UInt64(errors))
        let tally = send(distortion.probe(room, at: pair), count: 40_000, payload: payload, phy: phy)
        let rate = Double(errors) / 1_000_000
        let name = "b = \(errors) · 10⁻⁶, \(payload) octets on \(phy.text)"
        let bits = BitErrors.bits(payload: payload, phy: phy)
        points.append(
          .share(name, 1 - BitErrors.survival(rate, bits: bits), hits: tally.lost, of: tally.sent))
        points.append(
          .share(
            name + ", unheard", 1 - BitErrors.survival(rate, bits: BitErrors.syncBits(phy)), hits: tally.unheard,
            of: tally.sent))
      }
      return Outcome(points)
    })

  /// A room in which radio 1 hears radio 0 at that signal-to-noise ratio, whatever the loss between them is.
  static func room(signalToNoise decibels: Int) -> RadioEnvironment {
    var room = RadioEnvironment()
    room.noiseFloor = Distortion.none.probe(room, at: pair).level(from: 0, to: 1) - decibels * 100
    return room
  }

  static let signalToNoise = RadioLaw(
    name: "signal-to-noise", claim: "Bits survive noise as those of a non-coherent receiver of binary FSK do",
    source: "Proakis, Digital Communications, non-coherent detection of orthogonal signals",
    form: "1 − (1 − ½ e^(−SNR / 2))^bits", tolerance: LawPoint.standardErrorsText, unit: "% lost", decimals: 3,
    counterexample: .room { $0.noiseFloor += 30 },
    measure: { distortion in
      var points: [LawPoint] = []
      var curves: [LawFigure.Curve] = []
      for payload in [0, 37, 251] {
        func expected(_ decibels: Double) -> Double {
          1 - BitErrors.survival(signalToNoise: decibels, payload: payload)
        }
        var measured: [(x: Double, y: Double)] = []
        for decibels in 8...13 where expected(Double(decibels)) > 0.003 && expected(Double(decibels)) < 0.997 {
          let tally = send(distortion.probe(room(signalToNoise: decibels), at: pair), count: 40_000, payload: payload)
          let point = LawPoint.share(
            "\(decibels) dB, \(payload) octets", expected(Double(decibels)), hits: tally.lost, of: tally.sent)
          points.append(point)
          measured.append((Double(decibels), point.measured))
        }
        curves.append(
          .init(
            name: "\(payload) octets",
            expected: (0...64).map { step in
              let decibels = 6 + Double(step) / 8
              return (x: decibels, y: expected(decibels) * 100)
            }, measured: measured))
      }
      return Outcome(
        points,
        figure: LawFigure(
          name: "noise", title: "PDUs lost on LE 1M, over the signal-to-noise ratio",
          x: .init(title: "dB", ticks: [6, 8, 10, 12, 14].map { ($0, RealNumbers.text($0, decimals: 0)) }),
          y: .init(title: "percent", ticks: [0, 25, 50, 75, 100].map { ($0, RealNumbers.text($0, decimals: 0)) }),
          curves: curves))
    })

  static let sensitivity = RadioLaw(
    name: "sensitivity", claim: "The default noise gives a receiver of −93 dBm",
    source:
      "Core 5.4, Vol 6, Part A, 4.1: BER 0.1 %, that is 30.8 % of PDUs with 37 octets; −104 dBm of noise is a decision",
    form: "the weakest whole dBm at which at most 30.8 % of PDUs with 37 octets are lost", tolerance: "exact",
    unit: "dBm",
    decimals: 0, counterexample: .room { $0.noiseFloor += 100 },
    measure: { distortion in
      let weakest = (-100 ... -85).first { level in
        var room = RadioEnvironment()
        room.referenceLoss += Distortion.none.probe(room, at: pair).level(from: 0, to: 1) - level * 100
        let tally = send(distortion.probe(room, at: pair), count: 10_000, payload: 37)
        return tally.lost * 1_000 <= tally.sent * 308
      }
      guard let weakest else { throw Unmeasurable("the receiver hears nothing") }
      return Outcome([.exact("LE 1M", -93, Double(weakest))])
    })

  static let bursts = RadioLaw(
    name: "bursts",
    claim: "In a room with bursts a PDU is lost when the pair of radios is in its bad state at any time of it",
    source: "Gilbert, Bell System Technical Journal 39 (1960); Elliott, 42 (1963); in continuous time",
    form: "1 − good / (good + bad) · e^(−T / good)", tolerance: LawPoint.standardErrorsText, unit: "% lost",
    decimals: 2,
    counterexample: .room { $0.bursts?.meanBad = .milliseconds(120) },
    measure: { distortion in
      Outcome(
        [(400, 100), (40, 10), (5, 5)].map { good, bad in
          var room = RadioEnvironment.lossless
          room.bursts = .init(
            meanGood: .milliseconds(Int64(good)), meanBad: .milliseconds(Int64(bad)), lossInGood: .never,
            lossInBad: .always)
          let time = Double(Exchange.airTime(payload: 251, phy: .le1M)) / 1_000
          let expected = 1 - Double(good) / Double(good + bad) * RealNumbers.exponential(-time / Double(good))
          // Ten times the memory of both states apart.
          let apart = SimDuration.microseconds(10_000 * Int64(good * bad) / Int64(good + bad))
          let tally = send(distortion.probe(room, at: pair), count: 20_000, payload: 251, apart: apart)
          return .share("\(good) ms good, \(bad) ms bad", expected, hits: tally.lost, of: tally.sent)
        })
    })
}
