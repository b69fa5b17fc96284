/// The clock of one world and its future; single-threaded.
///
/// A class so that every layer of a world can hold the same one. It never goes back.
///
/// `@exclusivity(unchecked)` here and elsewhere: a world is single-threaded and never hands its own state out while it
/// changes it; checking that at run time cost half of an empty connection event (Docs/Decisions/0009).
public final class Timeline {
  /// The present instant.
  @inlinable public var now: SimInstant { state.pointee.now }
  /// Events taken out so far.
  @inlinable public var eventCount: Int { state.pointee.eventCount }
  private let queue = EventQueue()

  @usableFromInline
  struct State {
    @usableFromInline var now = SimInstant.zero
    @usableFromInline var eventCount = 0
    /// Up to here the event that is being handled may go on with its own next one.
    @usableFromInline var horizon = SimInstant.zero
    /// The latest place at the present instant that has had its turn (`EventQueue.latestPlace`).
    @usableFromInline var place: UInt64 = 0
    /// Up to here nothing was pending when somebody last looked.
    @usableFromInline var searched = SimInstant.zero
  }

  /// Behind a pointer because every layer reads it several times an event, and a read through one is never checked.
  @usableFromInline let state: UnsafeMutablePointer<State>

  public init() {
    state = .allocate(capacity: 1)
    state.initialize(to: State())
  }

  deinit { state.deallocate() }

  /// The instant of the next event.
  public var nextInstant: SimInstant? { queue.nextInstant }

  /// - Precondition: `instant` is not before `now`.
  @discardableResult
  public func schedule(_ event: SimEvent, at instant: SimInstant) -> EventHandle {
    precondition(instant >= now, "an event cannot be scheduled in the past")
    return queue.schedule(event, at: instant)
  }

  /// As `schedule`, but in its turn: after all of its instant that have none, and before those with a later one.
  /// - Precondition: `instant` is not before `now`.
  public func schedule(_ event: SimEvent, at instant: SimInstant, turn: UInt32) -> EventHandle {
    precondition(instant >= now, "an event cannot be scheduled in the past")
    return queue.schedule(event, at: instant, turn: turn)
  }

  /// Whether an event with that turn at the present instant would have come out by now: what stands for events that
  /// were never scheduled asks this where they coincide with others.
  public func hasPassed(turn: UInt32) -> Bool { state.pointee.place >= EventQueue.place(ofTurn: turn) }

  /// As `schedule`, after all of its instant that were not scheduled so, whenever those are.
  /// - Precondition: `instant` is not before `now`.
  public func scheduleLast(_ event: SimEvent, at instant: SimInstant) -> EventHandle {
    precondition(instant >= now, "an event cannot be scheduled in the past")
    return queue.scheduleLast(event, at: instant)
  }

  @discardableResult
  public func cancel(_ handle: EventHandle) -> Bool { queue.cancel(handle) }

  @discardableResult
  public func reschedule(_ handle: EventHandle, to instant: SimInstant) -> Bool {
    precondition(instant >= now, "an event cannot be moved into the past")
    return queue.reschedule(handle, to: instant)
  }

  /// Takes the next event out and moves the clock to it; nil when there is none at or before `limit`.
  /// - Parameter runsAhead: whoever handles the event may go on with what it would schedule next (`runAhead`).
  public func advance(limit: SimInstant = .distantFuture, runsAhead: Bool = false) -> SimEvent? {
    state.pointee.horizon = runsAhead ? limit : .zero
    guard let (instant, event) = queue.popNext(until: limit) else {
      state.pointee.searched = limit
      if limit >= now { state.pointee.place = .max }
      return nil
    }
    assert(instant >= now, "time does not go back")
    // What is scheduled late for an instant takes nothing back that has had its turn.
    if instant > now || queue.latestPlace > state.pointee.place { state.pointee.place = queue.latestPlace }
    state.pointee.now = instant
    state.pointee.eventCount += 1
    return event
  }

  /// Moves the clock to an event that would come out next if it were scheduled now, and counts it.
  /// - Parameter turn: the event's, see `schedule`.
  /// - Returns: false when another event comes first, or the owner wants to see every event, or `instant` lies beyond
  ///   its limit: then the event must be scheduled.
  public func runAhead(to instant: SimInstant, turn: UInt32) -> Bool {
    guard instant <= state.pointee.horizon, (queue.nextInstant ?? .distantFuture) > instant else { return false }
    assert(instant >= now, "time does not go back")
    state.pointee.now = instant
    state.pointee.place = EventQueue.place(ofTurn: turn)
    state.pointee.eventCount += 1
    return true
  }

  /// Moves the clock forward without an event.
  /// - Precondition: nothing is pending before `instant`.
  public func skip(to instant: SimInstant) {
    precondition(instant >= now && (queue.nextInstant ?? .distantFuture) >= instant, "events would be passed over")
    if instant > now { state.pointee.place = instant <= state.pointee.searched ? .max : 0 }
    state.pointee.now = instant
  }
}
