package import Bench
package import SimKernel

/// The newest octets of a log, bounded, with the instant at which each was taken over.
package struct LogTail {
  /// Octets up to an end, all taken over at one instant.
  private struct Stamp {
    var end: Int
    var instant: SimInstant
    var isAfterAnswers: Bool
  }

  package let limit: Int
  /// What is appended is taken over now.
  package var instant = SimInstant.zero
  /// Nothing more is asked of the program.
  package var isAfterAnswers = false
  private var octets: [UInt8] = []
  private var dropped = 0
  /// In the order of their ends; one for each instant at which something came, so no more than there are octets.
  private var stamps: [Stamp] = []

  package init(limit: Int) { self.limit = limit }

  package mutating func append(_ more: some Collection<UInt8>) {
    if more.isEmpty { return }
    octets.append(contentsOf: more)
    if let last = stamps.last, last.instant == instant, last.isAfterAnswers == isAfterAnswers {
      stamps[stamps.count - 1].end = count
    } else {
      stamps.append(Stamp(end: count, instant: instant, isAfterAnswers: isAfterAnswers))
    }
    // Only now and then, so that each octet is moved a bounded number of times.
    if octets.count > 2 * limit { trim() }
  }

  private mutating func trim() {
    guard octets.count > limit else { return }
    dropped += octets.count - limit
    octets.removeFirst(octets.count - limit)
    stamps.removeFirst(stamps.prefix { $0.end <= dropped }.count)
  }

  /// Octets so far, those that are not kept too.
  var count: Int { dropped + octets.count }

  /// As text; what is no UTF-8 shows as U+FFFD.
  package var text: String {
    var copy = self
    copy.trim()
    let head = copy.dropped > 0 ? "[\(copy.dropped) octets before this are not kept]\n" : ""
    return head + String(decoding: copy.octets, as: UTF8.self)
  }

  /// The same line by line, each at the instant of its end; lines without text are left out.
  package var lines: [AppLog.Line] {
    var copy = self
    copy.trim()
    var lines: [AppLog.Line] = []
    var start = 0
    var stamp = 0
    while start < copy.octets.count {
      let end = copy.octets[start...].firstIndex(of: 0x0A) ?? copy.octets.count
      let last = copy.dropped + min(end + 1, copy.octets.count)
      while copy.stamps[stamp].end < last { stamp += 1 }
      var line = copy.octets[start..<end]
      if line.last == 0x0D { line.removeLast() }
      let isCut = start == 0 && copy.dropped > 0
      if !line.isEmpty {
        lines.append(
          AppLog.Line(
            instant: copy.stamps[stamp].instant, text: (isCut ? "…" : "") + String(decoding: line, as: UTF8.self),
            isAfterAnswers: copy.stamps[stamp].isAfterAnswers))
      }
      start = end + 1
    }
    return lines
  }
}
