import Expectations
import SimKernel
import Testing

/// The plainest queue there is: a sorted array. Whatever it answers is right.
private struct SortedArrayQueue {
  struct Entry {
    var instant: Int64
    var sequence: Int
    var event: SimEvent
    var handle: EventHandle
  }

  private(set) var entries: [Entry] = []
  private var next = 0

  mutating func schedule(
    _ event: SimEvent, at instant: Int64, handle: EventHandle, isLast: Bool = false, turn: UInt32? = nil
  ) {
    next += 1
    let sequence = turn.map { 1_000_000_000 + Int($0) } ?? (isLast ? next + 10_000_000_000 : next)
    let entry = Entry(instant: instant, sequence: sequence, event: event, handle: handle)
    let place = entries.firstIndex { ($0.instant, $0.sequence) > (instant, sequence) } ?? entries.count
    entries.insert(entry, at: place)
  }

  mutating func popNext() -> Entry? { entries.isEmpty ? nil : entries.removeFirst() }

  mutating func cancel(_ handle: EventHandle) -> Bool {
    guard let index = entries.firstIndex(where: { $0.handle == handle }) else { return false }
    entries.remove(at: index)
    return true
  }

  mutating func reschedule(_ handle: EventHandle, to instant: Int64) -> Bool {
    guard let index = entries.firstIndex(where: { $0.handle == handle }) else { return false }
    let entry = entries.remove(at: index)
    schedule(entry.event, at: instant, handle: handle)
    return true
  }
}

/// The queue behind a reference, since `#expect` copies what it looks at and the queue cannot be copied.
private final class TestedQueue {
  private var queue: EventQueue

  init(initialCapacity: Int = 256) { queue = EventQueue(initialCapacity: initialCapacity) }

  var count: Int { queue.count }
  var peakCount: Int { queue.peakCount }
  var nextInstant: SimInstant? { queue.nextInstant }

  @discardableResult
  func schedule(_ event: SimEvent, at instant: SimInstant) -> EventHandle { queue.schedule(event, at: instant) }
  func schedule(_ event: SimEvent, at instant: SimInstant, turn: UInt32) -> EventHandle {
    queue.schedule(event, at: instant, turn: turn)
  }
  func scheduleLast(_ event: SimEvent, at instant: SimInstant) -> EventHandle {
    queue.scheduleLast(event, at: instant)
  }
  func popNext() -> (instant: SimInstant, event: SimEvent)? { queue.popNext() }
  func cancel(_ handle: EventHandle) -> Bool { queue.cancel(handle) }
  func reschedule(_ handle: EventHandle, to instant: SimInstant) -> Bool { queue.reschedule(handle, to: instant) }
  func isPending(_ handle: EventHandle) -> Bool { queue.isPending(handle) }
}

@Suite("The event queue")
struct EventQueueTests {
  @Test(
    "Answers as a sorted array does, over random schedules, cancels, moves and pops",
    arguments: [(1, 4, 10), (2, 40, 3), (3, 400, 1_000), (4, 400, 1), (5, 1_500, 1_000_000_000), (6, 30, 50)])
  func agreesWithSortedArray(seed: UInt64, fullness: Int, spread: UInt64) {
    var random = RandomStream(seed: seed, component: "test", purpose: "queue")
    let queue = TestedQueue(initialCapacity: 16)
    var model = SortedArrayQueue()
    var handles: [EventHandle] = []
    var now: Int64 = 0
    var pops = 0
    var staleCalls = 0
    for step in 0..<6_000 {
      let wantsMore = model.entries.count < fullness
      switch random.below(10) {
      case 0..<(wantsMore ? 5 : 2):
        let event = SimEvent(kind: UInt32(step), target: UInt32(random.below(8)), argument: random.next())
        let instant = now + Int64(random.below(spread))
        let isLast = random.below(4) == 0
        // One event a turn, as connection events have them: those of one turn have no order of their own.
        let turn: UInt32? = !isLast && random.below(4) == 0 ? .max - UInt32(step) : nil
        let at = SimInstant(nanoseconds: instant)
        let handle =
          isLast
          ? queue.scheduleLast(event, at: at)
          : turn.map { queue.schedule(event, at: at, turn: $0) } ?? queue.schedule(event, at: at)
        model.schedule(event, at: instant, handle: handle, isLast: isLast, turn: turn)
        handles.append(handle)
      case 5 where !handles.isEmpty:
        let handle = handles[Int(random.below(UInt64(handles.count)))]
        let cancelled = model.cancel(handle)
        equal(queue.cancel(handle), cancelled)
        if !cancelled { staleCalls += 1 }
      case 6 where !handles.isEmpty:
        let handle = handles[Int(random.below(UInt64(handles.count)))]
        let instant = now + Int64(random.below(spread))
        let moved = model.reschedule(handle, to: instant)
        equal(queue.reschedule(handle, to: SimInstant(nanoseconds: instant)), moved)
        if !moved { staleCalls += 1 }
      default:
        let expected = model.popNext()
        let popped = queue.popNext()
        equal(popped?.event, expected?.event)
        equal(popped?.instant.nanoseconds, expected?.instant)
        if let expected {
          now = expected.instant
          pops += 1
          expect(!queue.isPending(expected.handle))
        }
      }
      equal(queue.count, model.entries.count)
      equal(queue.nextInstant?.nanoseconds, model.entries.first?.instant)
    }
    while let expected = model.popNext() {
      expect(queue.isPending(expected.handle))
      let popped = queue.popNext()
      equal(popped?.event, expected.event)
    }
    let rest = queue.popNext()
    expect(rest == nil)
    expect(pops > 500)
    expect(staleCalls > 100)
    expect(queue.peakCount >= min(fullness, 100) / 2)
  }

  @Test("Events of one instant come out in the order in which they were scheduled")
  func firstInFirstOut() {
    let queue = TestedQueue()
    for kind in 0..<1_000 { queue.schedule(SimEvent(kind: UInt32(kind), target: 0), at: .zero + .milliseconds(5)) }
    var kinds: [UInt32] = []
    while let next = queue.popNext() { kinds.append(next.event.kind) }
    equal(kinds, Array(0..<1_000))
  }

  @Test("What is scheduled last comes after what is scheduled later for the same instant")
  func last() {
    let queue = TestedQueue()
    let moved = queue.scheduleLast(SimEvent(kind: 1, target: 0), at: .zero)
    _ = queue.scheduleLast(SimEvent(kind: 4, target: 0), at: .zero)
    queue.schedule(SimEvent(kind: 2, target: 0), at: .zero)
    expect(queue.reschedule(moved, to: .zero))
    queue.schedule(SimEvent(kind: 3, target: 0), at: .zero)
    var kinds: [UInt32] = []
    while let next = queue.popNext() { kinds.append(next.event.kind) }
    equal(kinds, [2, 1, 3, 4])
  }

  @Test("Events with turns come after the others of their instant and before the last, by their turns")
  func turns() {
    let queue = TestedQueue()
    _ = queue.scheduleLast(SimEvent(kind: 5, target: 0), at: .zero)
    _ = queue.schedule(SimEvent(kind: 4, target: 0), at: .zero, turn: .max)
    _ = queue.schedule(SimEvent(kind: 3, target: 0), at: .zero, turn: 7)
    _ = queue.schedule(SimEvent(kind: 2, target: 0), at: .zero, turn: 0)
    queue.schedule(SimEvent(kind: 1, target: 0), at: .zero)
    var kinds: [UInt32] = []
    while let next = queue.popNext() { kinds.append(next.event.kind) }
    equal(kinds, [1, 2, 3, 4, 5])
  }

  @Test("A moved event goes behind all that is scheduled at its new instant, even when that is its old one")
  func moving() {
    let queue = TestedQueue()
    let first = queue.schedule(SimEvent(kind: 1, target: 0), at: .zero + .seconds(1))
    queue.schedule(SimEvent(kind: 2, target: 0), at: .zero + .seconds(1))
    let third = queue.schedule(SimEvent(kind: 3, target: 0), at: .zero + .seconds(9))
    expect(queue.reschedule(first, to: .zero + .seconds(1)))
    expect(queue.reschedule(third, to: .zero))
    var kinds: [UInt32] = []
    while let next = queue.popNext() { kinds.append(next.event.kind) }
    equal(kinds, [3, 2, 1])
  }

  @Test("A handle goes stale with its event, and stays so when its place is used again")
  func staleHandles() {
    let queue = TestedQueue()
    let popped = queue.schedule(SimEvent(kind: 1, target: 0), at: .zero)
    _ = queue.popNext()
    let cancelled = queue.schedule(SimEvent(kind: 2, target: 0), at: .zero)
    expect(queue.cancel(cancelled))
    let living = queue.schedule(SimEvent(kind: 3, target: 0), at: .zero)
    for stale in [popped, cancelled] {
      expect(stale != living)
      expect(!queue.isPending(stale))
      expect(!queue.cancel(stale))
      expect(!queue.reschedule(stale, to: .zero + .seconds(1)))
    }
    expect(queue.isPending(living))
    equal(queue.count, 1)
    let next = queue.popNext()
    equal(next?.event.kind, 3)
  }

  @Test("Growing far beyond its first capacity loses nothing and keeps handles good")
  func growth() {
    let queue = TestedQueue(initialCapacity: 1)
    var handles: [EventHandle] = []
    let count = 50_000
    for index in 0..<count {
      let instant = SimInstant(nanoseconds: Int64((index &* 7_919) % count))
      handles.append(queue.schedule(SimEvent(kind: 0, target: 0, argument: UInt64(index)), at: instant))
    }
    equal(queue.count, count)
    equal(queue.peakCount, count)
    for index in stride(from: 0, to: count, by: 2) { expect(queue.cancel(handles[index])) }
    var last: Int64 = -1
    var seen = 0
    while let next = queue.popNext() {
      expect(next.instant.nanoseconds > last)
      equal(next.event.argument % 2, 1)
      last = next.instant.nanoseconds
      seen += 1
    }
    equal(seen, count / 2)
    equal(queue.peakCount, count)
  }

  @Test("The whole range of instants is in order")
  func extremes() {
    let queue = TestedQueue()
    queue.schedule(SimEvent(kind: 3, target: 0), at: .distantFuture)
    queue.schedule(SimEvent(kind: 1, target: 0), at: .zero)
    queue.schedule(SimEvent(kind: 2, target: 0), at: SimInstant(nanoseconds: 1 << 40))
    equal(queue.nextInstant, .zero)
    var kinds: [UInt32] = []
    while let next = queue.popNext() { kinds.append(next.event.kind) }
    equal(kinds, [1, 2, 3])
    expect(queue.nextInstant == nil)
  }

  @Test("An event before the start of the run stops the bench")
  func negativeInstant() async {
    await #expect(processExitsWith: .failure) {
      let queue = EventQueue()
      queue.schedule(SimEvent(kind: 0, target: 0), at: SimInstant(nanoseconds: -1))
    }
  }
}
