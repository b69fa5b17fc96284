/// `[exactly|at least|at most|no] [n] what`, or `ATT_MTU [at least|at most] n`: how many of something there are. What
/// is named without a number is at least one: “nobody has violations”.
public struct CountedWords: Hashable, Sendable {
  public var comparison: Condition.Comparison
  public var bound: Int
  /// What is counted, word by word.
  public var what: [String]

  /// Nil when the words do not have that form.
  public init?(_ words: [String]) {
    var rest = words[...]
    let isATTMTU = rest.first == "ATT_MTU"
    if isATTMTU { rest = rest.dropFirst() }
    comparison = .exactly
    if rest.first == "no" {
      bound = 0
      rest = rest.dropFirst()
    } else {
      if rest.starts(with: ["at", "least"]) {
        comparison = .atLeast
        rest = rest.dropFirst(2)
      } else if rest.starts(with: ["at", "most"]) {
        comparison = .atMost
        rest = rest.dropFirst(2)
      } else if rest.first == "exactly" {
        rest = rest.dropFirst()
      }
      if let number = rest.first.flatMap({ Int($0) }) {
        guard (0...1_000_000).contains(number) else { return nil }
        bound = number
        rest = rest.dropFirst()
      } else {
        guard !isATTMTU, rest.count == words.count else { return nil }
        (comparison, bound) = (.atLeast, 1)
      }
    }
    what = isATTMTU ? ["ATT_MTU"] + rest : Array(rest)
  }
}
