package import SimKernel

/// What a hostile device does from the state on: the input of one execution.
package struct Attack: Hashable, Sendable {
  package var strokes: [Stroke]

  package init(_ strokes: [Stroke] = []) { self.strokes = strokes }

  /// One thing that it does.
  package struct Stroke: Hashable, Sendable {
    package var manner: Manner
    /// The unit that is sent; unused by `drop`, `again` and `late`.
    package var octets: [UInt8]
    /// The unit that it was made of, for people; empty: none.
    package var origin: [UInt8]

    package init(_ manner: Manner, octets: [UInt8] = [], origin: [UInt8] = []) {
      self.manner = manner
      self.octets = octets
      self.origin = origin
    }
  }

  /// Units that the device sends on its own are counted from 0, from the state on.
  package enum Manner: Hashable, Sendable {
    /// Sends a unit of its own after a span, on one of its routes (a number, modulo how many there are).
    case send(after: SimDuration, route: Int)
    /// Sends a unit in place of one that passes.
    case replace(Int)
    /// Swallows one that passes.
    case drop(Int)
    /// Sends one that passes several times.
    case again(Int, times: Int)
    /// Holds one that passes back, so that others overtake it.
    case late(Int, SimDuration)

    /// How long it waits, at least, from the state on.
    var wait: SimDuration {
      switch self {
      case .send(let span, _), .late(_, let span): span
      case .replace, .drop, .again: .zero
      }
    }
  }
}

extension Attack {
  /// What happens to a unit that passes.
  /// - Parameters:
  ///   - index: how many passed before it.
  ///   - drop: is told which stroke swallows it.
  ///   - replace: sends these octets in its place, for a stroke.
  ///   - send: sends the unit itself after a span, for a stroke.
  /// - Returns: whether something was done, so that it does not go its own way.
  func strike(
    unit index: Int, drop: (Int) -> Void = { _ in }, replace: ([UInt8], Int) -> Void, send: (SimDuration, Int) -> Void
  ) -> Bool {
    var isTaken = false
    for (number, stroke) in strokes.enumerated() {
      switch stroke.manner {
      case .replace(index):
        replace(stroke.octets, number)
        isTaken = true
      case .drop(index):
        drop(number)
        isTaken = true
      case .again(index, let times):
        for _ in 0..<times { send(.zero, number) }
        isTaken = true
      case .late(index, let span):
        send(span, number)
        isTaken = true
      default: break
      }
    }
    return isTaken
  }
}
