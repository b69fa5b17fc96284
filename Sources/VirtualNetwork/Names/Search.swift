import NetworkWire
import SimKernel

/// A browser's search for instances of one type, with what it has found.
struct Search {
  /// A record that is remembered, from its arrival to its end.
  struct Lifetime: Hashable {
    var arrived: SimInstant
    var end: SimInstant
    /// When it is asked for again, and how often it was (RFC 6762, 5.2).
    var refresh: SimInstant
    var refreshes = 0

    func isFresh(at now: SimInstant) -> Bool { now < arrived + (end - arrived) / 2 }
  }

  struct Instance {
    let name: String
    /// As names are compared.
    let key: DNSName
    var pointer: Lifetime?
    var place: Lifetime?
    var hostName = ""
    var port: UInt16 = 0
    /// Its TXT record, which is taken to live as long as its place: both come in one message.
    var record: [UInt8] = []
    /// When its place is asked for, while it is missing, and how long after that again.
    var askDue: SimInstant?
    var askInterval = SimDuration.zero
    /// The browser was told of it.
    var isTold = false

    var isThere: Bool { pointer != nil && place != nil }
    var deadline: SimInstant? {
      ([pointer, place].map { $0.map { min($0.refresh, $0.end) } } + [askDue]).compactMap(\.self).min()
    }
  }

  var type: String
  var nextQuery: SimInstant
  /// From the next query to the one after it.
  var interval: SimDuration
  /// In the order in which they were heard of.
  var instances: [Instance] = []

  var deadline: SimInstant { instances.compactMap(\.deadline).reduce(nextQuery, min) }
}
