import Expectations
import Fuzzing
import SimKernel
import Testing

/// The grammars as a mutator for other engines.
@Suite("Grammars")
struct InputGrammarTests {
  @Test("A mutation depends on its stream only, and keeps to its room", arguments: TableTests.all.map(\.name))
  func mutated(name: String) throws {
    let grammar = try required(TableTests.all.first { $0.name == name }).grammar
    for seed in 0..<40 as Range<UInt64> {
      var stream = RandomStream(seed: seed, component: "test", purpose: "mutation")
      let input = grammar.valid(&stream)
      let results = (0..<2).map { _ in grammar.mutated(input, with: [1, 2, 3], capacity: 50, stream: stream) }
      equal(results[0], results[1])
      expect(results[0].count <= 50)
    }
  }

  @Test("Numbers of a text become others; quoted ones and words stay")
  func numbers() {
    let grammar = InputGrammar.plain.first { $0.name == "json" }
    guard let grammar else { return }
    let input = Array("{\"a\":12345}".utf8)
    let found = (0..<2_000 as Range<UInt64>).contains { seed in
      let stream = RandomStream(seed: seed, component: "test", purpose: "numbers")
      return grammar.mutated(input, with: [], capacity: 100, stream: stream) == Array("{\"a\":1e400}".utf8)
    }
    expect(found)
  }
}
