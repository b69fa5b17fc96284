import AppSeam
import Bench
import Conformance
import Foundation

/// The implementations that a command line names.
struct TestedEngines {
  /// Description files, or names of built-in engines.
  var iut: [String]
  var role: AppRole?
  /// The app of a built-in engine.
  var app: String?
  var profile: String?

  /// - Throws: what is wrong with a description, or a name.
  func load() throws -> [ImplementationUnderTest] {
    let isOfFiles = iut.allSatisfy(FileManager.default.fileExists(atPath:))
    if isOfFiles, let option = words.first {
      throw UsageProblem("\(option) is for a built-in engine, and \(iut[0]) says it itself; leave it out")
    }
    var loaded: [ImplementationUnderTest] = []
    for name in iut {
      var implementation =
        FileManager.default.fileExists(atPath: name) ? try described(name) : try builtIn(name)
      // Reports name cases by their implementation, so names are told apart.
      let given = implementation.name
      var number = 1
      while loaded.contains(where: { $0.name == implementation.name }) {
        number += 1
        implementation.name = "\(given) (\(number))"
      }
      loaded.append(implementation)
    }
    return loaded
  }

  /// The steps of `--assume`, in the order of their protocol.
  func steps(_ assume: String?, for implementations: [ImplementationUnderTest]) throws -> [String] {
    guard let assume, assume != Self.noHelp else { return [] }
    let given = assume.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let known = implementations.flatMap { $0.app.stepNames }
    if let problem = UsageProblem.unknown("step", in: given, known: known) {
      throw UsageProblem("--assume: \(problem)")
    }
    return known.filter(given.contains)
  }

  /// `--assume none`.
  static let noHelp = "none"

  private func described(_ path: String) throws -> ImplementationUnderTest {
    let described = try IUTDescription.read(path: path, environment: Environment.inherited, among: protocols)
    guard described.app.purposes.isEmpty else { return described }
    throw UsageProblem(
      "\(path): nothing of protocol “\(described.app.name)” can be judged, since it has no test purposes; write “purposes”"
        + " into its file")
  }

  private func builtIn(_ name: String) throws -> ImplementationUnderTest {
    guard !name.contains("/"), !name.hasSuffix(".yaml"), !name.hasSuffix(".yml") else {
      throw UsageProblem("\(name): no such file")
    }
    let apps = try protocols.tested(named: self.app)
    guard let app = apps.having(engine: name, role: role) else {
      let names = [AppProtocol.reference] + apps.engineNames
      if names.contains(name), let role {
        let roles = apps.flatMap(\.roles).map(\.rawValue)
        throw UsageProblem(
          "\(name) is there as \(Suggestion.alternatives(Array(Set(roles)).sorted())), not as \(role.rawValue)")
      }
      let hint = Suggestion.question(for: name, in: names, within: 2)
      throw UsageProblem(
        "\(name): no such file, and no built-in engine of that name; "
          + (hint ?? "babbench list --mutants shows them, and there is reference"))
    }
    guard let role = role ?? app.mutant(name)?.role else {
      let roles = app.roles.map(\.rawValue)
      throw UsageProblem(
        "the reference engine is there as \(roles.joined(separator: " and as ")): say "
          + roles.map { "--role \($0)" }.joined(separator: " or "))
    }
    var implementation = try ImplementationUnderTest.builtIn(name, of: app, role: role)
    if let profile {
      guard let known = app.profile(profile) else {
        throw UsageProblem(
          "--profile: no profile is called “\(profile)”; "
            + Suggestion.advice(for: profile, in: app.profiles.map(\.name))
        )
      }
      implementation.follow(known, inAllItsDialects: true)
    }
    return implementation
  }

  /// What tells one built-in engine from another, as a command line says it.
  var words: [String] {
    (role.map { ["--role", $0.rawValue] } ?? []) + (app.map { ["--protocol", $0] } ?? [])
      + (profile.map { ["--profile", $0] } ?? [])
  }
}

extension StageCut {
  /// As options of `babbench conform`.
  var options: [String] { words.flatMap { ["--stage", $0] } }
}
