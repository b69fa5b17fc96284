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

  func purposes(of app: AppProtocol) -> [TestPurpose] {
    let selection = CaseSelection(select: select)
    return app.purposes.filter { selection.contains($0.id) }
  }

  func mutants(of app: AppProtocol) -> [Mutant] {
    let selection = CaseSelection(select: mutant)
    return app.mutants.filter { selection.contains($0.name) }
  }

  /// The command line.
  var words: [String] {
    ["babbench", "selftest"] + select.flatMap { ["--select", $0] } + mutant.flatMap { ["--mutant", $0] }
      + (matrix ? ["--matrix"] : [])
  }
}
