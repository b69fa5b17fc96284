import SimKernel

/// The devices of one lobby, and the things that they show after their leader.
struct MeasuredLobby {
  /// One thing that devices show.
  private struct Thing {
    /// When the leader showed it; nil: it has not.
    var led: SimInstant?
    var first: SimInstant
    var last: SimInstant
    /// Devices that have shown it.
    var shown: [Int]
  }

  private struct Kind {
    var things: [String: Thing] = [:]
    /// In the order in which they were first shown.
    var order: [String] = []
    /// The newest that each device shows, by its index.
    var newest: [Int: String] = [:]
    /// Those of things that are forgotten.
    var spreads: [Int64] = []
  }

  /// Index of its protocol.
  let app: Int
  let name: String
  private(set) var leader: Int?
  private(set) var followers: [Int] = []
  /// When the first of them began to look for it.
  private(set) var sought: SimInstant?
  /// All of them have taken part at once.
  var wasWhole = false
  private var kinds: [Kind]

  /// Things of a kind that are remembered; nobody shows a thing after so many others.
  private static let limit = 1_024

  init(app: Int, name: String, kinds: Int) {
    self.app = app
    self.name = name
    self.kinds = (0..<kinds).map { _ in Kind() }
  }

  mutating func add(_ device: Int, leads: Bool) {
    if leads { leader = leader ?? device } else { followers.append(device) }
  }

  mutating func seek(at now: SimInstant) { sought = sought ?? now }

  /// - Returns: when the leader showed it, where another device shows it now for the first time.
  mutating func show(_ thing: String, kind: Int, by device: Int, at now: SimInstant) -> SimInstant? {
    kinds[kind].newest[device] = thing
    guard var known = kinds[kind].things[thing] else {
      kinds[kind].things[thing] = Thing(led: device == leader ? now : nil, first: now, last: now, shown: [device])
      kinds[kind].order.append(thing)
      forget(kind)
      return nil
    }
    if known.shown.contains(device) { return nil }
    known.shown.append(device)
    known.last = now
    if device == leader { known.led = now }
    kinds[kind].things[thing] = known
    return device == leader ? nil : known.led
  }

  /// All at once: nobody is late with what a device was not there to show.
  mutating func restore(_ things: [String], kind: Int, by device: Int) { kinds[kind].newest[device] = things.last }

  /// Whether a device shows the newest thing that its leader shows.
  func isUpToDate(_ device: Int, kind: Int) -> Bool {
    guard let leader, let newest = kinds[kind].newest[leader] else { return true }
    return kinds[kind].newest[device] == newest
  }

  private mutating func forget(_ kind: Int) {
    guard kinds[kind].order.count > 2 * Self.limit else { return }
    for thing in kinds[kind].order.prefix(Self.limit) {
      guard let known = kinds[kind].things.removeValue(forKey: thing) else { continue }
      if known.shown.count > 1 { kinds[kind].spreads.append((known.last - known.first).nanoseconds) }
    }
    kinds[kind].order.removeFirst(Self.limit)
  }

  /// By kind, in the order in which things were first shown: from the first to the last device that shows one.
  var spreads: [[Int64]] {
    kinds.map { kind in
      kind.spreads
        + kind.order.compactMap { thing in
          guard let known = kind.things[thing], known.shown.count > 1 else { return nil }
          return (known.last - known.first).nanoseconds
        }
    }
  }
}
