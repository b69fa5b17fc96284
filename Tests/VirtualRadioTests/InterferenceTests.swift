import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing
import VirtualRadio

/// The spectrum of interferers; what they cost PDUs is in the laws `strong-interferer`, `weak-interferer`, `wifi-mask`.
@Suite("Interference")
struct InterferenceTests {
  /// One metre from the receiver, as the sender is: the level is that of the sender plus `power`.
  private func interferer(
    _ name: String = "access point", _ spectrum: RadioEnvironment.Interferer.Spectrum = .flat(0...39), power: Int,
    _ activity: RadioEnvironment.Interferer.Activity
  ) -> RadioEnvironment.Interferer {
    .init(name: name, position: Position(x: 200, y: 0), spectrum: spectrum, power: power, activity: activity)
  }

  @Test("An interferer is strongest in the middle of its channel, and a flat one is silent beside itself")
  func spectra() {
    for wifi in [1, 6, 11] {
      let spectrum = RadioEnvironment.Interferer.Spectrum.wifi(wifi)
      equal(spectrum.attenuation(onRFChannel: (5 + 5 * wifi) / 2), 0)
    }
    let flat = RadioEnvironment.Interferer.Spectrum.flat(3...4)
    equal((2...5).map { flat.attenuation(onRFChannel: $0) }, [nil, 0, 0, nil])
  }

  @Test("A scanner finds an advertiser on each of the three channels under Wi-Fi 1, 6 and 11")
  func discovery() {
    var environment = RadioEnvironment.lossless
    environment.interferers = [1, 6, 11].map {
      interferer(
        "wifi \($0)", .wifi($0), power: -100, .onOff(meanOn: .seconds(1_000_000), meanOff: .microseconds(1)))
    }
    let bench = RadioBench(RadioBench.radios(2), environment: environment, wantsAir: true)
    bench.advertise(0, interval: 32)
    bench.command(1, .leSetScanParameters(.init(isActive: false, interval: 0x0100, window: 0x0100)))
    bench.command(1, .leSetScanEnable(true, filterDuplicates: false))
    bench.run(for: .seconds(20))
    for rfChannel: UInt8 in [0, 12, 39] {
      let heard = bench.air.filter { $0.rfChannel == rfChannel && $0.fate == .received }
      // A third of 800 events.
      expect(heard.count > 150, "RF channel \(rfChannel): \(heard.count)")
    }
  }

  @Test("An external interferer is on when it is told, where its carrier is, and nowhere else in time")
  func external() {
    // Each event of the advertiser begins on RF channel 0; the interferer covers the first second, then a whole one is
    // quiet, and so on; for the last seconds its carrier is too far away to be heard.
    var environment = RadioEnvironment.lossless
    environment.interferers = [interferer(power: 3_000, .external)]
    environment.interferers[0].carrier = 2
    let bench = RadioBench(RadioBench.radios(3), environment: environment, wantsAir: true)
    bench.advertise(0, interval: 32)
    bench.command(1, .leSetScanParameters(.init(isActive: false, interval: 0x0100, window: 0x0100)))
    bench.command(1, .leSetScanEnable(true, filterDuplicates: false))
    var heard: [Int] = []
    for second in 0..<6 {
      let start = SimInstant.zero + .seconds(Int64(second))
      if second == 4 { bench.world.move(2, to: Position(x: 1_000_000_000, y: 0)) }
      if second % 2 == 0 { bench.world.noteInterference(0, from: start, to: start + .seconds(1)) }
      let before = bench.air.filter { $0.fate == .received }.count
      bench.run(for: .seconds(1))
      heard.append(bench.air.filter { $0.fate == .received }.count - before)
    }
    expect(heard[0] == 0 && heard[2] == 0)
    expect(heard[1] > 0 && heard[3] > 0 && heard[4] > 0 && heard[5] > 0, "\(heard)")
  }
}
