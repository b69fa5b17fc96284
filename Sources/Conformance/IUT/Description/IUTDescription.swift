import AppSeam
public import Bench
import Judging
import VirtualRadio

/// A file that says what is under test: Docs/Formats/iut-description.md.
public enum IUTDescription {
  static let kind = DocumentKind(
    noun: "a description", word: "description", least: "“role:” and “command:”",
    whereToLook: "Docs/Formats/iut-description.md says how one is written, “--iut reference” tests a built-in engine")

  /// Reads a description and finds its program; nothing is tested yet.
  ///
  /// When the file names no ICS, the program is started once to hear what it claims.
  ///
  /// - Parameters:
  ///   - environment: what the program inherits, `NAME=value`.
  ///   - apps: the protocols that a program may speak; the first one unless the file names another.
  /// - Throws: every slip with its place and what to write instead.
  public static func read(
    path: String, environment: [String], among apps: [AppProtocol]
  ) throws(ScenarioProblems) -> ImplementationUnderTest {
    let octets = try ScenarioFile.octets(of: path, kind: kind).get()
    let tree = try ScenarioReader.tree(octets: octets, file: path, kind: kind).get()
    let decoder = ScenarioDecoder(file: path, programs: .besides(path, environment: environment))
    if let mistake = kind.mistake(tree) {
      decoder.note(tree.location, mistake)
      throw decoder.sortedProblems
    }
    guard let app = decoder.app(tree, among: apps),
      let description = decoder.description(tree, of: app)
    else { throw decoder.sortedProblems }
    guard decoder.sortedProblems.list.isEmpty else { throw decoder.sortedProblems }
    return description.implementation
  }

  /// What a file says, with its defaults.
  struct Contents {
    enum Source {
      case program(ProgramLaunch)
      case builtIn(@Sendable (AppConfiguration) -> any AppEngine, name: String)
    }

    var app: AppProtocol
    var name: String
    var role: AppRole
    var dialects: [DialectName]?
    var ics: ICS?
    var profile: Profile?
    var source: Source
    var seam: EngineSeam
    var limits: ProgramLimits
    var waivers: [Waiver]
    var phone: PhonePreset?

    var implementation: ImplementationUnderTest {
      var implementation: ImplementationUnderTest
      switch source {
      case .program(let launch):
        implementation = .process(
          launch, of: app, name: name, role: role, dialects: dialects, ics: ics, seam: seam,
          limits: limits)
      case .builtIn(let make, let engine):
        implementation = ImplementationUnderTest(
          of: app, name: name, role: role, dialects: dialects, ics: ics, makeEngine: make)
        implementation.origin = "built in: \(engine)"
      }
      implementation.waivers = waivers
      implementation.phone = phone
      if let profile { implementation.follow(profile, inAllItsDialects: dialects == nil) }
      return implementation
    }
  }
}

extension KeyTable {
  static func iutDescription(of app: AppProtocol) -> KeyTable {
    KeyTable(
      id: "iut", title: "a description",
      keys: [
        Key("name", .text, "its name in reports; default the file's name"),
        Key("protocol", .text, "which app's protocol it speaks; default the first that the bench knows"),
        Key("role", .word(app.roles.map(\.rawValue)), "its role", isRequired: true),
        Key("command", .list(.text), "the program and its arguments; run in the file's folder"),
        Key("builtin", .text, "an engine of the bench, in place of a program"),
        Key("dialects", .list(.word(app.dialects.map(\.rawValue))), "dialects in which it is tested; default all"),
        Key(
          "profile", .word(app.profiles.map(\.name)),
          "the published profile that it follows; default: every published clause"),
        Key(
          "ics", .list(.word(app.statementWords)), "the ICS items that it claims, or all; default: those of its hello"),
        Key(
          "phone", .either([.word(KeyTable.phoneNames), .profile, .table("phone")]),
          "the phone that it runs on, as in a scenario; default ideal"),
      ] + programKeys + [
        Key("waivers", .list(.table("waiver")), "known failures")
      ])
  }

  static let waiver = KeyTable(
    id: "waiver", title: "a waiver",
    keys: [
      Key("cases", .text, "a test purpose, or a pattern such as */HOST/FRAG/**", isRequired: true),
      Key("reason", .text, "why the failure is accepted, for readers of the report", isRequired: true),
    ])
}
