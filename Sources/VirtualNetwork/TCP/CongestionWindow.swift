/// How much may be under way at once: slow start and congestion avoidance (RFC 5681, 3.1), NewReno's fast recovery
/// (RFC 6582, 3.2). Octets.
///
/// Not modelled: selective acknowledgements, Cubic, the restart after an idle time (RFC 5681, 4.1).
struct CongestionWindow {
  private let segment: Int
  private(set) var size: Int
  private(set) var threshold = Int.max
  private var repeatedAcknowledgements = 0
  /// Where recovery ends; nil: there is none.
  private(set) var recovery: Int?
  /// No second recovery begins before this is acknowledged.
  private var recovered = 0

  init(segment: Int, initialSegments: Int) {
    self.segment = segment
    size = segment * initialSegments
  }

  /// New octets are acknowledged.
  /// - Returns: whether the first one that is missing is to be sent again (a partial acknowledgement).
  mutating func acknowledged(_ count: Int, upTo number: Int, underWay: Int) -> Bool {
    repeatedAcknowledgements = 0
    if let end = recovery {
      if number >= end {
        recovery = nil
        recovered = end
        size = min(threshold, max(underWay, segment) + segment)
        return false
      }
      size = max(size - count, 0)
      if count >= segment { size += segment }
      return true
    }
    if size < threshold {
      size += min(count, segment)
    } else {
      size += max(segment * segment / size, 1)
    }
    return false
  }

  /// The same octet is asked for again while there are some under way.
  /// - Returns: whether it is to be sent again: the third time.
  mutating func repeated(_ number: Int, underWay: Int, sentUpTo end: Int) -> Bool {
    if recovery != nil {
      size += segment
      return false
    }
    repeatedAcknowledgements += 1
    guard repeatedAcknowledgements == 3, number > recovered || recovered == 0 else { return false }
    threshold = max(underWay / 2, 2 * segment)
    size = threshold + 3 * segment
    recovery = end
    return true
  }

  /// Nothing came for the time of a retransmission (RFC 5681, 3.1, equation 4).
  mutating func timedOut(underWay: Int, sentUpTo end: Int, isFirst: Bool) {
    if isFirst { threshold = max(underWay / 2, 2 * segment) }
    size = segment
    recovery = nil
    recovered = end
    repeatedAcknowledgements = 0
  }
}
