public import AppSeam
public import Bench
package import Judging
import SimKernel

/// What the bench tells a program before anything else: who it is, and what all apps of the run know.
public struct IUTHello: Sendable {
  public let app: AppProtocol
  public var role: AppRole
  /// Which words the program is told, and may use.
  public var seam: EngineSeam
  /// Everything an engine is told, as far as the protocol carries it; the rest are its defaults.
  public var configuration: AppConfiguration

  public init(of app: AppProtocol, role: AppRole, seam: EngineSeam = .ble, configuration: AppConfiguration) {
    self.app = app
    self.role = role
    self.seam = seam
    self.configuration = configuration
  }

  /// The version of Docs/Formats/iut-protocol.md that this bench speaks.
  public static let protocolVersion = 1

  // MARK: Writing

  package func write(to text: inout JSONText) {
    text.beginObject()
    text.member("name", "hello")
    text.member("protocol", Self.protocolVersion)
    text.member("role", role.rawValue)
    text.member("seam", seam.rawValue)
    text.member("dialect", configuration.dialect.rawValue)
    text.member("peerID", configuration.peerID)
    text.member("displayName", configuration.displayName)
    text.member("seed", String(configuration.seed))
    if !configuration.kept.isEmpty { text.member("kept", octets: configuration.kept) }
    if let memory = configuration.memory {
      text.key("memory")
      text.beginObject()
      text.fields(of: memory)
      text.endObject()
    }
    if configuration.isRestored { text.member("restored", true) }
    if configuration.clockOffsetMilliseconds != 0 {
      text.member("clockOffsetMilliseconds", configuration.clockOffsetMilliseconds)
    }
    if !configuration.features.isEmpty { text.member("features", configuration.features.map(\.rawValue)) }
    if let key = app.app.settingsMember {
      text.key(key)
      text.beginObject()
      text.fields(of: configuration.settings.record)
      text.endObject()
    }
    text.endObject()
  }

  // MARK: Reading

  init(_ members: MessageMembers, of app: AppProtocol) throws(MessageProblem) {
    self.app = app
    let version = try members.int("protocol")
    guard version == Self.protocolVersion else {
      throw MessageProblem(
        place: "protocol", reason: "the bench speaks \(version), this program \(Self.protocolVersion)")
    }
    role = try members.word("role", app.roles)
    seam = members.optional("seam") == nil ? .ble : try members.word("seam", EngineSeam.allCases)
    let dialect = try members.word("dialect", app.dialects)
    var configuration = app.configuration(
      role, dialect, peerID: try members.text("peerID"), displayName: try members.text("displayName"))
    let seed = try members.text("seed")
    guard let number = UInt64(seed) else { throw MessageProblem(place: "seed", reason: "\"\(seed)\" is no seed") }
    configuration.seed = number
    if members.optional("kept") != nil { configuration.kept = try members.octets("kept") }
    if members.optional("memory") != nil {
      do throws(MessageProblem) {
        configuration.memory = try MessageMembers(members.value("memory")).memory(of: app.app)
      } catch {
        throw error.inside("memory")
      }
    }
    if members.optional("restored") != nil { configuration.isRestored = try members.boolean("restored") }
    if members.optional("features") != nil {
      configuration.features = try members.texts("features").compactMap(AppConfiguration.PhoneFeature.init)
    }
    if members.optional("clockOffsetMilliseconds") != nil {
      configuration.clockOffsetMilliseconds = try members.int("clockOffsetMilliseconds")
    }
    if let key = app.app.settingsMember?.description {
      do throws(MessageProblem) {
        configuration.settings = try Self.settings(MessageMembers(members.value(key)), configuration.settings)
      } catch {
        throw error.inside(key)
      }
    }
    self.configuration = configuration
  }

  private static func settings(
    _ members: MessageMembers, _ blank: AppSettings
  ) throws(MessageProblem) -> AppSettings {
    func open<Record: WordRecord>(_ record: Record) throws(MessageProblem) -> AppSettings {
      AppSettings(try members.record(like: record, roles: []))
    }
    return try open(blank.record)
  }
}

/// What a program answers to the bench's hello: who it is, and what it claims.
public struct IUTGreeting: Hashable, Sendable {
  /// Name and version, for people.
  public var implementation: String
  /// Nil: it does not say, the description file does. A hello with an empty list says nothing either.
  public var ics: ICS?
  /// Names of the reports that it makes whenever there is reason to; empty: it does not say.
  public var reports: [String]
  /// Whether it hands over what its phone keeps, in the words of `AppMemory`.
  public var remembers: Bool

  public init(implementation: String, ics: ICS? = nil, reports: [String] = [], remembers: Bool = false) {
    self.implementation = implementation
    self.ics = ics
    self.reports = reports
    self.remembers = remembers
  }

  func write(to text: inout JSONText) {
    text.beginObject()
    text.member("name", "hello")
    text.member("protocol", IUTHello.protocolVersion)
    text.member("implementation", implementation)
    if remembers { text.member("memory", Int(AppMemory.version)) }
    if let ics {
      // An empty list would claim nothing in the sense of no list at all.
      let words = ics.words
      text.member("ics", words.isEmpty ? ics.items.prefix(1).map(\.name) : words)
    }
    if !reports.isEmpty { text.member("reports", reports) }
    text.endObject()
  }

  init(_ members: MessageMembers, of app: AppProtocol) throws(MessageProblem) {
    let name = try members.text("name")
    guard name == "hello" else { throw MessageProblem(place: "name", reason: "\"\(name)\", where hello is needed") }
    let version = try members.int("protocol")
    guard version == IUTHello.protocolVersion else {
      throw MessageProblem(
        place: "protocol", reason: "the program speaks \(version), this bench \(IUTHello.protocolVersion)")
    }
    implementation = try members.optionalText("implementation") ?? ""
    remembers = members.optional("memory") != nil
    if remembers { _ = try members.integer("memory", AppMemory.version...AppMemory.version) }
    reports = try Self.words("reports", members, among: app.reportNames, "report")
    let words = try Self.words("ics", members, among: app.statementWords, "item of the ICS")
    if !words.isEmpty { ics = app.statement(of: words) }
  }

  /// The words of a list that may be absent.
  private static func words(
    _ key: String, _ members: MessageMembers, among known: [String], _ noun: String
  ) throws(MessageProblem) -> [String] {
    guard members.optional(key) != nil else { return [] }
    let words = try members.texts(key)
    for (index, word) in words.enumerated() where !known.contains(word) {
      let advice = Suggestion.advice(for: word, in: known)
      throw MessageProblem(place: "\(key)[\(index)]", reason: "\"\(word)\" is no \(noun); \(advice)")
    }
    return words
  }
}
