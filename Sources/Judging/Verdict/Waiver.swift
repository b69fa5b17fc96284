/// A deviation that a team has accepted: these cases may fail, for this reason.
///
/// A waived case that passes is reported and fails the run: the waiver is out of date.
public struct Waiver: Hashable, Sendable, Codable {
  /// A test purpose or a pattern of them, as `CaseSelection` reads it.
  public var pattern: String
  /// Never empty.
  public var reason: String

  public init(pattern: String, reason: String) {
    self.pattern = pattern
    self.reason = reason
  }
}
