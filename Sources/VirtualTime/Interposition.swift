import CVirtualTime
import SimKernel

/// Installs what the interposed functions ask, and checks once per process that they are called.
enum Interposition {
  /// Nil: calls of Dispatch, Swift concurrency and the clock arrive; otherwise what does not.
  static let failure: String? = {
    install()
    cvt_run_loop_prepare()
    if let name = cvt_not_interposed() {
      return "\(String(cString: name)) is not the executable's own; link with -Xlinker --export-dynamic"
    }
    if let what = cvt_unknown_layout() { return "\(String(cString: what)) is not as in libdispatch of Swift 6.3" }
    return probe()
  }()

  /// A task, a sleep, an actor's job and the clock, in a processor of its own.
  private static func probe() -> String? {
    let processor = VirtualProcessor()
    let seen = Seen()
    do {
      try processor.runChecked(at: .zero, on: .mainQueue) {
        seen.outerTask = withUnsafeCurrentTask { $0 != nil }
        Task.detached { @Sendable in
          seen.taskRan = true
          let start = ContinuousClock.now
          try? await Task.sleep(nanoseconds: 3_000_000_000)
          seen.slept = start.duration(to: .now)
          await seen.onMain()
        }
      }
      if seen.outerTask { return "the caller's task is seen inside" }
      if !seen.taskRan { return "tasks of Swift concurrency do not arrive" }
      if processor.nextDue != SimInstant(nanoseconds: 3_000_000_000) { return "Task.sleep does not arrive" }
      try processor.runChecked(at: SimInstant(nanoseconds: 3_000_000_000), on: .mainQueue, nil)
    } catch { return error.description }
    if seen.slept != .seconds(3) { return "the clock of Swift concurrency does not arrive" }
    return seen.mainRan ? nil : "jobs of the main actor do not arrive"
  }

  /// What the probe saw; one thread uses it.
  private final class Seen: @unchecked Sendable {
    var outerTask = false
    var taskRan = false
    var slept = Duration.zero
    var mainRan = false
    @MainActor func onMain() { mainRan = true }
  }
}
