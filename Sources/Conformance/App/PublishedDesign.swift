/// A design that a published document of an app describes, as an engine: what the suite finds in a design before any
/// phone does.
public struct PublishedDesign: Hashable, Sendable {
  /// The name of the mutant that does it.
  public var engine: String
  /// Which document says so, for people.
  public var document: String
  /// The published way that it speaks; nil for one defect in an engine that otherwise keeps every clause.
  public var profile: String?

  public init(engine: String, document: String, profile: String? = nil) {
    self.engine = engine
    self.document = document
    self.profile = profile
  }
}
