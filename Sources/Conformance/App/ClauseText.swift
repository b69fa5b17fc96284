/// One clause of a protocol's documents, as a sentence.
public struct ClauseText: Hashable, Sendable {
  /// The name of the document and a number, for example `APP 5.1.7`.
  public var id: String
  /// Without the document's marks of emphasis and links.
  public var text: String
  /// The page that has it, below Docs, for example `Protocol/app.md`.
  public var document: String

  public init(id: String, text: String, document: String) {
    self.id = id
    self.text = text
    self.document = document
  }

  /// Whether it binds an implementation (RFC 2119); the others explain, recommend or give a number.
  public var isRequirement: Bool { text.contains("MUST") }
}

/// A requirement that no tester can judge or no mutant can break from outside, and why.
public struct ClauseExemption: Hashable, Sendable {
  public var clause: String
  public var reason: String

  public init(clause: String, reason: String) {
    self.clause = clause
    self.reason = reason
  }
}
