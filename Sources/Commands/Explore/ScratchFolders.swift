import Foundation
import Synchronization

/// Folders for files that nobody keeps, one for each thread.
final class ScratchFolders: Sendable {
  private let root: String
  private let count = Atomic<Int>(0)

  init() throws {
    root = FileManager.default.temporaryDirectory.path + "/babbench-explore-" + UUID().uuidString
  }

  /// One that is nobody else's; it is made by whoever uses it.
  func next() -> String { root + "/\(count.add(1, ordering: .relaxed).newValue)" }

  func remove() { try? FileManager.default.removeItem(atPath: root) }
}
