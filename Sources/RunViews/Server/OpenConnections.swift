import NIOCore

/// The connections that are open, and in which order those among them that wait for a request began to wait.
///
/// Only touched on the one event loop of the server.
final class OpenConnections: @unchecked Sendable {
  /// All connections at once; beyond that a new one takes the place of one that waits, or is closed.
  static let limit = 256
  /// Those that wait for a request, or for the rest of one; the one that has waited longest goes first.
  static let idleLimit = 32

  private var count = 0
  /// The longest wait first.
  private var idle: [any Channel] = []

  /// - Returns: false when there is no room.
  func enter(_ channel: any Channel) -> Bool {
    if count >= Self.limit {
      guard let oldest = idle.first else { return false }
      close(oldest)
    }
    count += 1
    return true
  }

  func leave(_ channel: any Channel) {
    count -= 1
    idle.removeAll { $0 === channel }
  }

  /// It has nothing to do until a request has come.
  func rests(_ channel: any Channel) {
    idle.removeAll { $0 === channel }
    idle.append(channel)
    if idle.count > Self.idleLimit, let oldest = idle.first { close(oldest) }
  }

  func works(_ channel: any Channel) { idle.removeAll { $0 === channel } }

  private func close(_ channel: any Channel) {
    idle.removeAll { $0 === channel }
    channel.close(promise: nil)
  }
}
