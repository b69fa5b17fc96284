import AppSeam
import BabMutants
import BabOracles
import BabSim
import BabSuite
import Conformance
import Judging
import SuiteTestSupport
import Testing

@Suite("Planted defects")
struct MutantTests {
  @Test("Every oracle has a mutant that it must fail, and every mutant an oracle")
  func everyOracleHasAMutant() {
    let oracles = OracleRegistry.all.map { $0.id }
    for oracle in oracles { #expect(Mutants.all.contains { $0.oracle == oracle }, "\(oracle) has no mutant") }
    for mutant in Mutants.all {
      if let oracle = mutant.oracle { #expect(oracles.contains(oracle), "\(mutant.name): \(oracle)") }
    }
    #expect(Set(Mutants.all.map(\.name)).count == Mutants.all.count)
  }

  @Test("Every oracle judges the reference engines, and passes them", arguments: ["guide", "sdk", "app"])
  func referencePasses(dialect: String) throws {
    let rules = RulesGame.oracles.map { $0.id }
    for (judgement, isOfRules) in try [
      (LobbyGame.judge(dialect: DialectName(rawValue: dialect)), false),
      (RulesGame.judge(dialect: DialectName(rawValue: dialect)), true),
    ] {
      for oracle in judgement.oracles where rules.contains(oracle.id) == isOfRules {
        #expect(oracle.verdict == .pass, "\(oracle.id): \(oracle.findings.first.map { "\($0)" } ?? "nothing to judge")")
        #expect(oracle.judged > 0)
      }
      #expect(judgement.verdict == .pass)
    }
  }

  @Test(
    "The oracle named for it fails the mutant",
    arguments: Mutants.all.filter { $0.oracle != nil }.map(\.name))
  func mutantFails(name: String) throws {
    let mutant = try #require(Mutants.named(name))
    let isOfRules = RulesGame.oracles.contains { $0.id == mutant.oracle }
    let judgement =
      isOfRules
      ? try RulesGame.judge(mutant.name, role: mutant.role) : try LobbyGame.judge(mutant.name, role: mutant.role)
    let oracle = try #require(judgement.oracles.first { $0.id == mutant.oracle })
    #expect(oracle.verdict == .fail, "\(oracle.id) judged \(oracle.judged), open \(oracle.open)")
    #expect(judgement.verdict == .fail)
    #expect(ExitCode(judgement.verdict) == .fail)
  }

  @Test("An engine nobody knows is refused by name, and a mutant of the other role too")
  func unknownEngine() throws {
    let configuration = AppProtocol.bab.configuration(.host, .guide, peerID: "a", displayName: "A")
    #expect(throws: AppProtocol.UnknownEngine.self) {
      try AppProtocol.bab.makeEngine(name: "perfect", configuration)
    }
    #expect(throws: AppProtocol.UnknownEngine.self) {
      try AppProtocol.bab.makeEngine(name: "commits-twice", configuration)
    }
    #expect(AppProtocol.bab.engineNames(role: .client).contains("commits-twice"))
  }
}
