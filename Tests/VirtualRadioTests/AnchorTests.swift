import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

/// What the keys of a phone fix that is drawn otherwise, as it is on the air.
@Suite("Anchors, hops and lengths of connection events")
struct AnchorTests {
  /// What device 0, the central, sends on its links, in order.
  private func polls(_ bench: RadioBench) -> [AirPDU] {
    bench.air.filter { $0.transmitter == 0 && $0.accessAddress != LL.advertisingAccessAddress }
  }

  @Test("The first anchor is where the offset says, 1.25 ms after CONNECT_IND at the earliest", arguments: [0, 10, 24])
  func offset(units: Int64) throws {
    let bench = RadioBench(
      RadioBench.radios(2) { configuration, _ in configuration.anchorOffset = .microseconds(1_250) * units },
      wantsAir: true)
    _ = try required(bench.connect(0, to: 1, interval: 24))
    bench.run(for: .seconds(1))
    let connect = try required(bench.air.first { $0.transmitter == 0 })
    let first = try required(polls(bench).first)
    equal(first.start - (connect.start + connect.duration), .microseconds(1_250) * (units + 1))
    expect(bench.disconnections(of: 0).isEmpty)
  }

  @Test("Links are as far apart as the spacing says", arguments: [2_500, 3_777] as [Int64])
  func spacing(microseconds: Int64) throws {
    let bench = RadioBench(
      RadioBench.radios(5) { configuration, _ in
        configuration.anchorOffset = .zero
        configuration.linkSpacing = .microseconds(microseconds)
      }, wantsAir: true)
    for peer in 1..<5 { _ = try required(bench.connect(0, to: peer, interval: 24)) }
    bench.run(for: .seconds(1))
    bench.air.removeAll()
    bench.run(for: .milliseconds(30))
    let phases = (1..<5).compactMap { peer in polls(bench).first { $0.receiver == peer }?.start }
    equal(phases.count, 4)
    let period: Int64 = 30_000_000
    let gaps = zip(phases.dropFirst(), phases).map { (($0 - $1).nanoseconds % period + period) % period }
    equal(gaps, [Int64](repeating: microseconds * 1_000, count: 3))
  }

  @Test("The hop increment is that of channel selection #1", arguments: [5, 11, 16] as [UInt8])
  func hop(increment: UInt8) throws {
    let bench = RadioBench(
      RadioBench.radios(2) { configuration, _ in
        configuration.hopIncrement = increment
        configuration.supportsChannelSelection2 = false
      }, wantsAir: true)
    _ = try required(bench.connect(0, to: 1, interval: 24))
    bench.run(for: .seconds(2))
    let channels = polls(bench).map { LL.channelIndex(rfChannel: $0.rfChannel) }
    expect(channels.count > 50)
    for (next, channel) in zip(channels.dropFirst(), channels) { equal(next, (channel + increment) % 37) }
  }

  @Test("An event ends with the last exchange that fits its length", arguments: [0, 1_000, 2_000, 5_000] as [Int64])
  func length(microseconds: Int64) throws {
    let bench = RadioBench(
      RadioBench.radios(2) { configuration, _ in
        configuration.maximumDataLength = 27
        configuration.maximumEventLength = .microseconds(microseconds)
      }, wantsAir: true)
    let (central, _) = try required(bench.connect(0, to: 1, interval: 24))
    bench.run(for: .seconds(1))
    bench.air.removeAll()
    for _ in 0..<8 { bench.send(0, central, [UInt8](repeating: 1, count: 27)) }
    bench.run(for: .seconds(1))
    // An exchange with 27 octets takes 676 µs, the last one without the T_IFS after it.
    let fitting = max(1, (microseconds + 150) / 676)
    let full = polls(bench).filter { $0.pdu.count == 29 }
    equal(full.count, 8)
    let bursts = full.reduce(into: [[SimInstant]]()) { bursts, pdu in
      if let last = bursts.last?.last, pdu.start - last < .milliseconds(5) {
        bursts[bursts.count - 1].append(pdu.start)
      } else {
        bursts.append([pdu.start])
      }
    }
    equal(bursts.first.map { Int64($0.count) }, min(8, fitting))
  }
}
