import AppSeam
public import ArgumentParser
import Bench
public import Conformance
public import Fuzzing
import ProtocolFiles
import Stress
import Synchronization

/// What one executable of the bench is made of: the apps it knows, and what its help shows of them.
///
/// The main function of such an executable is one call: `Edition([.bystander, .mine], examples: …).start()`.
public struct Edition: Sendable {
  /// In the order of lists; the first one is meant where nobody says which.
  let protocols: [AppProtocol]
  /// Commands of one app only, beside those of all.
  let commands: [any ParsableCommand.Type]
  let examples: Examples
  private let deferredLanguage: Deferred<ScenarioLanguage>
  /// Those of `decoders` that are its apps'.
  private let ownDecoders: [FuzzedDecoder]
  /// Those of protocol files that the command line names.
  private(set) var learned: [FuzzedDecoder] = []

  /// - Parameters:
  ///   - protocols: at least one, in the order of lists; the first one is meant where a command names none.
  ///   - commands: commands for one app only; the bench's own are always there.
  ///   - decoders: functions of the apps that decode external octets, for `fuzz parser`.
  ///   - examples: what help texts name.
  public init(
    _ protocols: [AppProtocol], commands: [any ParsableCommand.Type] = [], decoders: [FuzzedDecoder] = [],
    examples: Examples
  ) {
    precondition(!protocols.isEmpty, "an executable of the bench knows at least one app")
    self.protocols = protocols
    self.commands = commands
    self.examples = examples
    deferredLanguage = Deferred {
      var language = ScenarioLanguage(protocols)
      let measures = RunMeasure.all(protocols)
      language.claimRefusal = { text in
        do {
          _ = try Claim(text, among: measures)
          return nil
        } catch {
          return "\(error)"
        }
      }
      return language
    }
    ownDecoders = decoders
  }

  /// Everything that scenario files may name.
  var language: ScenarioLanguage { deferredLanguage.value }
  /// Everything that takes octets from outside.
  var decoders: [FuzzedDecoder] { ownDecoders + FuzzedDecoder.general + [.scenario(language), .protocolFile] }

  /// What examples of help texts name.
  public struct Examples: Sendable {
    var purpose: String
    var pattern: String
    var skipped: String
    var app: String?
    var clause: String?
    var dialect: String?
    var mutant: String?
    /// Calls of the commands of one app only.
    var calls: [String]

    /// - Parameters:
    ///   - purpose: the id of a test purpose, for example `ECHO/HOST/PING/BV-01-C`.
    ///   - pattern: a pattern of such ids, for example `ECHO/HOST/**`.
    ///   - skipped: the id of a test purpose that a run leaves out.
    ///   - app: the name of the purpose's protocol; nil: the first one that has purposes. With nil for this and the
    ///     next three, each start makes all purposes and mutants, for help that nobody may have asked for.
    ///   - clause: the id of a clause that the purpose tests; nil: its first one.
    ///   - dialect: the name of a dialect that it is played in; nil: its first one.
    ///   - mutant: the name of a broken engine; nil: the first one.
    ///   - calls: whole lines that call commands of one app only.
    public init(
      purpose: String, pattern: String, skipped: String, app: String? = nil, clause: String? = nil,
      dialect: String? = nil, mutant: String? = nil, calls: [String] = []
    ) {
      self.purpose = purpose
      self.pattern = pattern
      self.skipped = skipped
      self.app = app
      self.clause = clause
      self.dialect = dialect
      self.mutant = mutant
      self.calls = calls
    }
  }

  private static let chosen = Mutex<Edition?>(nil)

  /// The same with more protocols, which files say.
  func with(_ more: [ProtocolFile]) -> Edition {
    if more.isEmpty { return self }
    let learned = more.flatMap(\.decoders)
    var edition = Edition(
      protocols + more.map(\.app), commands: commands, decoders: ownDecoders + learned, examples: examples)
    edition.learned = learned
    return edition
  }

  /// Says what this process offers; before a command is parsed.
  static func choose(_ edition: Edition) { chosen.withLock { $0 = edition } }

  /// What was chosen.
  static var current: Edition {
    chosen.withLock { edition in
      guard let edition else { preconditionFailure("no edition was chosen; Edition.choose comes before any command") }
      return edition
    }
  }
}

/// The apps whose protocols this executable knows.
var protocols: [AppProtocol] { Edition.current.protocols }

/// What examples of help texts name.
enum Examples {
  static var app: String { named.app ?? (protocols.tested.first ?? protocols[0]).name }
  /// What the examples of `babbench explain` name.
  static var group: String { purpose.split(separator: "/").prefix(3).joined(separator: "/") }
  static var clause: String { named.clause ?? found?.clauses.first ?? "" }
  static var dialect: String { named.dialect ?? found?.dialects.first?.rawValue ?? "" }
  static var oracle: String { protocols.first { !$0.oracles.isEmpty }?.oracles.first?.id ?? "" }
  static var mutant: String { named.mutant ?? protocols.mutants.first?.name ?? "" }
  static var purpose: String { named.purpose }
  static var pattern: String { named.pattern }
  static var skipped: String { named.skipped }

  private static var named: Edition.Examples { Edition.current.examples }
  private static var found: TestPurpose? { protocols.having(purpose: purpose)?.purpose(purpose) }
}

extension ScenarioLanguage {
  /// Everything that scenario files may name here.
  static var shipped: ScenarioLanguage { Edition.current.language }
}
