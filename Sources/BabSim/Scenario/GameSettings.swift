import AppSeam
public import SimKernel

/// What is played: the story, the scripted lines, and the people.
public struct GameSettings: Hashable, Sendable {
  /// The story the engines know or are told about; not chosen in the lobby until a step chooses it.
  public var scenarioID = "coffee-shop"
  public var roles: [Role] = []
  /// The scripted generator: line n of the game is `script[n % script.count]`, or one the engine makes up from
  /// its number when this is empty.
  public var script: [ScriptLine] = []
  /// The game ends after so many committed lines.
  public var totalLines = 16
  /// Pause between HEARTBEAT packets; nil: none are sent.
  public var heartbeat: SimDuration? = nil
  /// Sessions finished before with these peers, for the achievement `language_partner` (BAB 9.7).
  public var earlierSessions: [BabConfiguration.EarlierSessions] = []
  /// Stories besides the one of `scenarioID` and `roles`.
  public var knownScenarios = GameScenario.presets
  /// The people who complete their turns on their own; nil: only steps do.
  public var autoplay: Autoplay? = nil

  public init() {}

  /// Every story that the apps know, the scenario's own first when it declares roles.
  public var scenarios: [GameScenario] {
    if roles.isEmpty { return knownScenarios }
    let own = GameScenario(
      id: scenarioID, name: scenarioID, description: "",
      availableRoles: roles.map { BabSim.Role(id: $0.id, name: $0.name, description: $0.description) })
    return [own] + knownScenarios.filter { $0.id != scenarioID }
  }

  /// What the generator hands out.
  public var lineScript: LineScript {
    if script.isEmpty { return .standard }
    return LineScript(script.map { LineTemplate(roleID: $0.role, native: $0.native, translated: $0.translated) })
  }

  public struct Role: Hashable, Sendable {
    public var id: String
    public var name: String
    public var description: String
    public init(id: String, name: String, description: String) {
      self.id = id
      self.name = name
      self.description = description
    }
  }

  public struct ScriptLine: Hashable, Sendable {
    /// The role that speaks it; nil: whoever's turn it is.
    public var role: String?
    public var native: String
    public var translated: String
    public init(role: String?, native: String, translated: String) {
      self.role = role
      self.native = native
      self.translated = translated
    }
  }
}

/// Virtual people: when a device's app shows that the turn is its own, its person thinks, then completes or skips.
public struct Autoplay: Hashable, Sendable {
  /// One per device, by device index.
  public var players: [Habits]

  public init(players: [Habits]) { self.players = players }

  public struct Habits: Hashable, Sendable {
    /// False: this person does nothing on their own.
    public var isActive = true
    /// Time between the turn showing and the line being done; drawn evenly. Neither end is negative.
    public var thinkTime: ClosedRange<SimDuration> = .milliseconds(500)...(.milliseconds(1_500))
    /// Drawn evenly, thousandths.
    public var accuracyPermille: ClosedRange<Int> = 800...1_000
    /// How often the person skips instead, thousandths.
    public var skipPermille = 0
    public init() {}
  }
}
