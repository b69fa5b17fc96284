public import SimKernel

/// What keeps a virtual device from running on. A processor that had one runs nothing more.
///
/// Each is found without a hang: the item that is at fault is left where it is, with all that it holds.
public enum VirtualTimeProblem: Error, Hashable, Sendable {
  /// An item waits for a queue that waits for this item. Labels of queues.
  case deadlock(queue: String, runningOn: String)
  /// The main queue waits, without a time limit, for what nothing can cause any more.
  case waitsForever(String)
  /// More items ran in one millisecond of virtual time than allowed. The label of the last one's queue.
  case neverRests(queue: String, items: Int, at: SimInstant)
  /// An item computed, or blocked its thread, for longer than allowed. The label of its queue.
  case spins(queue: String)
  /// `dispatchPrecondition`, or a check of an actor's isolation, failed. Labels of queues.
  case wrongQueue(expected: String, runningOn: String)
  /// An item runs on the queue that it says it is not on.
  case forbiddenQueue(String)
  /// `run` was called for an instant before one that has been reached.
  case runsBack(from: SimInstant, to: SimInstant)
  /// `run` was called after `end`.
  case ended
  /// `run` was called by an item of a processor.
  case nested
  /// `run` was called by another thread than before, while an item waits on a stack of that thread.
  case otherThread
  /// Functions of libdispatch or libc do not arrive here, or their objects differ from what is known.
  case notInterposed(String)
}

extension VirtualTimeProblem: CustomStringConvertible {
  /// One line, without a full stop.
  public var description: String {
    switch self {
    case .deadlock(let queue, let running):
      "deadlock: an item on “\(running)” calls sync on “\(queue)”, which waits for that item"
    case .waitsForever(let what): "the main queue waits forever: \(what), and nothing is due that could end it"
    case .neverRests(let queue, let items, let instant):
      "never rests: \(items) items ran in the millisecond of \(instant) s, the last one on “\(queue)”"
    case .spins(let queue): "spins: an item on “\(queue)” computes or blocks its thread, and does not return"
    case .wrongQueue(let expected, let running):
      "wrong queue: “\(expected)” is expected, and the item runs on “\(running)”"
    case .forbiddenQueue(let queue): "wrong queue: an item that must not be on “\(queue)” runs on it"
    case .runsBack(let from, let to): "time runs back from \(from) s to \(to) s"
    case .ended: "the processor has ended"
    case .nested: "an item of a processor runs a processor"
    case .otherThread: "an item waits on a stack of another thread; run a processor always on the same one"
    case .notInterposed(let reason): "virtual time does not take: \(reason)"
    }
  }
}
