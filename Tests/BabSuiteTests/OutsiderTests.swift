import AppSeam
import BabOracles
import BabSim
import BabSuite
import Bench
import Conformance
import Expectations
import Judging
import Platform
import SimKernel
import Testing
import VirtualRadio

/// Whole lobbies with a peer from outside. The outsider is our own reference over H4 octets, so nothing may be blamed.
@Suite("The judge with an outsider in the room")
struct OutsiderTests {
  static let game = "lobby/eight-peer-lobby"

  private func oracle(_ id: String, _ judgement: Judgement) throws -> OracleResult {
    try required(judgement.oracles.first { $0.id == id })
  }

  @Test("A client from outside plays a whole game: nothing is blamed, and what is asked of the others holds")
  func clientFromOutside() throws {
    let judgement = try OutsiderLobby(OutsiderLobby.scenario(Self.game), outsider: "client-1").judge()
    for oracle in judgement.oracles {
      expect(oracle.verdict <= .pass, "\(oracle.id): \(oracle.findings.first.map { "\($0)" } ?? "")")
    }
    for expectation in judgement.expectations { expect(expectation.holds, "\(expectation)") }
    let idle = judgement.oracles.filter { $0.verdict == .none }.map(\.id)
    equal(
      idle,
      [
        "NoGhostsAfterSupervisionTimeout", "RolesFollowRules", "RolesAreTold", "VotesFollowRules",
        "VoteResultsFollowVotes",
        "NothingOutlivesItsLink", "ReconnectedPeersResume", "LostSessionsEnd", "RefusedClientsGiveUp",
        "SessionsLeaveNothing",
      ])
    equal(judgement.verdict, .pass)
    let summary = judgement.outcome.devices[1]
    equal(summary.links, 1)
  }

  @Test("A host from outside: seven of ours play its game and agree with one another")
  func hostFromOutside() throws {
    var scenario = try OutsiderLobby.scenario(Self.game)
    scenario.expectations = []
    scenario.duration = .seconds(60)
    let judgement = try OutsiderLobby(scenario, outsider: "host").judge()
    for oracle in judgement.oracles {
      expect(oracle.verdict <= .pass, "\(oracle.id): \(oracle.findings.first.map { "\($0)" } ?? "")")
    }
    // What only the host's app could show is not judged, and says so.
    let idle =
      [
        "StartReachesAll", "OnlyCurrentPlayerCompletes", "PrivateTextReachesOnlyItsPlayer", "ScoresFollowFormula",
        "NoGhostsAfterSupervisionTimeout", "ReconnectedPeersResume", "LostSessionsEnd", "OneServicePerHost",
        "NothingOutlivesItsLink", "RefusedClientsGiveUp", "RosterKeepsItsOrder", "SessionsLeaveNothing",
      ] + RulesGame.oracles.map { $0.id }
    for oracle in judgement.oracles where oracle.id != NoCrashNoHang.id {
      equal((oracle.verdict == .none), idle.contains(oracle.id), "\(oracle.id) judged \(oracle.judged)")
    }
    try expect(oracle(CommittedLinesArePrefix.id, judgement).judged > 16)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var mutant: String
    var scenario = OutsiderTests.game
    var outsider: String
    var testDescription: String { "\(mutant) beside \(outsider) from outside in \(scenario)" }
  }

  /// Mutants among our devices beside a client from outside.
  static let withClient =
    [
      Case(mutant: "capacity-not-enforced", scenario: "lobby/ninth-peer-refused", outsider: "client-1"),
      Case(mutant: "ghost-kept", scenario: "faults/client-vanishes-and-returns", outsider: "client-1"),
      Case(mutant: "no-snapshot-on-return", scenario: "faults/client-vanishes-and-returns", outsider: "client-1"),
      Case(mutant: "says-again-on-return", scenario: "faults/client-vanishes-and-returns", outsider: "client-1"),
      Case(mutant: "never-gives-up", scenario: "faults/host-vanishes", outsider: "client-1"),
    ]
    + [
      "second-host", "lobby-update-forgotten", "start-not-sent-to-last", "commits-twice", "reorders-history",
      "private-text-shown", "wrong-formula", "streak-bonus-forgotten", "ranking-reversed", "oversize-fragment",
      "ignores-queue-full", "claims-sent", "ignores-packets", "clock-goes-back", "never-rests",
    ].map { Case(mutant: $0, outsider: "client-1") }

  @Test("A fault of ours is found beside a client from outside", arguments: withClient)
  func mutantBesideClient(example: Case) throws {
    let mutant = try required(Mutants.named(example.mutant))
    var lobby = try OutsiderLobby(OutsiderLobby.scenario(example.scenario), outsider: example.outsider)
    lobby.setEngines(mutant.role, mutant.name)
    lobby.scenario.limits.events = 300_000
    // Who joins last must be one of ours: what an outsider is not told shows nowhere.
    if example.mutant == "start-not-sent-to-last" { lobby.scenario.steps[1].trigger = .after(.seconds(2)) }
    let result = try oracle(required(mutant.oracle), lobby.judge())
    equal(result.verdict, .fail, "\(result.id) judged \(result.judged), open \(result.open)")
  }

  /// One of seven clients is a mutant; its host is from outside.
  @Test(
    "A fault of a client of ours is found though its host shows nothing",
    arguments: [
      "second-host", "commits-twice", "reorders-history", "claims-sent", "ignores-packets", "clock-goes-back",
      "never-rests",
    ])
  func mutantUnderHost(name: String) throws {
    let mutant = try required(Mutants.named(name))
    var scenario = try OutsiderLobby.scenario(Self.game)
    scenario.expectations = []
    scenario.duration = .seconds(60)
    scenario.devices[3].engine = name
    scenario.limits.events = 300_000
    let result = try oracle(required(mutant.oracle), OutsiderLobby(scenario, outsider: "host").judge())
    equal(result.verdict, .fail, "\(result.id) judged \(result.judged), open \(result.open)")
  }

  @Test("A client that never gives up its vanished host from outside is found")
  func neverGivesUp() throws {
    var lobby = try OutsiderLobby(OutsiderLobby.scenario("faults/host-vanishes"), outsider: "host")
    lobby.scenario.steps = [
      Step(
        source: SourceLocation(line: 1, column: 1), label: nil, trigger: .at(.zero), devices: [1, 2, 3],
        action: .user(Step.UserAction(AppAction(BabAction.joinHost))), text: "join"),
      Step(
        source: SourceLocation(line: 1, column: 1), label: nil, trigger: .at(.zero + .seconds(12)), devices: [0],
        action: .fault(.vanish), text: "vanish"),
    ]
    lobby.scenario.expectations = []
    lobby.scenario.duration = .seconds(60)
    try equal(oracle(LostSessionsEnd.id, lobby.judge()).verdict, .pass)
    lobby.scenario.devices[2].engine = "never-gives-up"
    try equal(oracle(LostSessionsEnd.id, lobby.judge()).verdict, .fail)
  }

  @Test("A host of ours that keeps a ghost from outside is found; one that does not passes")
  func ghostFromOutside() throws {
    var lobby = try OutsiderLobby(OutsiderLobby.scenario("faults/client-vanishes-and-returns"), outsider: "client-2")
    // The outsider's radio is ours to switch off; how its stack and app take that is not.
    try equal(oracle(NoGhostsAfterSupervisionTimeout.id, lobby.judge()).verdict, .pass)
    lobby.setEngines(.host, "ghost-kept")
    try equal(oracle(NoGhostsAfterSupervisionTimeout.id, lobby.judge()).verdict, .fail)
  }
}
