import Expectations
import SimKernel
import Testing

@testable import VirtualRadio

/// Interferers that sense the carrier.
@Suite("Wi-Fi stations")
struct SharedChannelTests {
  private func stations(_ airtimes: [Int], frame: SimDuration, channels: [Int]? = nil) -> Interference {
    Interference(
      airtimes.enumerated().map { index, airtime in
        RadioEnvironment.Interferer(
          name: "station \(index)", position: Position(x: 0, y: 0), spectrum: .wifi(channels?[index] ?? 6), power: 0,
          activity: .carrierSense(airtimePermille: airtime, meanFrame: frame))
      }, seed: 3)
  }

  /// The spans of every station within some seconds, asked for piece by piece.
  private func spans(_ interference: Interference, seconds: Int64) -> [[SpanLog.Span]] {
    var interference = interference
    var result: [[SpanLog.Span]] = Array(repeating: [], count: interference.interferers.count)
    for tick in 0..<seconds * 1_000 {
      let from = SimInstant.zero + .milliseconds(tick)
      for index in result.indices {
        var found: [SpanLog.Span] = []
        interference.times(of: index, to: from + .milliseconds(1)).forEach(from: from, to: from + .milliseconds(1)) {
          if $0.start >= from { found.append($0) }
        }
        result[index] += found.reversed()
      }
    }
    return result
  }

  private func share(_ spans: [SpanLog.Span], seconds: Int64) -> Double {
    Double(spans.map { ($0.end - $0.start).nanoseconds }.reduce(0, +)) / Double(seconds * 1_000_000_000)
  }

  @Test("A station alone sends DIFS after its last frame at least", arguments: [50, 200, 600])
  func airtime(permille: Int) {
    let times = spans(stations([permille], frame: .microseconds(500)), seconds: 60)[0]
    let pauses = zip(times.dropFirst(), times).map { $0.start - $1.end }
    expect(pauses.min()! >= .microseconds(28))
  }

  @Test("A saturated station waits for DIFS and 0 … 15 slots, and nothing else")
  func saturated() {
    let times = spans(stations([999], frame: .microseconds(500)), seconds: 30)[0]
    let pauses = zip(times.dropFirst(), times).map { ($0.start - $1.end).nanoseconds }
    equal(Set(pauses), Set((0..<16).map { 28_000 + 9_000 * $0 }))
  }

  @Test("Stations on overlapping channels take turns; on channels 1, 6 and 11 they do not care")
  func turns() {
    let near = spans(stations([400, 400, 400], frame: .microseconds(800), channels: [6, 6, 8]), seconds: 20)
    let all = near.joined().sorted { $0.start < $1.start }
    expect(zip(all.dropFirst(), all).allSatisfy { $0.start >= $1.end + .microseconds(28) })
    expect(near.allSatisfy { share($0, seconds: 20) > 0.2 })
    let far = spans(stations([400, 400, 400], frame: .microseconds(800), channels: [1, 6, 11]), seconds: 20)
    for times in far { expect(abs(share(times, seconds: 20) / 0.4 - 1) < 0.04) }
    let mixed = far.joined().sorted { $0.start < $1.start }
    expect(zip(mixed.dropFirst(), mixed).contains { $0.start < $1.end })
  }

  @Test("What a station sends does not depend on who asks, nor when")
  func independence() {
    var often = stations([300, 300], frame: .microseconds(300))
    var seldom = often
    for tick in 1...10_000 { _ = often.times(of: tick % 2, to: .zero + .microseconds(Int64(tick) * 700)) }
    let end = SimInstant.zero + .milliseconds(7_000)
    for index in 0..<2 {
      var texts: [[SimInstant]] = [[], []]
      often.times(of: index, to: end).forEach(from: end - SpanLog.memory, to: end) { texts[0] += [$0.start, $0.end] }
      seldom.times(of: index, to: end).forEach(from: end - SpanLog.memory, to: end) { texts[1] += [$0.start, $0.end] }
      equal(texts[0], texts[1])
    }
    // A further station on a channel of its own changes nothing.
    let alone = spans(stations([300], frame: .microseconds(300), channels: [1]), seconds: 2)[0].map(\.start)
    let beside = spans(stations([300, 300], frame: .microseconds(300), channels: [1, 11]), seconds: 2)[0].map(\.start)
    equal(alone, beside)
  }
}
