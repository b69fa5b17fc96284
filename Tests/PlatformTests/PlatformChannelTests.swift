import AppSeam
import BluetoothWire
import Expectations
import SimKernel
import Testing

@testable import Platform
@testable import VirtualRadio

@Suite("Services for channels that an app has published")
struct PlatformChannelTests {
  /// A server that listens, and the PSM.
  private func listening() throws -> (bench: PlatformBench, psm: UInt16) {
    let bench = try required(Apps.connected())
    bench.perform(0, .channel(.publish(isEncrypted: false)))
    guard case .channel(.published(let psm, false))? = bench.inputs(0).last else {
      throw Problem.notPublished
    }
    return (bench, psm)
  }

  private enum Problem: Error { case notPublished }

  /// The channel that a client gets on a PSM; nil: it is refused.
  private func open(_ psm: UInt16, _ bench: PlatformBench) throws -> ChannelID? {
    let before = bench.seen.count
    bench.perform(1, .channel(.open(try required(bench.link(1, to: 0)), psm: psm)))
    var answer: ChannelInput?
    expect(
      bench.wait {
        for case .channel(.opened(let link, let psm, let channel)) in bench.inputs(1, since: before) {
          answer = .opened(link, psm: psm, channel)
        }
        return answer != nil
      })
    guard case .opened(_, _, let channel)? = answer else { return nil }
    return channel
  }

  @Test("They stay, under their numbers, while Bluetooth is off")
  func power() throws {
    let (bench, psm) = try listening()
    bench.perform(0, .channel(.publish(isEncrypted: true)))
    try expect(open(psm, bench) != nil)
    bench.apply(.radioOff, 0)
    bench.run(for: .seconds(2))
    bench.apply(.radioOn, 0)
    bench.perform(0, .advertise(Apps.request))
    bench.perform(1, .connect(PlatformBench.address(0)))
    expect(bench.wait { bench.link(1, to: 0) != nil })
    try expect(open(psm, bench) != nil)
    try expect(open(psm + 1, bench) == nil, "the other one needs encryption, and this phone does not pair")
    try expect(open(psm + 2, bench) == nil, "nobody has published that one")
  }

  @Test("What is taken back stays away")
  func unpublished() throws {
    let (bench, psm) = try listening()
    bench.perform(0, .channel(.unpublish(psm: psm)))
    bench.apply(.radioOff, 0)
    bench.run(for: .seconds(2))
    bench.apply(.radioOn, 0)
    bench.perform(0, .advertise(Apps.request))
    bench.perform(1, .connect(PlatformBench.address(0)))
    expect(bench.wait { bench.link(1, to: 0) != nil })
    try expect(open(psm, bench) == nil)
  }

  @Test("They go with the app that is killed, and its next launch has the lowest number again")
  func kill() throws {
    let (bench, psm) = try listening()
    bench.apply(.kill, 0)
    bench.run(for: .seconds(2))
    bench.apply(.relaunch, 0)
    bench.perform(1, .connect(PlatformBench.address(0)))
    expect(bench.wait { bench.link(1, to: 0) != nil })
    try expect(open(psm, bench) == nil)
    bench.perform(0, .channel(.publish(isEncrypted: false)))
    equal(bench.inputs(0).last, .channel(.published(psm: psm, isRefused: false)))
    try expect(open(psm, bench) != nil)
  }
}
