/// What happens at an instant: a small trivially copyable record, interpreted by whoever runs the queue.
public struct SimEvent: Hashable, Sendable {
  /// What kind of event; the meaning belongs to the layer that scheduled it.
  public var kind: UInt32
  /// The device or object that it concerns, a dense index.
  public var target: UInt32
  /// One word of argument.
  public var argument: UInt64

  @inlinable public init(kind: UInt32, target: UInt32, argument: UInt64 = 0) {
    self.kind = kind
    self.target = target
    self.argument = argument
  }
}

/// Names one scheduled event, for cancelling or moving it. Stale handles are recognised, never reused.
public struct EventHandle: Hashable, Sendable {
  @usableFromInline let slot: UInt32
  @usableFromInline let generation: UInt32

  @usableFromInline init(slot: UInt32, generation: UInt32) {
    self.slot = slot
    self.generation = generation
  }
}

/// The future of a world: events ordered by (instant, sequence number), with cancel and reschedule.
///
/// A 4-ary heap of 128-bit keys `instant ‖ sequence ‖ slot` over a slab of payloads with a position index. The key of
/// the event that comes next may stand before the heap: what is scheduled to happen next comes out again without
/// having been in it. Reference-counted payloads stay out of the heap, and keys compare without a branch; that is what
/// makes it fast.
/// A sequence number is two bits for the place of the event at its instant (with the others, by its turn after them, or
/// last) and 38 bits, which count the events of that place or say the turn; slots have 24 bits: at most 16 777 216
/// events may be pending at once.
/// A class, because a struct inside a class would pay for run-time checks of overlapping access.
/// - Complexity: schedule, pop, cancel and reschedule are O(log n); peek is O(1).
public final class EventQueue {
  private struct Payload {
    var event: SimEvent
    var position: UInt32
    var generation: UInt32
  }

  /// Larger than every key: nothing stands before the heap.
  private static var nothing: UInt128 { .max }
  /// The `position` of the event that stands before the heap.
  private static var frontPosition: UInt32 { .max }

  /// The key before all of the heap's, or `nothing`.
  @exclusivity(unchecked) private var front = EventQueue.nothing
  private var keys: UnsafeMutablePointer<UInt128>
  /// Keys in the heap.
  @exclusivity(unchecked) private var heapCount = 0
  private var slab: UnsafeMutablePointer<Payload>
  private var free: UnsafeMutablePointer<UInt32>
  @exclusivity(unchecked) private var freeCount: Int
  private var capacity: Int
  @exclusivity(unchecked) private var sequence: UInt64 = 0
  /// Where the event that came out last belongs at its instant; larger is later, see `place(ofTurn:)`.
  @exclusivity(unchecked) private(set) var latestPlace: UInt64 = 0

  /// How many events are pending.
  public var count: Int { heapCount + (front == Self.nothing ? 0 : 1) }
  /// The most events that were ever pending at once.
  @exclusivity(unchecked) public private(set) var peakCount = 0

  public init(initialCapacity: Int = 256) {
    capacity = max(16, initialCapacity)
    keys = .allocate(capacity: capacity)
    slab = .allocate(capacity: capacity)
    free = .allocate(capacity: capacity)
    freeCount = capacity
    for index in 0..<capacity {
      free[index] = UInt32(capacity - 1 - index)
      slab[index] = Payload(event: SimEvent(kind: 0, target: 0), position: 0, generation: 0)
    }
  }

  deinit {
    keys.deallocate()
    slab.deallocate()
    free.deallocate()
  }

  /// The instant of the next event, or nil when nothing is pending.
  public var nextInstant: SimInstant? {
    let key = first
    return key == Self.nothing ? nil : SimInstant(nanoseconds: Int64(truncatingIfNeeded: key >> 64))
  }

  /// Adds an event; events of one instant come out in the order in which they were scheduled.
  /// - Precondition: `instant` is not negative.
  @discardableResult
  public func schedule(_ event: SimEvent, at instant: SimInstant) -> EventHandle {
    sequence &+= 1
    return add(event, at: instant, sequence)
  }

  /// Adds an event that has a turn of its own at its instant: after those of `schedule`, before those of
  /// `scheduleLast`, and by the number of its turn among its own kind, whenever each was scheduled. `reschedule` makes
  /// it one of the first.
  /// - Precondition: `instant` is not negative.
  public func schedule(_ event: SimEvent, at instant: SimInstant, turn: UInt32) -> EventHandle {
    add(event, at: instant, Self.place(ofTurn: turn))
  }

  /// Adds an event that comes out after all of its instant that were not added so, whenever those are scheduled.
  /// `reschedule` makes it one of those.
  /// - Precondition: `instant` is not negative.
  public func scheduleLast(_ event: SimEvent, at instant: SimInstant) -> EventHandle {
    sequence &+= 1
    return add(event, at: instant, sequence | Self.isLast)
  }

  @inline(__always)
  private func add(_ event: SimEvent, at instant: SimInstant, _ sequence: UInt64) -> EventHandle {
    precondition(instant.nanoseconds >= 0, "an event cannot lie before the start of the run")
    if freeCount == 0 { grow() }
    freeCount -= 1
    let slot = free[freeCount]
    slab[Int(slot)].event = event
    insert(makeKey(instant, slot, sequence))
    if capacity - freeCount > peakCount { peakCount = capacity - freeCount }
    return EventHandle(slot: slot, generation: slab[Int(slot)].generation)
  }

  /// Takes the next event out, or returns nil when nothing is pending.
  /// - Parameter limit: an event after it stays.
  public func popNext(until limit: SimInstant = .distantFuture) -> (instant: SimInstant, event: SimEvent)? {
    let key = first
    if key == Self.nothing || Int64(truncatingIfNeeded: key >> 64) > limit.nanoseconds { return nil }
    let slot = Int(UInt32(truncatingIfNeeded: key) & 0xFF_FFFF)
    let event = slab[slot].event
    let order = UInt64(truncatingIfNeeded: key) >> 24
    latestPlace = order < Self.hasTurn ? 0 : order
    release(slot)
    if front != Self.nothing {
      front = Self.nothing
    } else {
      heapCount -= 1
      if heapCount > 0 { siftDown(keys[heapCount], from: 0) }
    }
    assert(isWhole, "every slot is free or holds an event that is pending")
    return (SimInstant(nanoseconds: Int64(truncatingIfNeeded: key >> 64)), event)
  }

  /// Removes an event that has not come out yet.
  /// - Returns: false when the handle is stale.
  @discardableResult
  public func cancel(_ handle: EventHandle) -> Bool {
    guard isPending(handle) else { return false }
    remove(Int(handle.slot))
    release(Int(handle.slot))
    assert(isWhole, "every slot is free or holds an event that is pending")
    return true
  }

  /// Moves an event to another instant, after everything that is scheduled there; its handle stays valid.
  /// - Returns: false when the handle is stale.
  @discardableResult
  public func reschedule(_ handle: EventHandle, to instant: SimInstant) -> Bool {
    precondition(instant.nanoseconds >= 0, "an event cannot lie before the start of the run")
    guard isPending(handle) else { return false }
    remove(Int(handle.slot))
    sequence &+= 1
    insert(makeKey(instant, handle.slot, sequence))
    assert(isWhole, "every slot is free or holds an event that is pending")
    return true
  }

  /// Whether the event is still pending.
  public func isPending(_ handle: EventHandle) -> Bool {
    // A slot that is free has another generation than every handle that was given out for it.
    Int(handle.slot) < capacity && slab[Int(handle.slot)].generation == handle.generation
  }

  private var isWhole: Bool { count + freeCount == capacity }

  /// The key that comes out next, or `nothing`.
  private var first: UInt128 { front != Self.nothing ? front : heapCount > 0 ? keys[0] : Self.nothing }

  /// The two highest bits of a sequence number.
  private static var isLast: UInt64 { 1 << 39 }
  private static var hasTurn: UInt64 { 1 << 38 }

  /// Where an event with a turn belongs at its instant: 0 is the place of those without one.
  static func place(ofTurn turn: UInt32) -> UInt64 { hasTurn | UInt64(turn) }

  @inline(__always)
  private func makeKey(_ instant: SimInstant, _ slot: UInt32, _ sequence: UInt64) -> UInt128 {
    UInt128(UInt64(bitPattern: instant.nanoseconds)) << 64 | UInt128(sequence << 24 | UInt64(slot))
  }

  private func insert(_ key: UInt128) {
    if key < first {
      if front != Self.nothing { push(front) }
      front = key
      slab[Int(UInt32(truncatingIfNeeded: key) & 0xFF_FFFF)].position = Self.frontPosition
    } else {
      push(key)
    }
  }

  private func push(_ key: UInt128) {
    heapCount += 1
    siftUp(key, from: heapCount - 1)
  }

  /// Takes a pending event's key out; its slot stays.
  private func remove(_ slot: Int) {
    let position = slab[slot].position
    if position == Self.frontPosition {
      front = Self.nothing
      return
    }
    heapCount -= 1
    if Int(position) < heapCount { place(keys[heapCount], at: Int(position)) }
  }

  private func release(_ slot: Int) {
    slab[slot].generation &+= 1
    free[freeCount] = UInt32(slot)
    freeCount += 1
  }

  private func place(_ key: UInt128, at position: Int) {
    if position > 0, key < keys[(position - 1) >> 2] {
      siftUp(key, from: position)
    } else {
      siftDown(key, from: position)
    }
  }

  private func siftUp(_ key: UInt128, from start: Int) {
    var hole = start
    while hole > 0 {
      let parent = (hole - 1) >> 2
      let parentKey = keys[parent]
      if parentKey < key { break }
      put(parentKey, at: hole)
      hole = parent
    }
    put(key, at: hole)
  }

  private func siftDown(_ key: UInt128, from start: Int) {
    var hole = start
    let limit = heapCount
    while true {
      let first = hole &* 4 &+ 1
      if first >= limit { break }
      var best = first
      var bestKey = keys[first]
      if first &+ 3 < limit {
        let second = keys[first &+ 1]
        let third = keys[first &+ 2]
        let fourth = keys[first &+ 3]
        let left = second < bestKey
        let leftKey = left ? second : bestKey
        let leftIndex = left ? first &+ 1 : first
        let right = fourth < third
        let rightKey = right ? fourth : third
        let rightIndex = right ? first &+ 3 : first &+ 2
        let takeRight = rightKey < leftKey
        best = takeRight ? rightIndex : leftIndex
        bestKey = takeRight ? rightKey : leftKey
      } else {
        var child = first &+ 1
        while child < limit {
          if keys[child] < bestKey {
            best = child
            bestKey = keys[child]
          }
          child &+= 1
        }
      }
      if key < bestKey { break }
      put(bestKey, at: hole)
      hole = best
    }
    put(key, at: hole)
  }

  @inline(__always)
  private func put(_ key: UInt128, at position: Int) {
    keys[position] = key
    slab[Int(UInt32(truncatingIfNeeded: key) & 0xFF_FFFF)].position = UInt32(truncatingIfNeeded: position)
  }

  private func grow() {
    let old = capacity
    capacity = old * 2
    precondition(capacity <= 1 << 24, "more than 16 777 216 events are pending")
    func moved<T>(_ pointer: UnsafeMutablePointer<T>) -> UnsafeMutablePointer<T> {
      let larger = UnsafeMutablePointer<T>.allocate(capacity: capacity)
      larger.update(from: pointer, count: old)
      pointer.deallocate()
      return larger
    }
    keys = moved(keys)
    slab = moved(slab)
    free = moved(free)
    for index in old..<capacity {
      slab[index] = Payload(event: SimEvent(kind: 0, target: 0), position: 0, generation: 0)
      free[freeCount] = UInt32(capacity - 1 - (index - old))
      freeCount += 1
    }
  }
}
