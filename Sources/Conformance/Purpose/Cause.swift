/// What keeps a case from passing, in words that many cases may share: one cause may fail some and block many more.
public struct Cause: Hashable, Sendable, Codable {
  /// What the implementation does, or does not do, for example `sends no greeting`; empty: it breaks the clause, and
  /// more cannot be said.
  public var text: String
  /// The clause that asks for it; empty when none is known.
  public var clause: String
  /// The step that it does not take, by the name under which the bench can take it; nil where the bench cannot.
  public var step: String?

  public init(_ text: String, clause: String, step: String? = nil) {
    self.text = text
    self.clause = clause
    self.step = step
  }
}
