/// Which of the things that a rule of a step is about are hit.
struct Strikes: Equatable {
  /// Every how many-th is hit, from the step on.
  var everyNth: Int
  /// How many are hit in all; nil: without end.
  var count: Int?
  private var seen = 0
  private var hits = 0

  init(everyNth: Int, count: Int?) { (self.everyNth, self.count) = (everyNth, count) }

  /// Whether this one is hit; counts it.
  mutating func strikes() -> Bool {
    if let count, hits >= count { return false }
    seen += 1
    guard seen % max(1, everyNth) == 0 else { return false }
    hits += 1
    return true
  }
}
