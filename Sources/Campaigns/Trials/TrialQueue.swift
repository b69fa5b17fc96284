import Foundation

/// The trials that wait, and the outcomes that wait for earlier ones.
final class TrialQueue<Outcome: Sendable>: @unchecked Sendable {
  // Everything below is only touched under the condition's lock.
  private let condition = NSCondition()
  private let range: Range<Int>
  private var next: Int
  private var taken: Int
  private var waiting: [Int: Outcome] = [:]
  private var failure: (any Error)?
  private var hasStopped = false
  private let shouldStop: @Sendable () -> Bool
  private let take: (Int, Outcome) throws -> Void

  /// Trials that are ahead of the oldest one that is not done: one slow trial must not make others pile up.
  private static var window: Int { 1_024 }
  /// Deep enough for anything a world does; the default of a secondary thread is an eighth of it or less.
  private static var stackSize: Int { 8 << 20 }

  init(_ range: Range<Int>, shouldStop: @escaping @Sendable () -> Bool, take: @escaping (Int, Outcome) throws -> Void) {
    self.range = range
    (next, taken) = (range.lowerBound, range.lowerBound)
    self.shouldStop = shouldStop
    self.take = take
  }

  /// - Returns: the first number that was not taken.
  func run(jobs: Int, _ makePlayer: @escaping @Sendable () -> (Int) -> Outcome) throws -> Int {
    let threads = min(jobs, range.count)
    if threads <= 1 {
      work(makePlayer())
    } else {
      let group = DispatchGroup()
      for _ in 0..<threads {
        group.enter()
        let thread = Thread {
          self.work(makePlayer())
          group.leave()
        }
        thread.stackSize = Self.stackSize
        thread.start()
      }
      group.wait()
    }
    assert(waiting.isEmpty || hasStopped, "each outcome was taken")
    if let failure { throw failure }
    return taken
  }

  private func work(_ play: (Int) -> Outcome) {
    while let number = claim() {
      let outcome = play(number)
      // It may be what the end of its program has left of it.
      if Interruption.hasEndedPrograms { return stop() }
      deliver(number, outcome)
    }
  }

  private func stop() {
    condition.lock()
    hasStopped = true
    condition.broadcast()
    condition.unlock()
  }

  /// Nil: there is nothing more to do.
  private func claim() -> Int? {
    condition.lock()
    defer { condition.unlock() }
    while !hasStopped, next < range.upperBound, next - taken >= Self.window { condition.wait() }
    if hasStopped || next >= range.upperBound { return nil }
    if shouldStop() {
      hasStopped = true
      condition.broadcast()
      return nil
    }
    defer { next += 1 }
    return next
  }

  private func deliver(_ number: Int, _ outcome: Outcome) {
    condition.lock()
    defer { condition.unlock() }
    assert(number >= taken && number < next && waiting[number] == nil, "each trial is played once")
    waiting[number] = outcome
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
