import AppSeam
import BluetoothWire
import SimKernel

/// What a recorded device still has to do, each thing at its time; at one time in the order in which it came about.
struct RecordedAgenda {
  enum Kind: Hashable {
    case answer(RequestID, [UInt8], UInt8?)
    case value(ATT.Handle, [UInt8])
    case end
  }

  struct Entry {
    var due: SimInstant
    var link: LinkID
    var kind: Kind
  }

  /// Sorted by `due`; those before `head` are done.
  private var entries: [Entry] = []
  private var head = 0

  var next: SimInstant? { head < entries.count ? entries[head].due : nil }

  mutating func add(_ entry: Entry) {
    let place = entries[head...].lastIndex { $0.due <= entry.due }.map { $0 + 1 } ?? head
    entries.insert(entry, at: place)
  }

  private mutating func remove(_ isMeant: (Entry) -> Bool) {
    entries.removeFirst(head)
    head = 0
    entries.removeAll(where: isMeant)
  }

  /// Something new begins on a link: the device says what it says now in place of what it would have said.
  ///
  /// Values of a characteristic that are still to come go on until the first new value of it; an end is no longer due.
  mutating func begin(_ said: [Recording.Said], on link: LinkID, at now: SimInstant) {
    remove { $0.link == link && $0.kind == .end }
    var begun: [ATT.Handle] = []
    for something in said {
      guard case .value(let handle, _) = something.kind, !begun.contains(handle) else { continue }
      begun.append(handle)
      let first = now + .nanoseconds(something.delay)
      remove { $0.link == link && $0.due >= first && $0.kind.isAbout(handle) }
    }
    for something in said {
      let due = now + .nanoseconds(something.delay)
      switch something.kind {
      case .value(let handle, let octets): add(Entry(due: due, link: link, kind: .value(handle, octets)))
      case .end: add(Entry(due: due, link: link, kind: .end))
      }
    }
  }

  /// The link is over.
  mutating func drop(_ link: LinkID) { remove { $0.link == link } }

  /// Nobody on the link listens to this characteristic any more.
  mutating func drop(_ handle: ATT.Handle, on link: LinkID) {
    remove { $0.link == link && $0.kind.isAbout(handle) }
  }

  /// Nothing is to be done any more.
  mutating func dropAll() { (entries, head) = ([], 0) }

  /// Takes what is due.
  mutating func take(until now: SimInstant) -> [Entry] {
    let first = head
    while head < entries.count, entries[head].due <= now { head += 1 }
    let taken = Array(entries[first..<head])
    if head * 2 > entries.count { remove { _ in false } }
    return taken
  }
}

extension RecordedAgenda.Kind {
  func isAbout(_ handle: ATT.Handle) -> Bool {
    if case .value(handle, _) = self { true } else { false }
  }
}
