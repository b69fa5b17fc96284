import AppSeam
import Expectations
import SimKernel
import Testing

@testable import VirtualNetwork

/// Docs/virtual-network-laws.md, section 9.
@Suite("What Wi-Fi occupies of the 2.4 GHz band")
struct SpanTests {
  @Test("One saturated station: frames and answers in turn, 292 of 397.5 µs")
  func saturated() {
    let house = AirLawTests.pairs(1, AirLawTests.oneHop(.ofdm(megabits: 54), .social6))
    AirLawTests.saturate(house, [0], AirLawTests.full, for: .seconds(2))
    let spans = house.spans
    expect(spans.allSatisfy { $0.centre == 2_437 && $0.start < $0.end })
    for (before, after) in zip(spans, spans.dropFirst()) { expect(after.start >= before.end) }
    let lengths = Set(spans.map { ($0.end - $0.start).nanoseconds / 1_000 })
    // A frame of 1 538 octets, its answer, and a synchronisation frame.
    equal(lengths, [258, 34, 298])
    let frames = spans.filter { ($0.end - $0.start) == .microseconds(258) }
    expect(frames.allSatisfy { $0.device == 0 })
    expect(spans.filter { ($0.end - $0.start) == .microseconds(34) }.allSatisfy { $0.device == 1 })
    let busy = spans.reduce(0) { $0 + ($1.end - $1.start).nanoseconds }
    let share = Double(busy) / 2e9
    expect(abs(share - 292 / 397.5) < 0.015, "\(share)")
  }

  @Test("Nothing at 5 GHz; AWDL only in its windows on channel 6; an access point's beacons come from its place")
  func elsewhere() {
    let upper = AirLawTests.pairs(1, AirLawTests.oneHop(.ofdm(megabits: 54)))
    AirLawTests.saturate(upper, [0], AirLawTests.full, for: .milliseconds(500))
    expect(upper.spans.isEmpty)

    var room = AirLawTests.oneHop(.ofdm(megabits: 54))
    room.peerToPeer.active = nil
    let windows = AirLawTests.pairs(1, room)
    AirLawTests.saturate(windows, [0], AirLawTests.full, for: .seconds(3))
    expect(windows.spans.count > 1_000)
    for span in windows.spans {
      let start = ((span.start - .zero) / ChannelSequence.slot) % 16
      let end = ((span.end - .nanoseconds(1) - SimInstant.zero) / ChannelSequence.slot) % 16
      expect(start >= 8 && end >= 8, "\(span)")
    }

    var access = NetworkRoom()
    access.accessPoint?.channel = WiFiChannel(.twoPointFour, 11)
    let quiet = NetworkHouse(["ada", "bob"], access)
    quiet.run(to: .seconds(10))
    equal(quiet.spans.count, 97)
    expect(quiet.spans.allSatisfy { $0.device == NetworkWorld.accessPointStation && $0.centre == 2_462 })
  }
}
