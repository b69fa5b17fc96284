/// What a guest shows of a session: finals from number 1 on.
struct GuestTranscript {
  private(set) var finals: [String] = []

  var count: Int { finals.count }

  /// What a final of a history is to what is shown.
  enum Meeting { case new, shown, otherText }

  /// - Parameter sequence: at most the next number.
  func meet(_ sequence: Int, _ text: String) -> Meeting {
    if sequence > count { return .new }
    return finals[sequence - 1].isSame(as: text) ? .shown : .otherText
  }

  mutating func append(_ text: String) { finals.append(text) }

  /// Drops all, and returns the first `kept` finals, which the next session has too.
  mutating func clear(keeping kept: Int) -> [String] {
    let start = Array(finals.prefix(kept))
    finals = []
    return start
  }
}
