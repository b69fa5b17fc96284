import SimKernel

/// The latest spans of time in which something was on, in order and without overlap.
///
/// PDUs are judged at their ends, so whoever asks goes back by one PDU at most (2 120 µs, Vol 6, Part B, 2.4.1); and
/// idle events are judged before they begin, so that others ask for what was long before the newest span. What ended
/// longer ago than `memory` before the newest span is forgotten.
struct SpanLog {
  struct Span {
    var start: SimInstant
    var end: SimInstant
  }

  /// How far ahead of the present instant somebody may ask.
  static let foresight = SimDuration.seconds(2)
  static let memory = foresight + .microseconds(2_500)
  /// The newest one stays here: as a rule it answers, and no array is touched.
  private var newest = Span(start: .zero, end: .zero)
  private var older: [Span] = []
  private var first = 0

  mutating func append(_ span: Span) {
    let horizon = span.start - Self.memory
    while first < older.count, older[first].end < horizon { first += 1 }
    if first == older.count || first >= 16 + older.count / 2 {
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
    var index = firstOlder(notBefore: end)
    while index > first {
      index -= 1
      if older[index].end <= start { return }
      body(older[index])
    }
  }

  /// The place of the first older span that begins at `instant` or later.
  private func firstOlder(notBefore instant: SimInstant) -> Int {
    var (low, high) = (first, older.count)
    while low < high {
      let middle = (low + high) / 2
      if older[middle].start < instant { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func overlaps(from start: SimInstant, to end: SimInstant) -> Bool {
    var result = false
    forEach(from: start, to: end) { _ in result = true }
    return result
  }
}
