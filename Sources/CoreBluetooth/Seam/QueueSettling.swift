import Dispatch

/// The default way to wait until an app is idle: every queue that a manager uses is drained, until nothing new came.
///
/// Limits: it cannot see other queues, tasks and delays of the app; it must not run on a queue of a manager.
/// Managers on the main queue need a main thread that serves it, or that calls this itself.
enum QueueSettling {
  /// An app that puts new calls into its queues in each round has this many rounds.
  private static let mostRounds = 1_000

  /// Seconds of real time that a queue has to become idle, by default.
  static let patience = 10.0
  /// What the app puts into a queue by itself is not counted: this many hops in a row are followed.
  private static let enoughQuietRounds = 4

  static func run(_ body: () -> Void, phone: VirtualPhone, patience: Double = patience) {
    body()
    var quietRounds = 0
    for _ in 0..<mostRounds where quietRounds < enoughQuietRounds {
      let before = phone.callsPlaced
      for queue in phone.locked({ phone.queues }) where !drain(queue, patience) {
        phone.give(up: queue)
        phone.remark(
          .misuse, .queueBlocked,
          "the app blocks its queue “\(queue.label)” for more than \(patience) s; nobody waits for that queue any more")
      }
      quietRounds = phone.callsPlaced == before ? quietRounds + 1 : 0
    }
  }

  /// `DispatchQueue.main` is another object at each call on Linux; its label is reserved.
  static func isMain(_ queue: DispatchQueue) -> Bool { queue.label == "com.apple.main-thread" }

  /// - Returns: false when the queue does not become idle.
  private static func drain(_ queue: DispatchQueue, _ patience: Double) -> Bool {
    if isMain(queue), Thread.isMainThread {
      // The instant is in the past: what is there runs, and nothing is waited for.
      _ = RunLoop.main.run(mode: .default, before: .distantPast)
      return true
    }
    let mark = DispatchWorkItem {}
    queue.async(execute: mark)
    return mark.wait(timeout: .now() + patience) == .success
  }
}
