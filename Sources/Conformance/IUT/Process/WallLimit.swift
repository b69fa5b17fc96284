/// A limit in wall-clock time on a program and what it has started, in which waiting for a processor does not count.
///
/// On a machine that is too busy a program answers late and has done nothing wrong. Linux tells what each thread has
/// run and waited; where the system does not, all time counts. Not seen: waiting for a disk, and a program that was
/// stopped.
package struct WallLimit {
  /// Threads are looked at after this time, and again and again from the end of the limit; most answers take much less.
  package static let sliceMilliseconds = 20
  /// A program with a thousand threads that all want to run would wait for hours: at most so many times the limit more.
  private static let extraLimits = 9

  private let pid: Int32
  private let limit: Int
  private let began = ChildProcess.milliseconds()
  private var before: [Int32: ProcessFamily.ThreadTime]?
  /// Milliseconds by which it is longer, as far as that has been looked at.
  private(set) var extra = 0

  package init(milliseconds: Int, of pid: Int32) {
    limit = milliseconds
    self.pid = pid
  }

  /// Milliseconds until it is over, or until it is looked at again; 0 when it is over.
  package mutating func left() -> Int {
    let passed = ChildProcess.milliseconds() - began
    if before == nil, passed >= Self.sliceMilliseconds { before = ProcessFamily(of: pid).threadTimes }
    if passed >= limit + extra, let before { extra = min(starvation(before, passed), limit * Self.extraLimits) }
    return max(0, limit + extra - passed)
  }

  /// What the thread that has waited longest has waited; and as long as one could run that has not run for the whole
  /// limit, all time until the next look.
  private func starvation(_ before: [Int32: ProcessFamily.ThreadTime], _ passed: Int) -> Int {
    var longest = 0
    for (thread, now) in ProcessFamily(of: pid).threadTimes {
      let then = before[thread] ?? ProcessFamily.ThreadTime()
      longest = max(longest, (now.waited - then.waited) / 1_000_000)
      let isKept = now.isRunnable && now.ran - then.ran < limit * 1_000_000
      if isKept { longest = max(longest, passed - limit + Self.sliceMilliseconds) }
    }
    return longest
  }
}
