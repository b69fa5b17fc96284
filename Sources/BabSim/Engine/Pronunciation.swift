import AppSeam

/// Compares what was spoken with the line, word by word.
///
/// Spec: BAB 6.11. Words are split at spaces and compared in lower case, position by position.
public enum Pronunciation {
  /// Two guides differ in how they treat words beyond the end of the line.
  public enum Rule: String, Hashable, Sendable, CaseIterable {
    case extraWordsIgnored
    /// Each is an error; the accuracy stays at or above 0.
    case extraWordsCount
  }

  public struct Score: Hashable, Sendable {
    public var errorCount: Int
    /// 0 … 1000, rounded down; 0 for a line without words.
    public var accuracyPermille: Int
    public var wordErrors: [WordError]
  }

  public static func words(_ text: String) -> [String] {
    text.lowercased().split(separator: " ").map(String.init)
  }

  public static func evaluate(expected: String, spoken: String, rule: Rule) -> Score {
    let expectedWords = words(expected)
    let spokenWords = words(spoken)
    var wordErrors: [WordError] = []
    for (position, word) in expectedWords.enumerated() {
      let heard = position < spokenWords.count ? spokenWords[position] : nil
      guard heard != word else { continue }
      wordErrors.append(WordError(word: word, position: Int32(clamping: position), expected: word, heard: heard))
    }
    let extra = rule == .extraWordsCount ? max(0, spokenWords.count - expectedWords.count) : 0
    let errorCount = wordErrors.count + extra
    let right = max(0, expectedWords.count - errorCount)
    return Score(
      errorCount: errorCount,
      accuracyPermille: expectedWords.isEmpty ? 0 : right * 1_000 / expectedWords.count,
      wordErrors: wordErrors)
  }
}
