/// Why a parser that is not ours cannot be fuzzed: one line for people.
public struct ParserProblem: Error, CustomStringConvertible {
  public let description: String
  /// Whether the command line named it wrongly; else it is there and gives no answer.
  public let isUsage: Bool

  public init(_ description: String, isUsage: Bool) {
    self.description = description
    self.isUsage = isUsage
  }
}
