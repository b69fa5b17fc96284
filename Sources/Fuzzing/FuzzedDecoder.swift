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
    /// It broke a rule of its own.
    case broken(String)
  }

  /// What its inputs look like, for mutations that keep more of the structure than single octets.
  public enum Form: Sendable {
    case octets
    /// JSON, YAML, lines: quoted words, numbers, brackets.
    case text
  }

  public let name: String
  /// For lists: what it decodes.
  public let title: String
  /// The files it is declared in, from the root of the repository.
  public let files: [String]
  public let form: Form
  /// The longest input that is tried, octets. Longer ones are refused by the decoder or by whoever feeds it.
  public let limit: Int
  /// Words of the format that chance does not find.
  public let words: [[UInt8]]
  /// Draws an input that is valid as a rule.
  public let valid: @Sendable (inout RandomStream) -> [UInt8]
  public let decode: @Sendable ([UInt8]) -> Answer

  public init(
    _ name: String, _ title: String, in files: [String], form: Form = .octets, limit: Int, words: [[UInt8]] = [],
    valid: @escaping @Sendable (inout RandomStream) -> [UInt8], decode: @escaping @Sendable ([UInt8]) -> Answer
  ) {
    self.name = name
    self.title = title
    self.files = files
    self.form = form
    self.limit = limit
    self.words = words
    self.valid = valid
    self.decode = decode
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
    case .broken(let rule): return .failure(Fault(rule: rule, description: rule))
    case .refused, .accepted(_, nil): break
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
