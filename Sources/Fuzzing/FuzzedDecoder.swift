public import SimKernel

/// One function that takes octets from outside, as the fuzzer sees it: a row of the table of decoders.
public struct FuzzedDecoder: Sendable {
  /// What a decoder made of an input.
  public enum Answer: Hashable, Sendable {
    /// It took the octets. `kind` tells apart what was decoded (an opcode, a type); `canonical` is the value encoded
    /// again, nil where the decoder has no encoder.
    case accepted(kind: UInt64, canonical: [UInt8]?)
    /// It refused. `offset` counts octets from the start of the input, nil where the format has lines and no offsets.
    case refused(reason: String, offset: Int?)
    /// It is known to have run, and by its coverage whether it has come anywhere new.
    case ran(isNew: Bool)
    /// It broke a rule of its own, or ended; `detail` has what differs from input to input.
    case broken(String, detail: String? = nil)
  }

  public typealias Form = InputGrammar.Form

  /// What its inputs look like. Longer ones than its limit are refused by the decoder or by whoever feeds it.
  public let grammar: InputGrammar
  /// The files it is declared in, from the root of the repository; none for a parser that is not ours.
  public let files: [String]
  public let decode: @Sendable ([UInt8]) -> Answer
  /// One input of so many is drawn; the others are changed ones that were kept.
  let drawsOneOf: UInt64
  /// Words that the decoder has been seen to look for so far.
  public let hints: (@Sendable () -> [[UInt8]])?

  public var name: String { grammar.name }
  public var title: String { grammar.title }
  public var limit: Int { grammar.limit }
  public var valid: @Sendable (inout RandomStream) -> [UInt8] { grammar.valid }

  public init(
    _ name: String, _ title: String, in files: [String], form: Form = .octets, limit: Int, words: [[UInt8]] = [],
    valid: @escaping @Sendable (inout RandomStream) -> [UInt8], decode: @escaping @Sendable ([UInt8]) -> Answer
  ) {
    self.init(
      InputGrammar(name, title, form: form, limit: limit, words: words, valid: valid), in: files, decode: decode)
  }

  init(_ grammar: InputGrammar, in files: [String], decode: @escaping @Sendable ([UInt8]) -> Answer) {
    self.grammar = grammar
    self.files = files
    self.decode = decode
    hints = nil
    drawsOneOf = 16
  }

  /// A parser that is not ours.
  ///
  /// - Parameters:
  ///   - name: what findings call it.
  ///   - isBlind: whether answers tell too little for what is kept to lead further than valid inputs do.
  ///   - hints: words that it has been seen to look for.
  public init(
    parser name: String, _ grammar: InputGrammar, isBlind: Bool, hints: (@Sendable () -> [[UInt8]])? = nil,
    decode: @escaping @Sendable ([UInt8]) -> Answer
  ) {
    self.grammar = InputGrammar(
      name, grammar.title, form: grammar.form, limit: grammar.limit, words: grammar.words, valid: grammar.valid)
    files = []
    self.decode = decode
    self.hints = hints
    drawsOneOf = isBlind ? 2 : 16
  }
}

extension FuzzedDecoder {
  /// What is wrong with how a decoder took an input, beyond a trap.
  public struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The rule that was broken; findings are grouped by it.
    public var rule: String
    /// With the numbers of this input.
    public var description: String
  }

  /// Runs the decoder and holds it to what every decoder keeps: the offset of a refusal is in the input, and what was
  /// accepted encodes to octets that decode and encode to themselves.
  public func judge(_ input: [UInt8]) -> Result<Answer, Fault> {
    let answer = decode(input)
    switch answer {
    case .refused(let reason, let offset?) where offset < 0 || offset > input.count:
      return fault("the offset of a refusal is outside the input", "“\(reason)” at \(offset) of \(input.count) octets")
    case .broken(let rule, let detail): return .failure(Fault(rule: rule, description: detail ?? rule))
    case .refused, .ran, .accepted(_, nil): break
    case .accepted(let kind, let canonical?):
      guard case .accepted(let again, let second?) = decode(canonical) else {
        return fault("what was encoded is refused", "\(input.count) octets accepted, \(canonical.count) encoded")
      }
      if again != kind { return fault("what was encoded is something else", "kind \(kind), then \(again)") }
      if second != canonical {
        return fault("the encoding is not stable", "\(canonical.count) octets, then \(second.count)")
      }
    }
    return .success(answer)
  }

  private func fault(_ rule: String, _ detail: String) -> Result<Answer, Fault> {
    .failure(Fault(rule: rule, description: "\(rule): \(detail)"))
  }
}
