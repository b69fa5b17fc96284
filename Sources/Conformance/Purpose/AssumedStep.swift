public import AppSeam

/// A step of a protocol that the bench can take in the place of an implementation that does not take it.
///
/// What a case comes to with such help says nothing about the step and is never green: Docs/Decisions/0016.
public struct AssumedStep: Hashable, Sendable {
  /// As command lines and reports write it.
  public var name: String
  /// What the bench does, in one sentence.
  public var text: String

  public init(name: String, text: String) {
    self.name = name
    self.text = text
  }
}

/// The steps that the bench takes in one case, and what it has said by them.
public final class Assumption {
  /// In the order in which the protocol takes them.
  public let steps: [AssumedStep]
  /// The published way that the implementation speaks, where it names one.
  public let profile: Profile?
  private var texts: Set<[UInt8]> = []
  private var values: Set<[UInt8]> = []
  /// Something happened to the bench's own values that the implementation would have had to act on.
  public var isSpoiled = false
  /// Values of the implementation were kept back, because the bench has taken their step.
  public var keepsBack = false

  /// The steps that the bench takes in one case.
  public init(_ steps: [AssumedStep], profile: Profile? = nil) {
    self.steps = steps
    self.profile = profile
  }

  /// Whether the bench has said anything in the place of the implementation.
  public var hasSpoken: Bool { !texts.isEmpty }

  /// Notes a packet that the bench has made for the implementation.
  public func said(_ text: [UInt8]) { texts.insert(text) }

  /// Notes a value that the bench has sent for the implementation.
  public func sent(_ value: [UInt8]) { values.insert(value) }

  /// Whether a value is one of those.
  public func made(_ value: [UInt8]) -> Bool { !values.isEmpty && values.contains(value) }

  /// Whether a packet is one of those.
  public func contains(_ text: [UInt8]) -> Bool { !texts.isEmpty && texts.contains(text) }
}

/// How an app's protocol takes steps for an implementation.
public struct AssumedSteps: Sendable {
  /// In the order in which the protocol takes them.
  public var all: [AssumedStep]
  /// How the numbers of clauses begin of which help changes what they are about: how packets leave and are counted.
  public var changes: [String]
  /// An engine that behaves as the first one, and takes the steps that the assumption names.
  public var wrap: @Sendable (any AppEngine, AppConfiguration, Assumption) -> any AppEngine

  public init(
    _ all: [AssumedStep], changes: [String] = [],
    wrap: @escaping @Sendable (any AppEngine, AppConfiguration, Assumption) -> any AppEngine
  ) {
    self.all = all
    self.changes = changes
    self.wrap = wrap
  }

  /// A protocol without any.
  public static let none = AssumedSteps([]) { engine, _, _ in engine }
}
