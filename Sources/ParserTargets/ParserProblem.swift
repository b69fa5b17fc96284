/// Why a parser that is not ours cannot be fuzzed: one line for people.
package struct ParserProblem: Error, CustomStringConvertible {
  package let description: String
  /// Whether the command line named it wrongly; else it is there and gives no answer.
  package let isUsage: Bool

  package init(_ description: String, isUsage: Bool) {
    self.description = description
    self.isUsage = isUsage
  }
}
