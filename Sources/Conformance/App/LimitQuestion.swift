/// What somebody who builds on a protocol asks of it: up to where does it still work? `babbench limits` answers these.
public struct LimitQuestion: Hashable, Sendable {
  /// For the command line and files: letters and hyphens.
  public var name: String
  /// For people: what grows, for example `Packet loss`.
  public var title: String
  /// A shipped scenario.
  public var scenario: String
  /// As for `--set`.
  public var settings: [String]
  /// As for `--limit`: `key=lo..hi`.
  public var limit: String
  /// As for `--until`.
  public var claim: String
  /// Worlds of each value that is tried, at most.
  public var worlds: Int
  /// Between which values the limit must be, whatever the app does; nil: no closed form is known.
  public var bracket: Bracket?

  /// What a closed form says of a limit.
  public struct Bracket: Hashable, Sendable {
    /// As a scenario writes it: the limit cannot be below.
    public var low: String
    /// Or above it.
    public var high: String
    /// How that follows, in a sentence.
    public var reason: String

    public init(_ low: String, _ high: String, _ reason: String) {
      self.low = low
      self.high = high
      self.reason = reason
    }
  }

  public init(
    _ name: String, _ title: String, in scenario: String, settings: [String], limit: String, claim: String,
    worlds: Int = 200, bracket: Bracket? = nil
  ) {
    self.name = name
    self.title = title
    self.scenario = scenario
    self.settings = settings
    self.limit = limit
    self.claim = claim
    self.worlds = worlds
    self.bracket = bracket
  }

  /// The words of the command that answers it alone, after the program's name.
  public var words: [String] {
    ["stress", scenario, "--seeds", "1..\(worlds)", "--limit", limit, "--until", claim]
      + settings.flatMap { ["--set", $0] }
  }
}
