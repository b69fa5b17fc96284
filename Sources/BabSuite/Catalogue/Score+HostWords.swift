import AppSeam
import BabSim
import Conformance
import SimKernel

/// SCORE, host: the comparing of words (BAB 6.11). The host's player speaks; the result shows in LINE_COMPLETED.
extension Catalog {
  static let scoreHostWords: [TestPurpose] = [
    spoken(
      "BAB/HOST/SCORE/BV-23-C", "Words are compared in lower case.", expects: "no error, accuracy 1000",
      speech: { $0.map { $0.uppercased().lowercased() == $0.lowercased() ? $0.uppercased() : $0 } },
      errors: { _, _ in 0 }),
    spoken(
      "BAB/HOST/SCORE/BV-24-C", "A wrong word is an error, and the accuracy is rounded down.",
      expects: "one error, accuracy ⌊1000 × (words − 1) / words⌋",
      speech: { ["xyzzy"] + $0.dropFirst() }, errors: { _, _ in 1 }),
    spoken(
      "BAB/HOST/SCORE/BV-25-C", "Words are compared place by place.",
      expects: "with the first word left out, every place is an error unless two neighbours are the same word",
      speech: { Array($0.dropFirst()) },
      errors: { words, _ in
        words.indices.filter { $0 + 1 >= words.count || words[$0].lowercased() != words[$0 + 1].lowercased() }.count
      }),
    spoken(
      "BAB/HOST/SCORE/BV-26-C", "Words beyond the end of the line are ignored or each an error, by dialect.",
      expects: "two errors in `guide`, none in the others", speech: { $0 + ["xyzzy", "plugh"] },
      errors: { _, dialect in dialect.pronunciation == .extraWordsCount ? 2 : 0 }),
    spoken(
      "BAB/HOST/SCORE/BV-27-C", "The accuracy is never below 0.",
      expects: "accuracy 0 when all words are wrong, and there are too many",
      speech: { $0.map { _ in "xyzzy" } + ["xyzzy", "xyzzy"] },
      errors: { words, dialect in words.count + (dialect.pronunciation == .extraWordsCount ? 2 : 0) }),
  ]

  /// The host's player speaks its line in some way, which must make so many errors.
  private static func spoken(
    _ id: String, _ purpose: String, expects: String, speech: @escaping @Sendable ([String]) -> [String],
    errors: @escaping @Sendable ([String], Dialect) -> Int
  ) -> TestPurpose {
    .inGame(
      id, ["BAB 6.11"], purpose, expects: ["LINE_COMPLETED: " + expects], needs: [.scoring, .screen],
      script: ["Un café con leche, por favor, señora"]
    ) { t in
      guard let text = t.iut.screenLine?.text else { throw t.blocked("the host shows a line of its own", cause: nil) }
      let words = text.split(separator: " ").map(String.init)
      let wrong = errors(words, t.dialect)
      let accuracy = max(0, words.count - wrong) * 1_000 / words.count
      t.iut.user(.speak(speech(words).joined(separator: " ")))
      try t.clients[0].expect(.lineCompleted, "has \(wrong) errors and accuracy \(accuracy) thousandths") {
        guard case .lineCompleted(_, let result) = $0.payload else { return false }
        return Int(result.errorCount) == wrong && result.accuracyPermille == accuracy && result.accuracy >= 0
      }
    }
  }
}
