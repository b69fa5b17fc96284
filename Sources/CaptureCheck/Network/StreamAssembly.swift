import SimKernel

/// Puts the octets that one side of a connection sends into their order (RFC 9293, 3.4 and 3.10).
///
/// Repetitions are passed over, keep-alives too; segments that came early are held until those before them are there.
/// What is missing for good becomes a gap, and is never made up: when the other end has acknowledged it and it has not
/// turned up within `slack`, when the connection or the capture ends, or when too much is held.
struct StreamAssembly {
  /// Octets that are held, `cost` for each segment in addition, and segments.
  static let heldLimit = 8 << 20
  static let segmentLimit = 4_096
  static let cost = 64
  /// Machines with several queues show an acknowledgement before what it acknowledges, by less than this.
  static let slack = SimDuration.milliseconds(100)
  /// Sequence numbers that are further away are those of something else: no window is so large in practice.
  static let longestJump = 1 << 26

  enum Piece {
    case octets(at: Int, ArraySlice<UInt8>)
    case gap(at: Int, missing: Int?, StreamGap)
    /// A segment came that ends there, and others before it have not.
    case ahead(upTo: Int)
    case finished
  }

  /// Octets that came early, or that never will.
  private struct Held {
    var start: Int
    var octets: ArraySlice<UInt8>
    /// After them.
    var missing = 0
    var why = StreamGap.snapped

    var count: Int { octets.count + missing }
    var end: Int { start + count }
    var cost: Int { octets.count + StreamAssembly.cost }
  }

  /// The sequence number of the octet at `offset`; nil before anything tells it.
  private(set) var next: UInt32?
  /// Octets that have been handed out or given up.
  private(set) var offset = 0
  /// By their start, without overlaps.
  private var held: [Held] = []
  /// The offset after the last octet that came early.
  private var ahead = 0
  /// What `held` costs.
  private(set) var heldCost = 0
  /// The offset after the last octet, once a FIN tells it.
  private var end: Int?
  private(set) var isFinished = false
  /// The other end has everything before it.
  private var proven = 0
  /// Since when that is more than what was handed out.
  private var provenAt: SimInstant?

  /// Where octets begin: after a SYN, or where the capture finds the connection.
  mutating func begin(at sequence: UInt32) {
    if next == nil { next = sequence }
  }

  /// How far a sequence number is from the start, for one that is near.
  private func position(_ sequence: UInt32, _ next: UInt32) -> Int {
    offset + Int(Int32(bitPattern: sequence &- next))
  }

  /// Whether a sequence number is one that the other end would take.
  func isNear(_ sequence: UInt32) -> Bool {
    guard let next else { return true }
    return Int32(bitPattern: sequence &- next).magnitude <= 1 << 20
  }

  /// A segment.
  /// - Parameters:
  ///   - sequence: of its first octet.
  ///   - missing: octets after `octets` that the capturer cut off.
  ///   - isLast: it has a FIN after its octets.
  mutating func take(
    _ octets: ArraySlice<UInt8>, missing: Int, sequence: UInt32, isLast: Bool, into pieces: inout [Piece]
  ) {
    begin(at: sequence)
    guard let next, !isFinished, !octets.isEmpty || missing > 0 || isLast else { return }
    var start = position(sequence, next)
    if abs(start - offset) > Self.longestJump {
      if octets.isEmpty { return }
      jump(to: sequence, &pieces)
      if isFinished { return }
      start = offset
    }
    let last = start + octets.count + missing
    if isLast, end == nil, last >= offset {
      end = last
      // An acknowledgement of the FIN may have come before it.
      proven = min(proven, last)
    }
    add(Held(start: start, octets: octets, missing: missing), &pieces)
    settle(&pieces)
  }

  /// Takes away what has been there before and what comes after a FIN, hands out what is next, holds the rest.
  private mutating func add(_ segment: Held, _ pieces: inout [Piece]) {
    var rest = segment
    trimFront(&rest, to: offset)
    if let end { trimBack(&rest, to: end) }
    if rest.count == 0 { return }
    if rest.start == offset, held.first.map({ $0.start >= rest.end }) ?? true {
      hand(rest, &pieces)
    } else {
      hold(rest)
      if rest.start > offset, rest.end > ahead {
        ahead = rest.end
        pieces.append(.ahead(upTo: ahead))
      }
    }
    drain(&pieces)
    while heldCost > Self.heldLimit || held.count > Self.segmentLimit { giveUp(.beyondLimits, &pieces) }
  }

  private func trimFront(_ segment: inout Held, to start: Int) {
    guard segment.start < start else { return }
    let surplus = min(start - segment.start, segment.count)
    let known = min(surplus, segment.octets.count)
    segment.octets = segment.octets.dropFirst(known)
    segment.missing -= surplus - known
    segment.start += surplus
  }

  private func trimBack(_ segment: inout Held, to end: Int) {
    let surplus = min(max(0, segment.end - end), segment.count)
    let unknown = min(surplus, segment.missing)
    segment.missing -= unknown
    segment.octets = segment.octets.dropLast(surplus - unknown)
  }

  private mutating func hand(_ segment: Held, _ pieces: inout [Piece]) {
    if !segment.octets.isEmpty {
      pieces.append(.octets(at: offset, segment.octets))
      advance(segment.octets.count)
    }
    if segment.missing > 0 {
      pieces.append(.gap(at: offset, missing: segment.missing, segment.why))
      advance(segment.missing)
    }
  }

  private mutating func advance(_ count: Int) {
    offset += count
    next = next.map { $0 &+ UInt32(truncatingIfNeeded: count) }
  }

  /// Keeps a copy: a slice would keep the whole piece of the file. Octets that are there already stay; where the new
  /// ones differ, neither is believed.
  private mutating func hold(_ segment: Held) {
    var rest = segment
    var place = held.partitioningIndex { $0.end > rest.start }
    while rest.count > 0 {
      guard place < held.count, held[place].start < rest.end else {
        insert(rest, at: place)
        return
      }
      var front = rest
      trimBack(&front, to: held[place].start)
      if front.count > 0 {
        insert(front, at: place)
        place += 1
      }
      trimFront(&rest, to: held[place].start)
      if differs(held[place], rest) {
        heldCost -= held[place].octets.count
        held[place].missing = held[place].count
        held[place].octets = []
        held[place].why = .contradicted
      }
      trimFront(&rest, to: held[place].end)
      place += 1
    }
  }

  private mutating func insert(_ segment: Held, at place: Int) {
    var copy = segment
    copy.octets = Array(segment.octets)[...]
    heldCost += copy.cost
    held.insert(copy, at: place)
  }

  /// Whether octets of the same place are others. `segment` begins within `old`.
  private func differs(_ old: Held, _ segment: Held) -> Bool {
    let own = old.octets.dropFirst(segment.start - old.start)
    let count = min(own.count, segment.octets.count)
    return !own.prefix(count).elementsEqual(segment.octets.prefix(count))
  }

  /// Hands out what is held and is next.
  private mutating func drain(_ pieces: inout [Piece]) {
    var count = 0
    while count < held.count, held[count].start <= offset {
      var segment = held[count]
      heldCost -= segment.cost
      trimFront(&segment, to: offset)
      if let end { trimBack(&segment, to: end) }
      hand(segment, &pieces)
      count += 1
    }
    if count > 0 { held.removeFirst(count) }
    if offset >= proven { provenAt = nil }
  }

  private mutating func settle(_ pieces: inout [Piece]) {
    if let end, offset >= end, !isFinished {
      isFinished = true
      held = []
      heldCost = 0
      pieces.append(.finished)
    }
  }

  private mutating func skip(to position: Int, _ why: StreamGap, _ pieces: inout [Piece]) {
    guard position > offset else { return }
    pieces.append(.gap(at: offset, missing: position - offset, why))
    advance(position - offset)
    drain(&pieces)
  }

  /// Does without what is missing before the first segment that is held.
  mutating func giveUp(_ why: StreamGap, _ pieces: inout [Piece]) {
    if let first = held.first { skip(to: first.start, why, &pieces) }
    settle(&pieces)
  }

  private mutating func jump(to sequence: UInt32, _ pieces: inout [Piece]) {
    while !held.isEmpty { giveUp(.unfinished, &pieces) }
    if isFinished { return }
    pieces.append(.gap(at: offset, missing: nil, .jump))
    next = sequence
    end = nil
    proven = offset
    provenAt = nil
  }

  /// The other end says what it waits for.
  /// - Returns: the offset up to which it has everything, when that is news.
  mutating func acknowledge(_ sequence: UInt32, at instant: SimInstant) -> Int? {
    guard let next else {
      begin(at: sequence)
      return nil
    }
    var position = position(sequence, next)
    // A FIN takes a sequence number, too.
    if let end { position = min(position, end) }
    guard position > proven, position - offset <= Self.longestJump else { return nil }
    proven = position
    if proven > offset, provenAt == nil { provenAt = instant }
    return proven
  }

  /// Gives up what the other end has had for so long that it will not turn up.
  mutating func giveUpProven(at instant: SimInstant, _ pieces: inout [Piece]) {
    guard let since = provenAt, instant - since >= Self.slack else { return }
    giveUpProven(&pieces)
  }

  private mutating func giveUpProven(_ pieces: inout [Piece]) {
    while offset < proven { skip(to: min(proven, held.first?.start ?? proven), .missed, &pieces) }
    provenAt = nil
    settle(&pieces)
  }

  /// Nothing more will come.
  mutating func finish(_ pieces: inout [Piece]) {
    giveUpProven(&pieces)
    while !held.isEmpty { giveUp(.unfinished, &pieces) }
    if let end { skip(to: end, .unfinished, &pieces) }
    settle(&pieces)
  }
}

extension Array {
  /// The index of the first element for which this holds; it must hold for all after one for which it does.
  fileprivate func partitioningIndex(_ isAfter: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
