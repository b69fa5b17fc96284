import AppSeam
import BabOracles
import BabSim
import BabSuite
import Bench
import Conformance
import Expectations
import Foundation
import Judging
import SimKernel
import Testing

/// The same defects over radios, link layers and host stacks, in the shipped scenarios.
@Suite("Planted defects on the air")
struct MutantsOnTheAirTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var mutant: String
    var scenario: String
    var testDescription: String { "\(mutant) in \(scenario)" }
  }

  /// A scenario for each mutant in which its clause matters. `completes-for-another` needs a person who taps out of
  /// turn, and some others need people who do what `RulesGame` has and no shipped scenario.
  private static let cases =
    [
      Case(mutant: "capacity-not-enforced", scenario: "lobby/ninth-peer-refused"),
      Case(mutant: "ghost-kept", scenario: "faults/client-vanishes-and-returns"),
      Case(mutant: "no-snapshot-on-return", scenario: "faults/client-vanishes-and-returns"),
      Case(mutant: "says-again-on-return", scenario: "faults/client-vanishes-and-returns"),
      Case(mutant: "never-gives-up", scenario: "faults/host-vanishes"),
    ]
    + [
      "second-host", "lobby-update-forgotten", "start-not-sent-to-last", "commits-twice", "reorders-history",
      "private-text-shown", "wrong-formula", "streak-bonus-forgotten", "ranking-reversed", "oversize-fragment",
      "ignores-queue-full", "claims-sent", "ignores-packets", "clock-goes-back", "never-rests",
      "turns-back-and-forth", "line-completed-first", "final-snapshot-forgotten", "one-line-less",
      "summary-of-the-winner",
      "final-snapshot-goes-on", "end-unnoticed", "characters-for-octets",
    ].map { Case(mutant: $0, scenario: "lobby/eight-peer-lobby") }

  private func judge(_ path: String, host: String = "reference", client: String = "reference") throws -> Judgement {
    var scenario = try ScenarioFile.load(Repository.path("Scenarios/\(path).yaml"), language: .bab()).get()
    for index in scenario.devices.indices {
      scenario.devices[index].engine = scenario.devices[index].role == .host ? host : client
    }
    // A run that never rests must not take long here.
    scenario.limits.events = 300_000
    let oracles = OracleReader()
    _ = try World.run(
      scenario, options: RunOptions(seed: 1), readers: [oracles],
      engines: [AppProtocol.bab].engines)
    return try required(oracles.judgement)
  }

  @Test("The oracle named for it fails the mutant in a shipped scenario", arguments: cases)
  func mutantFails(example: Case) throws {
    let mutant = try required(Mutants.named(example.mutant))
    let judgement =
      mutant.role == .host
      ? try judge(example.scenario, host: mutant.name) : try judge(example.scenario, client: mutant.name)
    let oracle = try required(judgement.oracles.first { $0.id == mutant.oracle })
    equal(oracle.verdict, .fail, "\(oracle.id) judged \(oracle.judged), open \(oracle.open)")
  }

  @Test("No oracle fails the reference engines there", arguments: Set(cases.map(\.scenario)).sorted())
  func referencePasses(scenario: String) throws {
    let judgement = try judge(scenario)
    for oracle in judgement.oracles {
      expect(oracle.verdict <= .pass, "\(oracle.id): \(oracle.findings.first.map { "\($0)" } ?? "")")
    }
  }

  @Test("Every mutant is shown on the air but who needs a person out of turn, and who publishes, which nobody hears")
  func complete() {
    let missing = Mutants.all.filter { mutant in
      mutant.oracle != nil && !Self.cases.contains { $0.mutant == mutant.name }
    }
    let elsewhere = [
      "completes-for-another", "publishes-twice", "indicates", "speaks-elsewhere", "subscribes-to-state-only",
      "lobby-before-handshake", "join-before-handshake", "refused-for-ever", "role-given-twice", "ready-not-passed-on",
      "starts-unready", "no-counts-as-yes", "one-yes-is-enough", "place-not-given-back", "scan-left-behind",
    ]
    equal(missing.map(\.name), elsewhere)
  }
}
