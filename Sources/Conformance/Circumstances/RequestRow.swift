import SimKernel

/// Requests that an app makes on a link one after the other: each begins right after the answer to the one before it.
struct RequestRow {
  /// So many say how long each takes.
  static let least = 8
  /// A longer pause between an answer and the next request begins another row.
  private static let pause = SimDuration.milliseconds(200)

  private(set) var count = 0
  private(set) var begin = SimInstant.zero
  private var asked: SimInstant?
  private var answered = SimInstant.zero

  /// How long each took so far.
  var mean: SimDuration { count == 0 ? .zero : (answered - begin) / Int64(count) }

  mutating func asks(at now: SimInstant) {
    if count > 0, asked == nil, now - answered > Self.pause { count = 0 }
    if count == 0 { begin = now }
    asked = now
  }

  mutating func isAnswered(at now: SimInstant) {
    guard asked != nil else { return }
    asked = nil
    answered = now
    count += 1
  }
}
