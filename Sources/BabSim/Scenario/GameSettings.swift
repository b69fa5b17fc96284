public import SimKernel

/// What is played: the story, the scripted lines, and the people.
public struct GameSettings: Hashable, Sendable {
  /// The story the engines know or are told about; not chosen in the lobby until a step chooses it.
  public var scenarioID = "coffee-shop"
  /// easy, normal or hard.
  public var difficulty = "normal"
  public var roles: [Role] = []
  /// The scripted generator: line n of the game is `script[n % script.count]`, or one the engine makes up from
  /// its number when this is empty.
  public var script: [ScriptLine] = []
  /// The game ends after so many committed lines.
  public var totalLines = 16
  /// Pause between HEARTBEAT packets; nil: none are sent.
  public var heartbeat: SimDuration? = nil
  /// The people who complete their turns on their own; nil: only steps do.
  public var autoplay: Autoplay? = nil

  public init() {}

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
