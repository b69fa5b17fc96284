public import SimKernel

/// How the devices of a step, or the lobbies of a room, come one after the other.
public enum Spread: Hashable, Sendable {
  /// Each at an instant of its own, drawn evenly from this time.
  case over(SimDuration)
  /// One by one in a drawn order, with drawn gaps of this mean: a Poisson process, the first arrival at the start.
  case meanGap(SimDuration)
  /// So many at once, in their order, and the next ones so long after.
  case waves(of: Int, every: SimDuration)

  /// When each of so many comes, from the start; the same stream gives the same instants.
  func offsets(of count: Int, _ stream: inout RandomStream) -> [SimDuration] {
    switch self {
    case .over(let span):
      return (0..<count).map { _ in .nanoseconds(stream.within(0...span.nanoseconds)) }
    case .meanGap(let mean):
      var offsets = Array(repeating: SimDuration.zero, count: count)
      var next = SimDuration.zero
      for place in Self.order(of: count, &stream) {
        offsets[place] = next
        next = next + Exponential.draw(mean, from: &stream)
      }
      return offsets
    case .waves(let size, let every):
      return (0..<count).map { .nanoseconds(Int64($0 / size) * every.nanoseconds) }
    }
  }

  /// Every order is as probable as any other (Fisher and Yates).
  private static func order(of count: Int, _ stream: inout RandomStream) -> [Int] {
    var order = Array(0..<count)
    for last in order.indices.reversed() where last > 0 {
      order.swapAt(last, Int(stream.below(UInt64(last + 1))))
    }
    return order
  }
}
