/// One clause of a protocol's documents, as a sentence.
public struct ClauseText: Hashable, Sendable {
  /// The name of the document and a number, for example `APP 5.1.7`.
  public var id: String
  /// Without the document's marks of emphasis and links.
  public var text: String
  /// The page that has it, below Docs, for example `Protocol/app.md`.
  public var document: String
  /// Where it comes from.
  public var origin: ClauseOrigin

  public init(id: String, text: String, document: String, origin: ClauseOrigin = ClauseOrigin()) {
    self.id = id
    self.text = text
    self.document = document
    self.origin = origin
  }

  /// As people read it where nothing is set as code.
  public var plainText: String { text.replacing("`", with: "") }

  /// Whether it binds an implementation (RFC 2119); the others explain, recommend or give a number.
  public var isRequirement: Bool { text.contains("MUST") }
}

/// Where a clause comes from.
public struct ClauseOrigin: Hashable, Sendable {
  /// The published documents that say it, or a part of it; empty: none does.
  public var documents: [String]
  /// The bench's makers have decided it, or what the documents leave open of it.
  public var isDecision: Bool

  public init(documents: [String] = [], isDecision: Bool = false) {
    self.documents = documents
    self.isDecision = isDecision
  }

  /// Reads `design, SDK; decision`.
  public init(_ words: some StringProtocol) {
    let parts = words.split { $0 == ";" || $0 == "," }.map { String($0.drop { $0 == " " }) }
    self.init(documents: parts.filter { $0 != "decision" }, isDecision: parts.contains("decision"))
  }

  /// For people: `published: design, SDK`, `decision`, `decision, on design`; empty where nothing is known.
  public var words: String {
    let documents = documents.joined(separator: ", ")
    guard isDecision else { return documents.isEmpty ? "" : "published: " + documents }
    return documents.isEmpty ? "decision" : "decision, on " + documents
  }
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
