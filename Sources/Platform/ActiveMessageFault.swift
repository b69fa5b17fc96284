/// A broken stack at work.
struct ActiveMessageFault {
  var rule: MessageFaultRule
  var seen = 0
  var hits = 0
  /// A value that waits to be overtaken by the next one of its link; the carrier is nil on the way in.
  var held: (value: Value, carrier: ValueCarrier?)?

  /// Whether this value is hit; counts it.
  mutating func strikes() -> Bool {
    if let count = rule.count, hits >= count { return false }
    seen += 1
    guard seen % max(1, rule.everyNth) == 0 else { return false }
    hits += 1
    return true
  }
}
