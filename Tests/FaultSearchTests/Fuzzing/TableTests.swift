import BabFuzzing
import Expectations
import Fuzzing
import SimKernel
import Testing

/// The rows of the table of decoders.
@Suite("Table of decoders")
struct TableTests {
  static let all = FuzzedDecoder.bab + FuzzedDecoder.general

  @Test("Names are different, and valid inputs are accepted as a rule", arguments: all.map(\.name))
  func valid(name: String) throws {
    equal(Self.all.filter { $0.name == name }.count, 1)
    let decoder = try required(Self.all.first { $0.name == name })
    var stream = RandomStream(seed: 1, component: name, purpose: "test")
    let answers = (0..<100).map { _ in decoder.judge(decoder.valid(&stream)) }
    let accepted = answers.filter { if case .success(.accepted) = $0 { true } else { false } }.count
    expect(accepted >= 80, "\(accepted) of 100")
  }

  @Test("A short campaign finds nothing in a decoder of the bench", arguments: all.map(\.name))
  func silent(name: String) throws {
    let decoder = try required(Self.all.first { $0.name == name })
    var fuzzer = DecoderFuzzer(decoder, seed: 1)
    for _ in 0..<400 {
      if case .fault(let finding) = fuzzer.run(fuzzer.nextInput()) { Issue.record("\(finding.fault)") }
    }
    expect(fuzzer.corpus.count > 5)
  }
}
