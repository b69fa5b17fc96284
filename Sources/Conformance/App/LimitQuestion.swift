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

  public init(
    _ name: String, _ title: String, in scenario: String, settings: [String], limit: String, claim: String,
    worlds: Int = 200
  ) {
    self.name = name
    self.title = title
    self.scenario = scenario
    self.settings = settings
    self.limit = limit
    self.claim = claim
    self.worlds = worlds
  }

  /// The words of the command that answers it alone, after the program's name.
  public var words: [String] {
    ["stress", scenario, "--seeds", "1..\(worlds)", "--limit", limit, "--until", claim]
      + settings.flatMap { ["--set", $0] }
  }
}
