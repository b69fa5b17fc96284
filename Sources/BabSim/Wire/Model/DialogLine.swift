/// Who may be shown a line.
public enum LineVisibility: String, Hashable, Sendable, CaseIterable {
  /// Only the player whose turn it is.
  case isPrivate = "PRIVATE"
  case committed = "COMMITTED"
}

/// One line of the dialogue.
public struct DialogLine: Hashable, Sendable {
  public var id: String
  public var speakerID: String
  public var roleName: String
  public var textNative: String
  public var textTranslated: String
  /// Milliseconds of the sender's clock.
  public var timestamp: Int64
  public var assignedToPlayerID: String
  public var visibility: LineVisibility
  public var pronunciationResult: PronunciationResult?
  public init(
    id: String, speakerID: String, roleName: String, textNative: String, textTranslated: String, timestamp: Int64,
    assignedToPlayerID: String = "", visibility: LineVisibility = .committed,
    pronunciationResult: PronunciationResult? = nil
  ) {
    self.id = id
    self.speakerID = speakerID
    self.roleName = roleName
    self.textNative = textNative
    self.textTranslated = textTranslated
    self.timestamp = timestamp
    self.assignedToPlayerID = assignedToPlayerID
    self.visibility = visibility
    self.pronunciationResult = pronunciationResult
  }
}

/// How a player read a line.
public struct PronunciationResult: Hashable, Sendable {
  public var errorCount: Int32
  /// 0 … 1 from an honest sender; always finite.
  public var accuracy: Float
  public var wordErrors: [WordError]
  public var skipped: Bool
  /// Milliseconds.
  public var duration: Int64
  public init(errorCount: Int32, accuracy: Float, wordErrors: [WordError], skipped: Bool, duration: Int64) {
    self.errorCount = errorCount
    self.accuracy = accuracy
    self.wordErrors = wordErrors
    self.skipped = skipped
    self.duration = duration
  }

  /// `accuracy` in thousandths, rounded half away from zero and held to 0 … 1000, whatever was received.
  public var accuracyPermille: Int { Accuracy.permille(accuracy) }
}

/// Between the wire's 32-bit accuracy and the integers that decisions are made with.
public enum Accuracy {
  /// Thousandths, rounded half away from zero and held to 0 … 1000; NaN counts as 0.
  public static func permille(_ accuracy: Float) -> Int {
    guard accuracy > 0 else { return 0 }
    guard accuracy < 1 else { return 1_000 }
    return Int((Double(accuracy) * 1_000).rounded())
  }

  /// The 32-bit number nearest to `permille` / 1000, which prints with at most three decimals.
  public static func float(permille: Int) -> Float { Float(max(0, min(1_000, permille))) / 1_000 }
}

public struct WordError: Hashable, Sendable {
  public var word: String
  public var position: Int32
  public var expected: String?
  public var heard: String?
  public init(word: String, position: Int32, expected: String? = nil, heard: String? = nil) {
    self.word = word
    self.position = position
    self.expected = expected
    self.heard = heard
  }
}
