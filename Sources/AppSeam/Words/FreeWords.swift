/// What a user does with an app whose words are not known when the bench is compiled: the word, and its values.
public struct FreeAction: AppStatement {
  /// The word, as the protocol's file calls it.
  public var what: String
  public var values: [FreeValue]

  public init(_ what: String, _ values: [FreeValue] = []) {
    self.what = what
    self.values = values
  }

  public static let words = [FreeAction("")]

  /// `announce (text hello)`.
  public var text: String { values.isEmpty ? what : "\(what) (\(values.text))" }

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.word("does")
    try visitor.field("what", &what)
    try visitor.records("values", &values)
  }
}

/// What such an app shows.
public struct FreeReport: AppStatement {
  /// The word, as the protocol's file calls it.
  public var what: String
  public var values: [FreeValue]

  public init(_ what: String, _ values: [FreeValue] = []) {
    self.what = what
    self.values = values
  }

  public static let words = [FreeReport("")]

  /// `shows line (from ann, text hello)`.
  public var text: String { "shows " + (values.isEmpty ? what : "\(what) (\(values.text))") }

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.word("shows")
    try visitor.field("what", &what)
    try visitor.records("values", &values)
  }
}

/// A named value of a free word, as text.
public struct FreeValue: WordRecord {
  public static let empty = FreeValue("", "")

  public var name: String
  public var value: String

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.field("name", &name)
    try visitor.field("value", &value)
  }
}

extension [FreeValue] {
  /// `from ann, text hello`.
  public var text: String { map { "\($0.name) \($0.value)" }.joined(separator: ", ") }
}
