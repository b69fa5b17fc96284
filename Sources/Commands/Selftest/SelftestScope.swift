import Conformance

/// What `babbench selftest` is asked for.
struct SelftestScope: Hashable, Codable {
  /// Patterns of test purposes and of mutants; none means all.
  var select: [String]
  var mutant: [String]
  /// Every pair.
  var matrix: Bool

  /// The whole catalogue.
  var isWhole: Bool { (select + mutant).isEmpty }

  /// What is wrong with the patterns; nil: each selects something.
  func problem(among apps: [AppProtocol]) -> UsageProblem? {
    UsageProblem.idle(CaseSelection(select: select), "test purpose", apps.purposes.map(\.id), list: "--cases")
      ?? UsageProblem.idle(CaseSelection(select: mutant), "mutant", apps.mutants.map(\.name), list: "--mutants")
  }

  /// Which mutants survive is asked: of all, or of those that are named. Where only test purposes are named, a mutant
  /// that others fail says nothing.
  var seeksSurvivors: Bool { select.isEmpty || !mutant.isEmpty }

  func purposes(of app: AppProtocol) -> [TestPurpose] {
    let selection = CaseSelection(select: select)
    return app.purposes.filter { selection.contains($0.id) }
  }

  func mutants(of app: AppProtocol) -> [Mutant] {
    let selection = CaseSelection(select: mutant)
    return app.mutants.filter { selection.contains($0.name) }
  }

  /// The protocols in which the patterns select something; all, if they select nothing that goes together.
  func proved(among apps: [AppProtocol]) -> [AppProtocol] {
    let touched = apps.filter { !purposes(of: $0).isEmpty && !(mutants(of: $0).isEmpty && !mutant.isEmpty) }
    return touched.isEmpty ? apps : touched
  }

  /// The command line.
  var words: [String] {
    ["babbench", "selftest"] + select.flatMap { ["--select", $0] } + mutant.flatMap { ["--mutant", $0] }
      + (matrix ? ["--matrix"] : [])
  }
}
