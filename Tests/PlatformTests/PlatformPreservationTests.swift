import AppSeam
import BluetoothWire
import Expectations
import SimKernel
import Testing

@testable import Platform
@testable import VirtualRadio

@Suite("Apps that the system ends for want of memory")
struct PlatformPreservationTests {
  private static let written = AppInput.valueReceived(LinkID(0), characteristic: Apps.command, octets: [7])

  /// Without those about advertising, which goes on.
  private func inputs(_ bench: PlatformBench, since start: Int) -> [AppInput] {
    bench.inputs(0, since: start).filter { $0 != .advertisingStarted(true) }
  }

  private func write(_ bench: PlatformBench) throws {
    let link = try required(bench.link(1, to: 0))
    bench.perform(1, .writeWithoutResponse(link, characteristic: Apps.command, octets: [7]))
    bench.run(for: .seconds(1))
  }

  @Test("One that asked for it keeps its links, and is launched by what they bring, which it is told after its launch")
  func preserved() throws {
    let bench = try required(Apps.connected())
    bench.perform(0, .gap(.preserve(true)), .setTimer(TimerID(1), at: bench.now + .seconds(1)))
    let before = bench.seen.count
    bench.apply(.background, 0)
    bench.apply(.reclaim, 0)
    bench.run(for: .seconds(5))
    expect(bench.launches[0] == 1 && bench.platforms[0].links.count == 1 && bench.platforms[0].timers.isEmpty)
    equal(inputs(bench, since: before), [.background(true)])
    equal(bench.faults(0), [.background, .reclaim])
    try write(bench)
    equal(bench.launches[0], 2)
    equal(inputs(bench, since: before), [.background(true), .launched, .background(true), Self.written])
  }

  @Test("It holds for one launch: a second time the app has to ask again")
  func once() throws {
    let bench = try required(Apps.connected())
    bench.perform(0, .gap(.preserve(true)))
    bench.apply(.reclaim, 0)
    try write(bench)
    bench.apply(.reclaim, 0)
    bench.run(for: .seconds(1))
    expect(bench.faults(0) == [.reclaim, .kill] && bench.platforms[0].links.isEmpty)
  }

  @Test("For one that did not ask, it is a kill")
  func notPreserved() throws {
    let bench = try required(Apps.connected())
    bench.apply(.reclaim, 0)
    bench.run(for: .seconds(1))
    expect(bench.faults(0) == [.kill] && bench.platforms[0].links.isEmpty && bench.launches[0] == 1)
  }

  @Test("A person who closes it afterwards, or switches Bluetooth off, ends what was kept")
  func ended() throws {
    for fault in [DeviceFault.kill, .radioOff] {
      let bench = try required(Apps.connected())
      bench.perform(0, .gap(.preserve(true)))
      bench.apply(.reclaim, 0)
      bench.apply(fault, 0)
      bench.run(for: .seconds(2))
      expect(bench.platforms[0].links.isEmpty && bench.platforms[1].links.isEmpty && bench.launches[0] == 1)
    }
  }
}
