/// The newest octets of a log, bounded.
package struct LogTail {
  package let limit: Int
  private var octets: [UInt8] = []
  private var dropped = 0

  package init(limit: Int) { self.limit = limit }

  package mutating func append(_ more: some Collection<UInt8>) {
    octets.append(contentsOf: more)
    // Only now and then, so that each octet is moved a bounded number of times.
    if octets.count > 2 * limit { trim() }
  }

  private mutating func trim() {
    guard octets.count > limit else { return }
    dropped += octets.count - limit
    octets.removeFirst(octets.count - limit)
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
}
