import AppSeam
import SimKernel

extension DialogLine {
  /// The line as everybody but its player gets it while it is private: who and which, without a text (BAB 5.4.3).
  var redacted: DialogLine {
    var line = self
    line.textNative = ""
    line.textTranslated = ""
    return line
  }

  /// The result of speaking this line aloud.
  func read(
    _ spoken: String, rule: Pronunciation.Rule, from start: SimInstant, to end: SimInstant
  ) -> PronunciationResult {
    let score = Pronunciation.evaluate(expected: textNative, spoken: spoken, rule: rule)
    return PronunciationResult(
      errorCount: Int32(clamping: score.errorCount), accuracy: Accuracy.float(permille: score.accuracyPermille),
      wordErrors: score.wordErrors, skipped: false, duration: (end - start).nanoseconds / 1_000_000)
  }
}

extension PronunciationResult {
  static let skippedLine = PronunciationResult(
    errorCount: 0, accuracy: 0, wordErrors: [], skipped: true, duration: 0)

  /// Whether a person can have read like that: accuracy 0 … 1, at most 10 000 errors, at most a day (BAB 7.11).
  var isPossible: Bool {
    accuracy >= 0 && accuracy <= 1 && (0...10_000).contains(errorCount) && (0...86_400_000).contains(duration)
  }
}
