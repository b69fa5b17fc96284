public import AppSeam

/// A published way to speak an app's protocol: the documents that an implementation follows.
///
/// A clause that none of its documents says is not asked of it, whatever other documents say.
public struct Profile: Hashable, Sendable {
  /// As descriptions and command lines write it.
  public var name: String
  /// One sentence for people.
  public var summary: String
  /// The dialects that its documents describe.
  public var dialects: [DialectName]
  /// As the origins of clauses name them.
  public var documents: [String]
  /// What an engine does that follows them and says nothing of itself; nil: everything.
  public var ics: ICS?

  public init(
    _ name: String, _ summary: String, dialects: [DialectName], documents: [String], ics: ICS? = nil
  ) {
    self.name = name
    self.summary = summary
    self.dialects = dialects
    self.documents = documents
    self.ics = ics
  }
}
