import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

/// How long radios are on, against closed forms. Empty PDUs of a link on LE 1M take 80 µs.
@Suite("Radio times")
struct RadioTimesTests {
  private static let advInd = SimDuration(nanoseconds: LL.airTime(payloadLength: 6, phy: .le1M))

  @Test("An idle link: 80 µs each way for every event, and the peripheral's window widening")
  func idleLink() throws {
    for stepsIdleEvents in [false, true] {
      let bench = RadioBench(RadioBench.radios(2), stepsIdleEvents: stepsIdleEvents)
      _ = try required(bench.connect(1, to: 0, interval: 80, timeout: 400))
      bench.run(for: .seconds(2))
      bench.world.settle()
      let (central, peripheral) = (bench.world.radioTimes(of: 1), bench.world.radioTimes(of: 0))
      let events = bench.world.statistics.connectionEvents
      bench.run(for: .seconds(100))
      bench.world.settle()
      let count = Int64(bench.world.statistics.connectionEvents - events)
      equal(count, 1_000)
      let (later, latest) = (bench.world.radioTimes(of: 1), bench.world.radioTimes(of: 0))
      equal(later.transmit - central.transmit, .microseconds(80) * count)
      equal(later.receive - central.receive, .microseconds(80) * count)
      equal(latest.transmit - peripheral.transmit, .microseconds(80) * count)
      // 40 ppm of 100 ms, and 16 µs.
      equal(latest.receive - peripheral.receive, .microseconds(80 + 20) * count)
      equal(later.scan, central.scan)
    }
  }

  @Test("A silent central: the peripheral's window is open on both sides, wider with each event that it misses")
  func silentCentral() throws {
    let bench = RadioBench(RadioBench.radios(2))
    _ = try required(bench.connect(1, to: 0, interval: 80, timeout: 100))
    bench.run(for: .seconds(2))
    bench.world.setRadio(1, isOn: false)
    bench.world.settle()
    let before = bench.world.radioTimes(of: 0).receive
    bench.run(for: .seconds(3))
    equal(bench.disconnections(of: 0).count, 1)
    let heard = bench.world.radioTimes(of: 0).receive - before
    // Windows 1, 2, … of the second until the supervision timeout.
    let windows: [Int64] = (1...10).map { (missed: Int64) -> Int64 in 8 * missed + 72 }
    let sums: [SimDuration] = windows.indices.map { SimDuration.microseconds(windows[...$0].reduce(0, +)) }
    expect(sums.suffix(2).contains(heard), "\(heard) is none of \(sums)")
  }

  @Test("A scanner listens in its windows, and not while its own radio advertises")
  func scanner() throws {
    let bench = RadioBench(RadioBench.radios(2))
    bench.command(0, .leSetScanParameters(HCI.ScanParameters(isActive: false, interval: 160, window: 40)))
    bench.command(0, .leSetScanEnable(true, filterDuplicates: true))
    bench.run(for: .seconds(10))
    equal(bench.world.radioTimes(of: 0).scan, .milliseconds(2_500))
    bench.command(0, .leSetScanEnable(false, filterDuplicates: true))
    bench.run(for: .seconds(10))
    equal(bench.world.radioTimes(of: 0).scan, .milliseconds(2_500))
    bench.command(0, .leSetScanParameters(HCI.ScanParameters(isActive: false, interval: 160, window: 160)))
    bench.command(0, .leSetScanEnable(true, filterDuplicates: true))
    bench.advertise(0, interval: 160)
    bench.run(for: .seconds(10))
    let times = bench.world.radioTimes(of: 0)
    // After each PDU T_IFS and 40 µs.
    let pdus = Int64(bench.world.statistics.advertisingPDUs)
    expect(pdus > 200)
    let busy = times.transmit + .microseconds(190) * pdus
    equal(times.receive, .microseconds(40) * pdus)
    let all = SimDuration.milliseconds(2_500) + .seconds(10)
    expect(times.scan >= all - busy && times.scan <= all - busy + .milliseconds(1), "\(times.scan), busy \(busy)")
  }

  @Test("A charge is currents times times; what is left is sleep")
  func charge() {
    var times = RadioTimes()
    times.transmit = .milliseconds(10)
    times.receive = .milliseconds(20)
    times.scan = .milliseconds(30)
    let currents = PhonePreset.Radio().currents
    // 71 µC, 325 µC, and 1.9 µA for 940 ms: 1.786 µC.
    equal(currents.charge(times, of: .seconds(1)), 71_000 + 325_000 + 1_786)
    times.scan = .seconds(3_600_000)
    expect(currents.charge(times, of: .seconds(3_600_000)) > 23_000_000_000_000)
  }

  @Test("Windows of a tuning are those that listen")
  func windows() {
    let tuning = Tuning(origin: SimInstant(nanoseconds: 1_000_000), interval: 16, window: 4, firstChannel: 0)
    func within(_ start: Int64, _ end: Int64) -> Int64 {
      tuning.windows(
        from: SimInstant(nanoseconds: start * 1_000), to: SimInstant(nanoseconds: end * 1_000)
      ).nanoseconds / 1_000
    }
    equal(within(0, 1_000), 0)
    equal(within(0, 2_000), 1_000)
    equal(within(3_000, 5_000), 500)
    equal(within(4_000, 11_000), 0)
    equal(within(0, 101_000), 25_000)
    equal(within(5, 5), 0)
  }
}
