import CVirtualTime
import SimKernel

/// An object of libdispatch: a queue, group, semaphore or source.
typealias Object = UnsafeMutableRawPointer

/// One call that a queue was asked to make.
struct Work {
  var call: cvt_work
  /// Retained.
  var queue: Object
  /// The group that is left after the call; entered, and retained by that.
  var group: Object?

  var isBarrier: Bool { call.flags & Int32(CVT_BARRIER) != 0 }
  var ownsBlock: Bool { call.flags & Int32(CVT_BLOCK) != 0 }
}

/// What comes next, in the order in which it was asked for.
struct Entry {
  enum Kind {
    /// `work` is to be called.
    case start
    /// `fiber` waits for its turn on the queue of `work`, to make a call itself.
    case turn
    /// `fiber` has got what it waited for.
    case resume
  }
  var kind: Kind
  var work: Work?
  var fiber: Unmanaged<Fiber>?
}

/// One stack: an item runs on it, or waits in the middle.
final class Fiber {
  enum Wait {
    case semaphore(Object)
    case group(Object)
    case queue(Object, barrier: Bool)
    case lock(Object)
    case condition(Object)
    case runLoop
    case time
  }

  let number: UInt64
  private(set) var handle: OpaquePointer!
  /// What it is to call when it is entered.
  var assigned: Work?
  /// The queues that it runs on: the item's, and those of its calls of `sync`.
  var queues: [Object] = []
  var wait: Wait?
  /// Whether the last wait ended by time.
  var timedOut = false
  var hasDue = false
  /// Ends the wait by time.
  var wake: EventHandle?

  init(number: UInt64) {
    self.number = number
    handle = cvt_fiber_create(Unmanaged.passUnretained(self).toOpaque())
  }

  /// Gives the stack back. Nothing may be on it.
  func free() { cvt_fiber_free(handle) }

  /// For messages: what it waits for.
  var waitText: String {
    let queue = queues.last.map(label(of:)) ?? ""
    switch wait {
    case .semaphore: return "a semaphore wait on “\(queue)”"
    case .group: return "a group wait on “\(queue)”"
    case .queue(let other, _): return "a sync from “\(queue)” on “\(label(of: other))”"
    case .lock: return "a lock on “\(queue)”"
    case .condition: return "a wait for a condition on “\(queue)”"
    case .runLoop: return "a run loop on “\(queue)”"
    case .time, nil: return "a sleep on “\(queue)”"
    }
  }
}

/// What one processor knows about a queue.
final class QueueState {
  let isSerial: Bool
  /// Items in the line.
  var pending = 0
  /// Who has the queue for itself.
  unowned(unsafe) var exclusive: Fiber?
  /// Who runs on a concurrent queue, barriers excepted.
  var shared: [Unmanaged<Fiber>] = []
  /// Suspensions that were not resumed; an inactive queue has one.
  var suspensions = 0
  var isInactive = false

  init(_ queue: Object) { isSerial = cvt_queue_is_serial(queue) != 0 }

  var isIdle: Bool { pending == 0 && exclusive == nil && shared.isEmpty && suspensions == 0 }
}

func label(of queue: Object) -> String { String(cString: cvt_queue_label(queue)) }

/// A flag of work: its context is an object of Swift, retained, and released by its call.
var ownedObject: Int32 { 4 }

/// A time that never comes, in nanoseconds.
var never: Int64 { .max }
