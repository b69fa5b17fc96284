import Synchronization

/// How many connections are open.
final class ConnectionCounter: Sendable {
  private let limit: Int
  private let count = Atomic<Int>(0)

  init(limit: Int) { self.limit = limit }

  /// - Returns: false when there is no room.
  func enter() -> Bool {
    if count.add(1, ordering: .relaxed).newValue <= limit { return true }
    leave()
    return false
  }

  func leave() { count.subtract(1, ordering: .relaxed) }
}
