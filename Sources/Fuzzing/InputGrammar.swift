public import SimKernel

/// What inputs of one kind look like: all that is needed to draw and to change them, whoever decodes them.
public struct InputGrammar: Sendable {
  /// For mutations that keep more of the structure than single octets.
  public enum Form: Sendable {
    case octets
    /// JSON, YAML, lines: quoted words, numbers, brackets.
    case text
  }

  public let name: String
  /// For lists: what such an input is.
  public let title: String
  public let form: Form
  /// The longest input that is tried, octets.
  public var limit: Int
  /// Words of the format that chance does not find.
  public var words: [[UInt8]]
  /// Draws an input that is valid as a rule.
  public let valid: @Sendable (inout RandomStream) -> [UInt8]

  public init(
    _ name: String, _ title: String, form: Form = .octets, limit: Int, words: [[UInt8]] = [],
    valid: @escaping @Sendable (inout RandomStream) -> [UInt8]
  ) {
    self.name = name
    self.title = title
    self.form = form
    self.limit = limit
    self.words = words
    self.valid = valid
  }

  /// The same with more words.
  public func adding(words more: [[UInt8]]) -> Self {
    var grammar = self
    grammar.words += more
    return grammar
  }

  /// An input for a mutator of somebody else's engine: the given one changed, or now and then a valid one that is.
  ///
  /// - Parameters:
  ///   - other: an input to take parts of.
  ///   - capacity: the result is cut to so many octets.
  public func mutated(_ input: [UInt8], with other: [UInt8], capacity: Int, stream: RandomStream) -> [UInt8] {
    var stream = stream
    var result = input
    var parts = other
    if input.isEmpty || stream.below(16) == 0 {
      result = valid(&stream)
      parts = input
    } else if stream.below(16) == 0 {
      parts = valid(&stream)
    }
    var mutator = InputMutator(self, stream: stream)
    mutator.mutate(&result, with: parts)
    if result.count > capacity { result.removeLast(result.count - capacity) }
    return result
  }
}
