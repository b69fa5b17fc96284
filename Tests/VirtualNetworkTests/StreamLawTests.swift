import Expectations
import SimKernel
import Testing

@testable import VirtualNetwork

/// Docs/virtual-network-laws.md, section 6: what closed forms say, and what the ends do.
@Suite("Laws of TCP against closed forms")
struct StreamLawTests {
  /// Octets of data a second, between two instants, of a sender that always has some.
  private func throughput(_ pair: StreamPair, from begin: SimInstant, to end: SimInstant) -> Double {
    pair.countsOnly = true
    let piece = [UInt8](repeating: 7, count: 65_536)
    pair.open()
    let feed = {
      while pair.ends[0].room > 0 { _ = pair.send(Array(piece[..<min(65_536, pair.ends[0].room)]), from: 0) }
      return false
    }
    pair.run(to: begin, until: feed)
    let before = pair.receivedCount[1]
    pair.run(to: end, until: feed)
    return Double(pair.receivedCount[1] - before) / (Double((end - begin).nanoseconds) / 1e9)
  }

  @Test(
    "Throughput is the smaller of rate and window over round trip", arguments: [14_400, 28_800, 65_536, 131_072],
    [5, 20, 50, 200] as [Int64])
  func bandwidthDelay(window: Int, roundTrip: Int64) {
    var settings = StreamSettings()
    settings.receiveBuffer = window
    settings.sendBuffer = 1_000_000
    let pair = StreamPair(settings)
    pair.delay = .microseconds(roundTrip * 500)
    // 10 Mb/s of packets.
    pair.octetTime = .nanoseconds(800)
    let rate = 1_250_000.0 * 1_440 / 1_500
    // The round trip of a full window has the time of one segment and one acknowledgement on the wire.
    let trip = Double(roundTrip) / 1e3 + (1_500 + 60) * 800e-9
    // Only whole segments are sent while the window cuts the last one; and an acknowledgement goes before the app has
    // read what it acknowledges, which takes one segment of the window away.
    let expected = min(rate, Double((window / 1_440 - 1) * 1_440) / trip)
    let measured = throughput(pair, from: .seconds(3), to: .seconds(23))
    expect(abs(measured / expected - 1) < 0.05, "measured \(measured), expected \(expected)")
  }

  @Test(
    "Slow start: n segments are there after log2(n / 10 + 1) round trips and a half",
    arguments: [(14_400, 1.5), (100_000, 3.5), (1_048_576, 7.5)])
  func slowStart(count: Int, roundTrips: Double) {
    var settings = StreamSettings()
    settings.receiveBuffer = 4_000_000
    settings.sendBuffer = 4_000_000
    let pair = StreamPair(settings)
    pair.delay = .milliseconds(50)
    pair.octetTime = .nanoseconds(1)
    pair.open()
    _ = pair.send([UInt8](repeating: 1, count: count), from: 0)
    pair.run(to: .seconds(10)) { pair.receivedCount[1] == count }
    let measured = Double(pair.now.nanoseconds) / 100e6
    expect(abs(measured / roundTrips - 1) < 0.05, "measured \(measured)")
  }

  /// A cycle goes from h to 2h segments a round, one more each round, and has one round of recovery with h: so every
  /// k-th is lost where 3/2 · h · (h + 1) + h = k, after h + 2 rounds. In the limit it is √(3k/2) segments a round, the
  /// form of Mathis and others (MSMO).
  @Test(
    "Every k-th segment lost once: the saw-tooth in whole rounds",
    arguments: Part.of([300, 1_000, 3_000], 3, number: 1))
  func periodicLoss(every: Int) {
    var settings = StreamSettings()
    settings.receiveBuffer = 8_000_000
    settings.sendBuffer = 8_000_000
    let pair = StreamPair(settings)
    pair.octetTime = .nanoseconds(8)
    var count = 0
    pair.isLost = { end, segment, _ in
      guard end == 0, !segment.payload.isEmpty, !segment.isRepeat else { return false }
      count += 1
      return count % every == 0
    }
    let period = (3.0 * Double(every) / 2).squareRoot() * 0.75 * 0.02
    let half = ((6.25 + 6 * Double(every)).squareRoot() - 2.5) / 3
    let expected = Double(every) / (half + 2) * 1_440 / 0.02
    let begin = Int64(period * 20) + 20
    let measured = throughput(pair, from: .seconds(begin), to: .seconds(begin + Int64(period * 80) + 40))
    expect(abs(measured / expected - 1) < 0.05, "measured \(measured), expected \(expected), \(measured / expected)")
  }

  /// The seventh of ten segments has three later ones. The acknowledgement of the first of them also moves the window
  /// (NET 6.12), so that it is no duplicate (RFC 5681, 2 (e)) and only the timeout brings the segment. The timeout of
  /// 200 ms runs from the last acknowledgement, which comes a round trip of 20 ms after the segment.
  @Test("One lost segment with four later ones costs a round trip, one with fewer the timeout after another one")
  func repair() {
    let cases: [(lost: Int, cost: Int64)] = [(1, 20), (5, 20), (6, 20), (7, 220), (8, 220), (10, 220)]
    for (lost, cost) in cases {
      func duration(_ isLossy: Bool) -> SimDuration {
        let pair = StreamPair()
        var count = 0
        pair.isLost = { end, segment, _ in
          guard isLossy, end == 0, !segment.payload.isEmpty, !segment.isRepeat else { return false }
          count += 1
          return count == lost
        }
        pair.open()
        _ = pair.send([UInt8](repeating: 1, count: 14_400), from: 0)
        pair.run(to: .seconds(10)) { pair.receivedCount[1] == 14_400 }
        return pair.now - .zero
      }
      let difference = duration(true) - duration(false) - .milliseconds(cost)
      expect(abs(difference.nanoseconds) <= 1_000_000, "\(lost): \(difference)")
    }
  }
}
