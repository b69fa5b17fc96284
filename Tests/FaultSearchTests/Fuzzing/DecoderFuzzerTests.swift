import Expectations
import Fuzzing
import SimKernel
import Testing

/// The engine against decoders with a planted defect, and against the same ones without it.
@Suite("Fuzzing of decoders")
struct DecoderFuzzerTests {
  /// Two octets of a sign, a count, and so many octets.
  private static func decoder(
    _ name: String, _ decode: @escaping @Sendable ([UInt8]) -> FuzzedDecoder.Answer
  ) -> FuzzedDecoder {
    FuzzedDecoder(
      name, "a test", in: [], limit: 64, words: [[0xBA, 0xB0]], valid: { _ in [0xBA, 0xB0, 2, 7, 7] }, decode: decode)
  }

  private static func plain(_ input: [UInt8]) -> FuzzedDecoder.Answer {
    guard input.count >= 3 else { return .refused(reason: "truncated", offset: input.count) }
    guard input[0] == 0xBA, input[1] == 0xB0 else { return .refused(reason: "sign", offset: 0) }
    guard input.count == 3 + Int(input[2]) else { return .refused(reason: "length", offset: 2) }
    return .accepted(kind: UInt64(input[2]), canonical: input)
  }

  private static let planted: [(name: String, rule: String, decoder: FuzzedDecoder)] = [
    (
      "offset", "the offset of a refusal is outside the input",
      decoder("offset") { input in
        if input.count > 2, input[0] == 0xBA, input[2] > 200 {
          return .refused(reason: "length", offset: 3 + Int(input[2]))
        }
        return plain(input)
      }
    ),
    (
      "unstable", "the encoding is not stable",
      decoder("unstable") { input in
        guard case .accepted(let kind, let canonical?) = plain(input), input.count > 3, input[3] == 0xFF else {
          return plain(input)
        }
        return .accepted(kind: kind, canonical: canonical.dropLast() + [canonical[canonical.count - 1] &+ 1])
      }
    ),
    (
      "lost", "what was encoded is refused",
      decoder("lost") { input in
        guard case .accepted(let kind, let canonical?) = plain(input), kind == 5 else { return plain(input) }
        return .accepted(kind: kind, canonical: Array(canonical.dropLast()))
      }
    ),
    (
      "other", "what was encoded is something else",
      decoder("other") { input in
        guard case .accepted(1, _) = plain(input) else { return plain(input) }
        return .accepted(kind: 1, canonical: [0xBA, 0xB0, 0])
      }
    ),
    (
      "own rule", "holds too much",
      decoder("own rule") { input in
        if case .accepted(let kind, _) = plain(input), kind > 20 { return .broken("holds too much") }
        return plain(input)
      }
    ),
  ]

  @Test("Each rule is broken by a planted defect and found", arguments: planted.indices)
  func found(index: Int) {
    let (_, rule, decoder) = Self.planted[index]
    var fuzzer = DecoderFuzzer(decoder, seed: 3)
    var found: [DecoderFuzzer.Finding] = []
    for _ in 0..<20_000 {
      if case .fault(let finding) = fuzzer.run(fuzzer.nextInput()) { found.append(finding) }
    }
    expect(found.map(\.fault.rule).contains(rule))
    guard let first = found.first(where: { $0.fault.rule == rule }) else { return }
    let small = InputShrinker.shrink(first.input) { candidate in
      if case .failure(let fault) = decoder.judge(candidate) { fault.rule == rule } else { false }
    }
    expect(small.count <= first.input.count && small.count <= 40, "\(small)")
    equal(InputShrinker.shrink(small) { _ in false }, small)
  }

  @Test("The same decoder without a defect is left alone; the same seed gives the same corpus")
  func silent() {
    let decoder = Self.decoder("plain", Self.plain)
    let runs = [1, 1, 2].map { seed in
      var fuzzer = DecoderFuzzer(decoder, seed: UInt64(seed))
      for _ in 0..<20_000 {
        if case .fault(let finding) = fuzzer.run(fuzzer.nextInput()) { Issue.record("\(finding.fault)") }
      }
      return fuzzer.corpus
    }
    equal(runs[0], runs[1])
    expect(runs[0] != runs[2])
  }

  @Test("A run that is continued with its corpus goes on as if it had not stopped")
  func continued() {
    let decoder = Self.decoder("plain", Self.plain)
    var whole = DecoderFuzzer(decoder, seed: 4)
    for _ in 0..<4_000 { _ = whole.run(whole.nextInput()) }
    var first = DecoderFuzzer(decoder, seed: 4)
    for _ in 0..<1_500 { _ = first.run(first.nextInput()) }
    var second = DecoderFuzzer(decoder, seed: 4, seeds: first.corpus, from: first.execution)
    for _ in 0..<2_500 { _ = second.run(second.nextInput()) }
    equal(second.corpus, whole.corpus)
  }
}
