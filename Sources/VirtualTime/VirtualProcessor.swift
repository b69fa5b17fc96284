import CVirtualTime
public import SimKernel

/// The processor of one virtual device: its Dispatch queues, tasks, timers and clocks, under a virtual clock, in the
/// calling thread.
///
/// What runs inside `run` calls Dispatch, Swift concurrency, `Date()`, `sleep` and random sources as always; the calls
/// arrive here. Each item runs on a stack of its own in the calling thread, so an item that waits (`sync`, a semaphore,
/// a group, a sleep) stays where it is while others run, and while `run` has returned. Order: items start in the order
/// in which they were submitted, unless their queue is taken. The clock stands still while items run.
/// Not modelled: priorities, parallelism, the time that computing takes. See Docs/virtual-time.md.
public final class VirtualProcessor {
  /// When to stop an app that does not rest.
  public struct Limits: Sendable {
    /// The most items that may run in one millisecond of virtual time.
    public var itemsPerMillisecond = 1_000_000
    /// The most tenths of a second of wall time for which an item may run without a call of another.
    public var tenthsPerItem = 100
    /// Whether the main queue may wait when nothing is due: the caller will run `body` on another queue.
    public var mainMayWait = false

    /// The default limits: a million items, ten seconds, and a main queue that does not wait forever.
    public init() {}
  }

  /// Where the caller's code runs.
  public enum Entrance: Sendable {
    /// On the main queue, as callbacks of the system do that have no other queue.
    case mainQueue
    /// On the default global queue, which no waiting item keeps from running.
    case globalQueue
  }

  /// 2026-01-01T00:00:00Z in nanoseconds since 1970.
  public static var newYear2026: Int64 { 1_767_225_600_000_000_000 }

  let core: UnsafeMutablePointer<cvt_processor>
  let limits: Limits
  let events = EventQueue(initialCapacity: 16)

  /// What has been asked for; `lineHead` entries of it are done.
  var line: [Entry] = []
  var lineHead = 0
  /// An entry that a fiber took and another fiber is to run.
  var handover: Entry?
  /// By queue; with a reference to it. The main queue has its own place.
  var states: [Object: QueueState] = [:]
  let mainQueue: Object
  let mainState: QueueState

  var running: Fiber?
  var idle: [Fiber] = []
  /// Those that wait, in the order of their waits.
  var parked: [Fiber] = []
  var fiberCount: UInt64 = 0
  /// The thread of the parked ones.
  var thread: Int32 = 0

  /// By the argument of the event.
  var delayed: [UInt64: Work] = [:]
  var delayedCount: UInt64 = 0
  var semaphoreWaits: [Object: [Fiber]] = [:]
  var semaphoresTaken: [Object: Int] = [:]
  var conditionWaits: [Object: [Fiber]] = [:]
  var groupWaits: [Object: [Fiber]] = [:]
  var groupNotes: [Object: [Work]] = [:]
  var sources: [VirtualSource] = []
  var sourceOf: [Object: VirtualSource] = [:]
  var sourceCount: UInt32 = 0
  var isPumpPending = false
  var hasEnded = false
  /// A stack was left for good.
  var wasAbandoned = false
  /// How many items have run in which millisecond.
  var itemsInMillisecond = 0
  var millisecond: Int64 = 0

  /// What stopped the processor; nil: nothing did.
  public internal(set) var problem: VirtualTimeProblem?
  /// What items used that is not virtual (threads, sockets, files as sources), each once, in order.
  public internal(set) var remarks: [String] = []

  /// A processor at instant zero, with nothing to do.
  /// - Parameters:
  ///   - wallClock: what `Date()` says at instant zero, in nanoseconds since 1970.
  ///   - seed: of what random sources give (`SystemRandomNumberGenerator`, `UUID()`, `arc4random`, `getrandom`).
  ///   - limits: when to stop an app that does not rest.
  public init(wallClock: Int64 = VirtualProcessor.newYear2026, seed: UInt64 = 0, limits: Limits = Limits()) {
    core = .allocate(capacity: 1)
    core.initialize(to: cvt_processor())
    core.pointee.wall = wallClock
    core.pointee.random = seed
    core.pointee.watch_ticks = UInt64(max(1, limits.tenthsPerItem) * 2)
    self.limits = limits
    mainQueue = cvt_main_queue()
    mainState = QueueState(mainQueue)
    core.pointee.owner = Unmanaged.passUnretained(self).toOpaque()
    if cvt_hashing_is_repeatable() == 0 {
      remarks.append("the seed of Hasher, which cannot be set with this version of Swift")
    }
  }

  deinit {
    end()
    if parked.isEmpty && !wasAbandoned { core.deallocate() }
  }

  /// The instant that the device has reached.
  public var now: SimInstant { SimInstant(nanoseconds: core.pointee.now) }

  /// When something is due next: `asyncAfter`, `Task.sleep`, timers, sleeps, waits with a limit; nil: nothing is.
  public var nextDue: SimInstant? {
    if problem != nil { return nil }
    let due = min(events.nextInstant ?? .distantFuture, runLoopDue)
    return due == .distantFuture ? nil : due
  }

  /// Items that wait for what has no instant (semaphores, groups, queues), for messages: what, and on which queue.
  public var waits: [String] { parked.filter { !$0.hasDue }.map(\.waitText) }

  /// Runs what is due before `now`, then `body`, then all that is due, until nothing is.
  ///
  /// `body` has the main queue unless another entrance is given. If the main queue is taken by an item that waits,
  /// `body` runs when that item is done, possibly in a later run.
  /// - Throws: what stopped the processor; the same again for each further call.
  public func run(
    at now: SimInstant, on entrance: Entrance = .mainQueue, _ body: (() -> Void)? = nil
  ) throws(VirtualTimeProblem) {
    if let problem { throw problem }
    if let reason = Interposition.failure { throw .notInterposed(reason) }
    try runChecked(at: now, on: entrance, body)
  }

  func runChecked(at now: SimInstant, on entrance: Entrance, _ body: (() -> Void)?) throws(VirtualTimeProblem) {
    if cvt_is_active() != 0 { throw .nested }
    if now < self.now { throw .runsBack(from: self.now, to: now) }
    if !parked.isEmpty && thread != cvt_thread() { throw .otherThread }
    thread = cvt_thread()
    cvt_watch(core)
    defer { cvt_unwatch(core) }
    drive(until: now - .nanoseconds(1))
    if problem == nil {
      advance(to: now)
      if let body { submit(body, to: entrance) }
      drive(until: now)
    }
    sweepSources()
    if problem == nil, !limits.mainMayWait, let owner = mainState.exclusive, nextDue == nil {
      problem = .waitsForever(owner.waitText)
    }
    if let problem { throw problem }
  }
}
