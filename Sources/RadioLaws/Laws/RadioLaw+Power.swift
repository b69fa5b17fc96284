import BluetoothWire
import SimKernel
import VirtualRadio

/// Power control on links.
extension RadioLaw {
  static let powerControl = RadioLaw(
    name: "power-control",
    claim: "A device that wants a level has its peers arrive with it, as far as they can send with less power",
    source: "Core 5.4, Vol 6, Part B, 5.1.17; 20 dB in steps of 1 dB, and 6 dB of tolerance, are decisions",
    form: "the level of full power, where it is at most 6 dB off or too low; else the wanted one, or 20 dB less than "
      + "that of full power", tolerance: "1.5 dB: a step, and what a level is rounded by", unit: "dBm", decimals: 1,
    counterexample: .radio { configuration, _ in configuration.wantedLevel = nil },
    measure: { distortion in
      var points: [LawPoint] = []
      let wanted = -60.0
      for metres in [1, 2, 4, 8, 16, 32] {
        let bench = distortion.bench(2, seed: UInt64(metres)) { configuration, index in
          configuration.supportsPowerControl = true
          if index == 1 {
            configuration.wantedLevel = Int(wanted * 100)
            configuration.position = Position(x: metres * 100, y: 0)
          }
        }
        guard let (central, _) = bench.connect(1, to: 0, interval: 6) else { throw Unmeasurable("no link") }
        let exponent = Double(RadioEnvironment.lossless.pathLossExponent) / 100
        let full = -(40.2 + 10 * exponent * RealNumbers.decimalLogarithm(Double(metres)))
        bench.command(1, .leReadRemoteFeatures(central))
        bench.run(for: .seconds(3))
        bench.events[1].removeAll()
        bench.command(1, .readRSSI(central))
        guard case .commandComplete(_, .success, let answer)? = bench.events[1].last?.event, answer.count == 3 else {
          throw Unmeasurable("no level was read")
        }
        let expected = full - wanted <= 6 ? full : max(wanted, full - 20)
        points.append(
          .within(1.5, "\(metres) m", expected, Double(Int8(bitPattern: answer[2]))))
      }
      return Outcome(points)
    })
}
