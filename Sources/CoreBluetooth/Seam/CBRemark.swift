public import SimKernel

/// Something about the app's use of CoreBluetooth, or about a limit of the bench, that its device collects.
///
/// Where a phone would log “API MISUSE”, ignore a call, or raise an exception, a remark says so with a stable name.
public struct CBRemark: Hashable, Sendable {
  /// What kind of remark it is.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A phone logs “API MISUSE”, or ignores the call silently.
    case misuse
    /// A phone raises an Objective-C exception, which ends the app.
    case exception
    /// The bench does not model what was asked for, or answers it in a simpler way.
    case limit
    /// Worth knowing: legal, but seldom meant.
    case note
  }

  /// The names of remarks; they do not change.
  public struct Name: RawRepresentable, Hashable, Sendable {
    /// Lower case, words with hyphens, after the topic and a full stop.
    public let rawValue: String
    /// A name by its text.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// What it is about.
  public var kind: Kind
  /// Which remark it is.
  public var name: Name
  /// For people; one sentence.
  public var text: String
  /// When it happened.
  public var at: SimInstant

  /// A remark of any kind.
  public init(_ kind: Kind, _ name: Name, _ text: String, at: SimInstant) {
    self.kind = kind
    self.name = name
    self.text = text
    self.at = at
  }
}

extension CBRemark: CustomStringConvertible {
  /// `misuse central.not-powered-on: …`
  public var description: String { "\(kind.rawValue) \(name.rawValue): \(text)" }
}
