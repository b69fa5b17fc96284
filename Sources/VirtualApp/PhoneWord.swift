public import AppSeam

/// What a phone of a room shows in the trace.
public enum PhoneWord: AppStatement {
  /// Something about the app's use of CoreBluetooth: `kind` and `name` of a `CBRemark`, and its text.
  case remark(kind: String, name: String, text: String)
  /// What stopped the app, in one line.
  case stopped(String)
  /// What the app used that is not virtual, each once.
  case notVirtual(String)

  public static let words: [PhoneWord] = [.remark(kind: "", name: "", text: ""), .stopped(""), .notVirtual("")]

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .remark(var kind, var name, var text):
      try visitor.word("remark")
      try visitor.field("kind", &kind)
      try visitor.field("name", &name)
      try visitor.field("text", &text)
      self = .remark(kind: kind, name: name, text: text)
    case .stopped(var text):
      try visitor.word("stopped")
      try visitor.field("text", &text)
      self = .stopped(text)
    case .notVirtual(var text):
      try visitor.word("notVirtual")
      try visitor.field("text", &text)
      self = .notVirtual(text)
    }
  }
}
