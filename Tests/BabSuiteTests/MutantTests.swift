import AppSeam
import BabOracles
import BabSim
import BabSuite
import Conformance
import Expectations
import Judging
import Testing

@Suite("Planted defects")
struct MutantTests {
  @Test("Every oracle has a mutant that it must fail, and every mutant an oracle")
  func everyOracleHasAMutant() {
    let oracles = OracleRegistry.all.map { $0.id }
    for oracle in oracles { expect(Mutants.all.contains { $0.oracle == oracle }, "\(oracle) has no mutant") }
    for mutant in Mutants.all {
      if let oracle = mutant.oracle { expect(oracles.contains(oracle), "\(mutant.name): \(oracle)") }
    }
    equal(Set(Mutants.all.map(\.name)).count, Mutants.all.count)
  }

  /// The game in which an oracle has something to judge, with an engine in it.
  private static func judge(
    _ oracle: String, _ engine: String = AppProtocol.reference, role: AppRole = .host, dialect: DialectName
  ) throws -> Judgement {
    if oracle == RefusedClientsGiveUp.id { return try RefusalGame.judge(engine, dialect: dialect) }
    return try RulesGame.oracles.contains { $0.id == oracle }
      ? RulesGame.judge(engine, role: role, dialect: dialect) : LobbyGame.judge(engine, role: role, dialect: dialect)
  }

  @Test("Every oracle judges the reference engines, and passes them", arguments: ["guide", "sdk", "app"])
  func referencePasses(dialect: String) throws {
    let rules = RulesGame.oracles.map { $0.id }
    let dialect = DialectName(rawValue: dialect)
    for (judgement, isOfRules) in try [
      (LobbyGame.judge(dialect: dialect), false), (RulesGame.judge(dialect: dialect), true),
    ] {
      for oracle in judgement.oracles
      where rules.contains(oracle.id) == isOfRules && oracle.id != RefusedClientsGiveUp.id {
        equal(oracle.verdict, .pass, "\(oracle.id): \(oracle.findings.first.map { "\($0)" } ?? "nothing to judge")")
        expect(oracle.judged > 0)
      }
      equal(judgement.verdict, .pass)
    }
    let refusals = try required(RefusalGame.judge(dialect: dialect).oracles.first { $0.id == RefusedClientsGiveUp.id })
    expect(refusals.verdict == .pass && refusals.judged > 0)
  }

  @Test(
    "The oracle named for it fails the mutant",
    arguments: Mutants.all.filter { $0.oracle != nil }.map(\.name))
  func mutantFails(name: String) throws {
    let mutant = try required(Mutants.named(name))
    let id = try required(mutant.oracle)
    // Those need a characteristic beside command and state.
    let dialect: DialectName = [OpeningGoesInOrder.id, PacketsGoTheirWay.id].contains(id) ? .sdk : .guide
    let judgement = try Self.judge(id, mutant.name, role: mutant.role, dialect: dialect)
    let oracle = try required(judgement.oracles.first { $0.id == id })
    equal(oracle.verdict, .fail, "\(oracle.id) judged \(oracle.judged), open \(oracle.open)")
    equal(judgement.verdict, .fail)
    equal(ExitCode(judgement.verdict), .fail)
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
    expect(AppProtocol.bab.engineNames(role: .client).contains("commits-twice"))
  }
}
