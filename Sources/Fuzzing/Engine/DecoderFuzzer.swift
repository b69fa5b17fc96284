import SimKernel

/// Tries inputs on one decoder, one execution after the other, and keeps those that showed something new.
///
/// New is an answer of a kind that was not seen: which reason of refusal in which part of the input, which kind of
/// value of which length. Execution `n` depends on the seed, `n`, and what was kept before: the same seed and number of
/// executions give the same inputs, corpus and faults.
public struct DecoderFuzzer: Sendable {
  /// A fault with the input that showed it.
  public struct Finding: Sendable {
    public var execution: UInt64
    public var input: [UInt8]
    public var fault: FuzzedDecoder.Fault
  }

  public let decoder: FuzzedDecoder
  private let seed: UInt64
  /// That of the decoder, with the words that it was seen to look for.
  private var grammar: InputGrammar
  /// Inputs that showed something new, in order.
  public private(set) var corpus: [[UInt8]]
  private var seen: Set<UInt64> = []
  private var rules: Set<String> = []
  /// The next execution.
  public private(set) var execution: UInt64 = 0

  /// Inputs kept; beyond that, new ones are tried and forgotten.
  public static let corpusLimit = 4_096

  /// - Parameters:
  ///   - seeds: inputs to begin with; those that show nothing new are dropped. May be empty.
  ///   - execution: the first; later than 0 where a run is continued whose corpus is given as `seeds`.
  public init(_ decoder: FuzzedDecoder, seed: UInt64, seeds: [[UInt8]] = [], from execution: UInt64 = 0) {
    self.decoder = decoder
    self.seed = seed
    grammar = decoder.grammar
    self.execution = execution
    corpus = []
    for input in seeds { _ = add(input) }
  }

  /// Tries an input that somebody else found, and keeps it when it shows something new.
  public mutating func add(_ input: [UInt8]) -> Step {
    input.count <= decoder.limit ? judge(input) : .nothing
  }

  /// Kinds of answers that were seen.
  public var states: Int { seen.count }

  /// The input of the next execution; `run` tries it.
  public func nextInput() -> [UInt8] {
    var stream = RandomStream(
      seed: seed &+ execution &* 0x9E37_79B9_7F4A_7C15, component: decoder.name, purpose: "fuzz")
    if corpus.isEmpty || stream.below(decoder.drawsOneOf) == 0 {
      var input = decoder.valid(&stream)
      if stream.below(4) > 0 {
        let base = input
        var mutator = InputMutator(grammar, stream: stream)
        mutator.mutate(&input, with: base)
      }
      return input
    }
    var input = corpus[Int(stream.below(UInt64(corpus.count)))]
    let other = corpus[Int(stream.below(UInt64(corpus.count)))]
    var mutator = InputMutator(grammar, stream: stream)
    mutator.mutate(&input, with: other)
    return input
  }

  /// What one execution came to.
  public enum Step: Sendable {
    case nothing
    /// The input was added to the corpus.
    case kept
    /// A rule was broken for the first time; later breaches of it are passed over.
    case fault(Finding)
  }

  /// Tries the input of this execution, which `nextInput` gave.
  public mutating func run(_ input: [UInt8]) -> Step {
    defer { execution += 1 }
    return judge(input)
  }

  private mutating func judge(_ input: [UInt8]) -> Step {
    switch decoder.judge(input) {
    case .success(let answer): return keep(input, answer) ? .kept : .nothing
    case .failure(let fault):
      guard rules.insert(fault.rule).inserted else { return .nothing }
      return .fault(Finding(execution: execution, input: input, fault: fault))
    }
  }

  private mutating func keep(_ input: [UInt8], _ answer: FuzzedDecoder.Answer) -> Bool {
    if case .ran(let isNew) = answer {
      guard isNew else { return false }
      seen.insert(UInt64(seen.count))
    } else {
      guard seen.insert(Self.feature(answer, of: input.count)).inserted else { return false }
    }
    guard corpus.count < Self.corpusLimit else { return false }
    corpus.append(input)
    if let hints = decoder.hints { grammar.words = decoder.grammar.words + hints() }
    return true
  }

  /// Powers of two: lengths of one size are alike.
  private static func size(_ count: Int) -> UInt64 { UInt64(Int.bitWidth - count.leadingZeroBitCount) }

  private static func feature(_ answer: FuzzedDecoder.Answer, of count: Int) -> UInt64 {
    switch answer {
    case .broken, .ran: return 0
    case .accepted(let kind, let canonical):
      return RandomStream.mix(kind &* 64 &+ size(canonical?.count ?? count)) | 1
    case .refused(let reason, let offset):
      var hash: UInt64 = 0
      for octet in reason.utf8 { hash = hash &* 0x100_0000_01B3 ^ UInt64(octet) }
      return RandomStream.mix(hash &* 64 &+ UInt64(min(offset ?? 0, 63))) & ~1
    }
  }
}
