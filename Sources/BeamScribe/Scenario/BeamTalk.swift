import Bench

/// How much is said in a world. Settings and stories draw it from the seed alone, so that both mean the same talk.
struct BeamTalk {
  enum Kind: Hashable {
    /// As much as the settings happen to say.
    case any
    /// Some hundred finals, and then silence.
    case long
    /// More than a guest that does not read has room for.
    case fast
    /// A history of more than one frame.
    case huge
  }

  let kind: Kind
  /// Milliseconds from one final to the next.
  private let every: Int
  /// All that are spoken.
  let finals: Int

  init(_ draws: Draws) {
    let draws = Draws(seed: draws.seed).of("beamscribe").of("talk")
    kind = draws.weighted("kind", [(880, .any), (40, .long), (40, .fast), (40, .huge)])
    switch kind {
    case .any: (every, finals) = (0, 0)
    case .long:
      (every, finals) = (draws.number("every", 20...60), draws.number("finals", 600...1_000))
    case .fast:
      (every, finals) = (draws.number("every", 3...6), draws.number("finals", 4_000...7_000))
    // A chunk of a history has 81 octets in the mean: 13 000 of them are more than a frame holds.
    case .huge: (every, finals) = (1, draws.number("finals", 13_500...15_000))
    }
  }

  /// Nil: the settings say what they will.
  var speech: YAMLTree? {
    guard kind != .any else { return nil }
    return .map([("every", .scalar("\(every)ms")), ("finals", .scalar(finals))])
  }
}
