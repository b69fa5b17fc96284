import Foundation

/// Runs numbered pieces of work on some threads and hands over what they came to in the order of their numbers, so that
/// nothing has to be kept of millions.
final class OrderedWorkers<Result: Sendable>: @unchecked Sendable {
  // Everything below is only touched under the condition's lock.
  private let condition = NSCondition()
  private var next: Int
  private let end: Int
  private var taken: Int
  private var waiting: [Int: Result] = [:]
  private var failure: (any Error)?
  private var hasStopped = false
  private let shouldStop: @Sendable () -> Bool
  private let take: (Int, Result) throws -> Void

  /// Pieces that are ahead of the oldest one that is not done: one slow piece must not make others pile up.
  private static var window: Int { 1_024 }
  private static var stackSize: Int { 8 << 20 }

  private init(
    _ range: Range<Int>, shouldStop: @escaping @Sendable () -> Bool, take: @escaping (Int, Result) throws -> Void
  ) {
    (next, end, taken) = (range.lowerBound, range.upperBound, range.lowerBound)
    self.shouldStop = shouldStop
    self.take = take
  }

  /// - Parameters:
  ///   - jobs: how many threads.
  ///   - shouldStop: asked before each piece; once true, no further piece is begun, and those that were are finished.
  ///   - makeWorker: called once on each thread, so that threads share no counted references.
  ///   - take: called in order, one at a time, on any of the threads.
  /// - Returns: the first number that was not taken.
  /// - Throws: what `take` throws; nothing is taken after that.
  static func run(
    _ range: Range<Int>, jobs: Int, shouldStop: @escaping @Sendable () -> Bool,
    makeWorker: @escaping @Sendable () -> (Int) -> Result, take: @escaping (Int, Result) throws -> Void
  ) throws -> Int {
    let line = OrderedWorkers(range, shouldStop: shouldStop, take: take)
    let threads = min(jobs, range.count)
    if threads <= 1 {
      line.work(makeWorker())
    } else {
      let group = DispatchGroup()
      for _ in 0..<threads {
        group.enter()
        let thread = Thread {
          line.work(makeWorker())
          group.leave()
        }
        thread.stackSize = stackSize
        thread.start()
      }
      group.wait()
    }
    if let failure = line.failure { throw failure }
    return line.taken
  }

  private func work(_ worker: (Int) -> Result) {
    while let number = claim() { deliver(number, worker(number)) }
  }

  /// Nil: there is nothing more to do.
  private func claim() -> Int? {
    condition.lock()
    defer { condition.unlock() }
    while !hasStopped, next < end, next - taken >= Self.window { condition.wait() }
    if hasStopped || next >= end { return nil }
    if shouldStop() {
      hasStopped = true
      condition.broadcast()
      return nil
    }
    defer { next += 1 }
    return next
  }

  private func deliver(_ number: Int, _ result: Result) {
    condition.lock()
    defer { condition.unlock() }
    waiting[number] = result
    while failure == nil, let ready = waiting.removeValue(forKey: taken) {
      do {
        try take(taken, ready)
        taken += 1
      } catch {
        failure = error
        hasStopped = true
      }
    }
    condition.broadcast()
  }
}
