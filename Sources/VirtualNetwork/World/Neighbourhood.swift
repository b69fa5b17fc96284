import SimKernel

/// Who sees whom over AWDL.
final class Neighbourhood {
  enum State: UInt8 {
    case apart
    /// They will see each other at `due`.
    case searching
    case linked
    /// They cannot hear each other, and do not know it yet.
    case fading
  }

  struct Pair {
    var state = State.apart
    var due = SimInstant.zero
    var event: EventHandle?
    /// Searches so far, which draws count.
    var searches: UInt64 = 0
  }

  private let count: Int
  private var pairs: [Pair]

  init(count: Int) {
    self.count = count
    pairs = Array(repeating: Pair(), count: count * count)
  }

  subscript(a: Int, b: Int) -> Pair {
    get { pairs[min(a, b) * count + max(a, b)] }
    set { pairs[min(a, b) * count + max(a, b)] = newValue }
  }

  /// Whether two devices are neighbours as far as they know.
  func knows(_ a: Int, _ b: Int) -> Bool {
    let state = self[a, b].state
    return state == .linked || state == .fading
  }
}
