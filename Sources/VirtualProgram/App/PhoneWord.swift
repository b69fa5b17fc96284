public import AppSeam

/// What a phone of a room shows in the trace beside calls and remarks (`CallWord`).
public enum PhoneWord: AppStatement {
  /// What stopped the app, in one line.
  case stopped(String)

  public static let words: [PhoneWord] = [.stopped("")]

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .stopped(var text):
      try visitor.word("stopped")
      try visitor.field("text", &text)
      self = .stopped(text)
    }
  }
}
