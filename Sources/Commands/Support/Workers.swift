import Foundation
import Synchronization

/// Runs numbered pieces of work on some threads; results come back by number, so their order never depends on timing.
enum Workers {
  /// Deep enough for anything a world does; the default of a secondary thread is an eighth of it or less.
  private static let stackSize = 8 << 20

  private final class Ledger<Result: Sendable>: Sendable {
    let next = Atomic<Int>(0)
    let results: Mutex<[Result?]>
    init(count: Int) { results = Mutex(Array(repeating: nil, count: count)) }
  }

  /// - Parameters:
  ///   - count: how many pieces there are.
  ///   - jobs: how many threads; more than there are pieces are not started.
  ///   - shouldStop: asked before each piece; once true, no further piece is begun.
  ///   - makeWorker: called once on each thread, so that threads share no counted references.
  ///   - finished: called after each piece, on the thread that did it, one at a time.
  /// - Returns: one result per piece, nil for pieces that were not begun.
  static func run<Result: Sendable>(
    count: Int, jobs: Int, shouldStop: @escaping @Sendable () -> Bool,
    makeWorker: @escaping @Sendable () -> (Int) -> Result, finished: @escaping @Sendable (Int, Result) -> Void
  ) -> [Result?] {
    let ledger = Ledger<Result>(count: count)
    let work: @Sendable () -> Void = {
      let worker = makeWorker()
      while !shouldStop() {
        let index = ledger.next.add(1, ordering: .relaxed).oldValue
        if index >= count { return }
        let result = worker(index)
        ledger.results.withLock { results in
          results[index] = result
          finished(index, result)
        }
      }
    }
    let threads = min(jobs, count)
    if threads <= 1 {
      work()
    } else {
      let group = DispatchGroup()
      for _ in 0..<threads {
        group.enter()
        let thread = Thread {
          work()
          group.leave()
        }
        thread.stackSize = stackSize
        thread.start()
      }
      group.wait()
    }
    return ledger.results.withLock { $0 }
  }
}
