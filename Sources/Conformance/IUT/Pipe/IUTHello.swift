public import BabSim
import Judging
import SimKernel

/// What the bench tells a program before anything else: who it is, and what all apps of the run know.
public struct IUTHello: Sendable {
  public var role: AppRole
  public var dialect: DialectName
  /// Everything an engine is told, as far as the protocol carries it; the rest are its defaults.
  public var configuration: BabConfiguration

  public init(role: AppRole, dialect: DialectName, configuration: BabConfiguration) {
    self.role = role
    self.dialect = dialect
    self.configuration = configuration
  }

  /// The version of Docs/Formats/iut-protocol.md that this bench speaks.
  public static let protocolVersion = 1

  // MARK: Writing

  func write(to text: inout JSONText) {
    text.beginObject()
    text.member("name", "hello")
    text.member("protocol", Self.protocolVersion)
    text.member("role", role.rawValue)
    text.member("dialect", dialect.rawValue)
    text.member("peerID", configuration.peerID)
    text.member("displayName", configuration.displayName)
    text.member("seed", String(configuration.seed))
    text.key("game")
    text.beginObject()
    text.member("totalLines", configuration.totalLines)
    text.member("heartbeatMilliseconds", configuration.heartbeatInterval.nanoseconds / 1_000_000)
    text.key("script")
    text.beginArray()
    for line in configuration.lineScript.templates {
      text.beginObject()
      text.member("role", line.roleID)
      text.member("native", line.native)
      text.member("translated", line.translated)
      text.endObject()
    }
    text.endArray()
    text.key("scenarios")
    text.beginArray()
    for scenario in configuration.scenarios { write(scenario, to: &text) }
    text.endArray()
    text.key("earlierSessions")
    text.beginArray()
    for session in configuration.earlierSessions {
      text.beginObject()
      text.member("peerID", session.peerID)
      text.member("count", session.count)
      text.endObject()
    }
    text.endArray()
    text.endObject()
    text.endObject()
  }

  private func write(_ scenario: GameScenario, to text: inout JSONText) {
    text.beginObject()
    text.member("id", scenario.id)
    text.member("name", scenario.name)
    text.member("description", scenario.description)
    text.key("roles")
    text.beginArray()
    for role in scenario.availableRoles {
      text.beginObject()
      text.member("id", role.id)
      text.member("name", role.name)
      text.member("description", role.description)
      text.endObject()
    }
    text.endArray()
    text.endObject()
  }

  // MARK: Reading

  init(_ members: MessageMembers) throws(MessageProblem) {
    let version = try members.int("protocol")
    guard version == Self.protocolVersion else {
      throw MessageProblem(
        place: "protocol", reason: "the bench speaks \(version), this program \(Self.protocolVersion)")
    }
    role = try members.word("role", AppRole.self)
    dialect = try members.word("dialect", DialectName.self)
    var configuration = BabConfiguration(
      dialect: dialect.profile, peerID: try members.text("peerID"), displayName: try members.text("displayName"))
    let seed = try members.text("seed")
    guard let number = UInt64(seed) else { throw MessageProblem(place: "seed", reason: "\"\(seed)\" is no seed") }
    configuration.seed = number
    do throws(MessageProblem) {
      try Self.read(MessageMembers(members.value("game")), into: &configuration)
    } catch {
      throw error.inside("game")
    }
    self.configuration = configuration
  }

  private static func read(
    _ game: MessageMembers, into configuration: inout BabConfiguration
  ) throws(MessageProblem) {
    configuration.totalLines = try game.int("totalLines")
    configuration.heartbeatInterval = .milliseconds(try game.integer("heartbeatMilliseconds"))
    configuration.lineScript = LineScript(
      try game.objects("script") { (line) throws(MessageProblem) in
        LineTemplate(
          roleID: try line.optionalText("role"), native: try line.text("native"),
          translated: try line.text("translated"))
      })
    configuration.scenarios = try game.objects("scenarios") { (scenario) throws(MessageProblem) in
      GameScenario(
        id: try scenario.text("id"), name: try scenario.text("name"), description: try scenario.text("description"),
        availableRoles: try scenario.objects("roles") { (role) throws(MessageProblem) in
          Role(id: try role.text("id"), name: try role.text("name"), description: try role.text("description"))
        })
    }
    configuration.earlierSessions = try game.objects("earlierSessions") { (session) throws(MessageProblem) in
      BabConfiguration.EarlierSessions(peerID: try session.text("peerID"), count: try session.int("count"))
    }
  }
}

/// What a program answers to the bench's hello: who it is, and what it claims.
public struct IUTGreeting: Hashable, Sendable {
  /// Name and version, for people.
  public var implementation: String
  /// Nil: it does not say, the description file does.
  public var ics: ICS?

  public init(implementation: String, ics: ICS? = nil) {
    self.implementation = implementation
    self.ics = ics
  }

  func write(to text: inout JSONText) {
    text.beginObject()
    text.member("name", "hello")
    text.member("protocol", IUTHello.protocolVersion)
    text.member("implementation", implementation)
    if let ics { text.member("ics", ics.items.map(\.rawValue)) }
    text.endObject()
  }

  init(_ members: MessageMembers) throws(MessageProblem) {
    let name = try members.text("name")
    guard name == "hello" else { throw MessageProblem(place: "name", reason: "\"\(name)\", where hello is needed") }
    let version = try members.int("protocol")
    guard version == IUTHello.protocolVersion else {
      throw MessageProblem(
        place: "protocol", reason: "the program speaks \(version), this bench \(IUTHello.protocolVersion)")
    }
    implementation = try members.optionalText("implementation") ?? ""
    guard members.optional("ics") != nil else { return }
    var items: [ICS.Item] = []
    for (index, word) in try members.texts("ics").enumerated() {
      guard let item = ICS.Item(rawValue: word) else {
        let advice = Suggestion.advice(for: word, in: ICS.Item.allCases.map(\.rawValue))
        throw MessageProblem(place: "ics[\(index)]", reason: "\"\(word)\" is no item of the ICS; \(advice)")
      }
      items.append(item)
    }
    ics = ICS(items)
  }
}
