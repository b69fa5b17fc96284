import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

/// Centrals leave data channels on which events fail (Vol 6, Part B, 4.5.8.1; the method is ours, Docs/Fidelity.md).
@Suite("Adaptive hopping")
struct AdaptiveHoppingTests {
  private static let all: UInt64 = 0x1F_FFFF_FFFF

  /// Half of the time noise on RF channels 13 … 22, in runs of two milliseconds; advertising is untouched.
  private static let noisy = RadioEnvironment.noisy(on: 13...22)

  private func link(adapts: Bool, environment: RadioEnvironment = noisy) throws -> RadioBench {
    let bench = RadioBench(
      RadioBench.radios(2) { configuration, _ in configuration.adaptsChannels = adapts }, environment: environment,
      seed: 4, wantsAir: true)
    while bench.connections(of: 0).count - bench.disconnections(of: 0).count < 1 {
      _ = try required(bench.connect(1, to: 0, interval: 6, timeout: 3_200))
      bench.run(for: .milliseconds(100))
    }
    return bench
  }

  /// The central's polls of a span: their number, how many were lost, and how many were on a noisy channel.
  private func polls(_ bench: RadioBench, for span: SimDuration) -> (count: Int, lost: Int, noisy: Int) {
    bench.air.removeAll()
    bench.run(for: span)
    let polls = bench.air.filter { $0.transmitter == 1 && $0.accessAddress != LL.advertisingAccessAddress }
    let noisy = polls.filter { (13...22).contains($0.rfChannel) }.count
    return (polls.count, polls.filter { $0.fate != .received }.count, noisy)
  }

  @Test("A noisy part of the band is left within two windows, and the loss with it")
  func leaves() throws {
    let bench = try link(adapts: true)
    let before = polls(bench, for: .seconds(3))
    expect(before.noisy * 37 > before.count * 8, "ten channels of 37 are noisy")
    expect(before.lost * 100 > before.count * 8)
    // Two windows of 592 events last 8.9 s.
    bench.run(for: .seconds(8))
    let after = polls(bench, for: .seconds(10))
    expect(after.noisy * 50 < after.count, "\(after)")
    expect(after.lost * 100 < after.count, "\(after)")
    expect(bench.disconnections(of: 0).isEmpty && bench.disconnections(of: 1).isEmpty)
  }

  @Test("A central that does not adapt stays on all channels")
  func stays() throws {
    let bench = try link(adapts: false)
    bench.run(for: .seconds(11))
    let later = polls(bench, for: .seconds(10))
    expect(later.noisy * 37 > later.count * 8)
    expect(!bench.air.contains { $0.pdu.count > 2 && $0.pdu[0] & 3 == 3 && $0.pdu[2] == 0x01 })
  }

  @Test("What the host rules out stays out, whatever the controller finds good")
  func host() throws {
    let bench = try link(adapts: true)
    let low: UInt64 = 0xFFFF
    bench.command(1, .leSetHostChannelClassification(low))
    bench.run(for: .seconds(12))
    bench.air.removeAll()
    bench.run(for: .seconds(40))
    let used = bench.air.filter { $0.accessAddress != LL.advertisingAccessAddress }.map {
      LL.channelIndex(rfChannel: $0.rfChannel)
    }
    expect(used.count > 5_000 && used.allSatisfy { $0 < 16 })
  }

  /// One window in which each channel has that many failures; the channels that are good after it.
  private func window(_ assessment: inout ChannelAssessment, at now: SimInstant, failures: (Int) -> Int) -> UInt64? {
    var good: UInt64?
    for round in 0..<ChannelAssessment.eventsPerChannel {
      for channel in 0..<37 {
        let news = assessment.note(channel: channel, failed: round < failures(channel), used: Self.all, now: now)
        if let news { good = news }
      }
    }
    return good
  }

  @Test("Loss that hits all channels alike excludes none; a bad channel returns after its time; eight always stay")
  func assessment() {
    var assessment = ChannelAssessment()
    equal(window(&assessment, at: .zero) { _ in 5 }, Self.all)
    equal(window(&assessment, at: .zero) { $0 == 9 ? 16 : 1 }, Self.all & ~(1 << 9))
    equal(assessment.good(at: .zero + ChannelAssessment.exclusion), Self.all)
    var hopeless = ChannelAssessment()
    let left = window(&hopeless, at: .zero) { $0 < 8 ? 0 : 16 }
    equal(left, 0xFF)
    var worse = ChannelAssessment()
    expect(window(&worse, at: .zero) { $0 < 4 ? 0 : 16 }?.nonzeroBitCount ?? 0 >= ChannelAssessment.fewestChannels)
  }
}
