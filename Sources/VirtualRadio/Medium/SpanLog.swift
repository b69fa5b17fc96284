import SimKernel

/// The latest spans of time in which something was on, in order and without overlap.
///
/// PDUs are judged at their ends, so whoever asks goes back by one PDU at most (2 120 µs, Vol 6, Part B, 2.4.1). What
/// ended longer ago than `memory` before the newest span is forgotten; the newest one may be as long as it will.
struct SpanLog {
  struct Span {
    var start: SimInstant
    var end: SimInstant
  }

  static let memory = SimDuration.microseconds(2_500)
  /// The newest one stays here: as a rule it answers, and no array is touched.
  private var newest = Span(start: .zero, end: .zero)
  private var older: [Span] = []
  private var first = 0

  mutating func append(_ span: Span) {
    assert(span.start >= newest.end && span.end >= span.start, "spans are in order and apart")
    let horizon = span.start - Self.memory
    while first < older.count, older[first].end < horizon { first += 1 }
    if first == older.count || first >= 16 {
      older.removeFirst(first)
      first = 0
    }
    if newest.end >= horizon { older.append(newest) }
    newest = span
  }

  /// Calls `body` with each span that overlaps `start ..< end`, the latest first.
  @inline(__always)
  func forEach(from start: SimInstant, to end: SimInstant, _ body: (Span) -> Void) {
    if newest.end <= start { return }
    if newest.start < end { body(newest) }
    if newest.start <= start { return }
    var index = older.count
    while index > first {
      index -= 1
      if older[index].end <= start { return }
      if older[index].start < end { body(older[index]) }
    }
  }

  func overlaps(from start: SimInstant, to end: SimInstant) -> Bool {
    var result = false
    forEach(from: start, to: end) { _ in result = true }
    return result
  }
}
