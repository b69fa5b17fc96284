import Foundation
import Synchronization

/// The programs that this process has started and not ended yet: for a process that must end at once.
///
/// A table of fixed size, so that a signal handler can read it.
package enum RunningPrograms {
  private static let size = 4_096
  /// Process groups; 0: nobody's place.
  nonisolated(unsafe) private static let groups: UnsafeMutablePointer<pid_t> = {
    let groups = UnsafeMutablePointer<pid_t>.allocate(capacity: size)
    groups.initialize(repeating: 0, count: size)
    return groups
  }()
  private static let writing = Mutex<Void>(())
  private static let isOver = Atomic<Bool>(false)

  /// Whether `killAll` was called: no program may be started any more.
  package static var areEnded: Bool { isOver.load(ordering: .relaxed) }

  /// Makes the table, so that a signal handler finds it.
  package static func prepare() { _ = (groups, areEnded) }

  /// A program in a process group of its own. Those beyond the size of the table are not remembered.
  static func add(_ group: pid_t) {
    writing.withLock { _ in
      if let place = (0..<size).first(where: { groups[$0] == 0 }) { groups[place] = group }
    }
    if areEnded { _ = killpg(group, SIGKILL) }
  }

  /// It has been ended, and its number will be somebody else's.
  static func remove(_ group: pid_t) {
    writing.withLock { _ in
      if let place = (0..<size).first(where: { groups[$0] == group }) { groups[place] = 0 }
    }
  }

  /// Ends all of them, in a signal handler too.
  package static func killAll() {
    isOver.store(true, ordering: .relaxed)
    for place in 0..<size where groups[place] > 0 { _ = killpg(groups[place], SIGKILL) }
  }
}
