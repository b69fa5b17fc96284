import AppSeam
import BabSim
import BabSuite
import Bench
import CaptureCheck
import Expectations
import Foundation
import Platform
import Testing

@testable import BabOracles
@testable import Conformance
@testable import Judging

/// What is captured of our own runs is judged as the runs themselves: oracle by oracle, on the air and at the HCI of
/// every device, the reference engines and every planted defect that an oracle finds.
@Suite("Captures of runs are judged as the runs")
struct CapturedVerdictTests {
  struct Case: Hashable, Sendable, CustomTestStringConvertible {
    var scenario: String
    /// The engine that is not the reference.
    var mutant: String?
    var testDescription: String { mutant.map { "\($0) in \(scenario)" } ?? scenario }
  }

  /// A verdict that captures cannot give, with the reason. Exact: one that is not here fails, and so does one that is
  /// here for nothing. Docs/Oracles.md has the same rows.
  struct Row: Sendable {
    var example: Case
    var view: CapturedRun.View
    var oracle: String
    var live: Verdict
    var captured: Verdict
    var reason: String

    /// As Docs/Oracles.md shows it.
    var text: String {
      "| \(example.mutant ?? "reference") | \(example.scenario) | \(view.rawValue) | \(oracle) | \(live.name) | "
        + "\(captured.name) | \(reason) |"
    }
  }

  /// What a view never shows; such an oracle says none, or that it could not know, whatever the run did.
  static let invisible: [(oracle: String, views: [CapturedRun.View])] = [
    (NoCrashNoHang.id, [.air, .hci]),
    // What is published is heard only where a client looks for it, and not since when.
    (OneServicePerHost.id, [.air, .hci]),
    // Who has handed what over, and to what it has subscribed, is whole where the app is.
    (OpeningGoesInOrder.id, [.air, .hci]),
    (PacketsGoTheirWay.id, [.air, .hci]),
    (SessionsLeaveNothing.id, [.air, .hci]),
    (RefusedClientsGiveUp.id, [.air, .hci]),
    // A host that has left and come back begins another roster.
    (RosterKeepsItsOrder.id, [.air, .hci]),
    (LostSessionsEnd.id, [.air]),
    // Whether somebody ends a game, and what an app shows beside what its packets say.
    (GamesEndWhenTheyMust.id, [.air, .hci]),
    (GamesGoOn.id, [.air, .hci]),
    (ClientsShowTheGame.id, [.air, .hci]),
    (VoteResultsFollowVotes.id, [.air, .hci]),
  ]

  /// The cheapest scenario in which its oracle fails it live; `completes-for-another` needs a person who taps out of
  /// turn, which none has, and what `publishes-twice` does is invisible. Those of `RulesGame` are judged there.
  static let mutants: [Case] =
    [
      Case(scenario: "lobby/ninth-peer-refused", mutant: "capacity-not-enforced"),
      Case(scenario: "faults/out-of-range-and-back", mutant: "ghost-kept"),
      Case(scenario: "faults/client-vanishes-and-returns", mutant: "no-snapshot-on-return"),
      Case(scenario: "faults/client-vanishes-and-returns", mutant: "says-again-on-return"),
      Case(scenario: "faults/host-vanishes", mutant: "never-gives-up"),
      Case(scenario: "lobby/eight-peer-lobby", mutant: "lobby-update-forgotten"),
      Case(scenario: "lobby/eight-peer-lobby", mutant: "start-not-sent-to-last"),
      Case(scenario: "lobby/eight-peer-lobby", mutant: "turns-back-and-forth"),
      Case(scenario: "faults/client-vanishes-and-returns", mutant: "ignores-queue-full"),
    ]
    + [
      "second-host", "commits-twice", "reorders-history", "private-text-shown",
      "wrong-formula", "streak-bonus-forgotten", "ranking-reversed", "oversize-fragment", "claims-sent",
      "ignores-packets", "clock-goes-back", "never-rests",
      "line-completed-first", "summary-of-the-winner", "characters-for-octets",
    ].map { Case(scenario: "lobby/two-peers", mutant: $0) }

  private static func judged(_ example: Case) throws -> CapturedRun {
    let mutant = try example.mutant.map { try required(Mutants.named($0)) }
    var scenario = try CapturedRun.scenario(
      example.scenario, host: mutant.flatMap { $0.role == .host ? $0.name : nil },
      client: mutant.flatMap { $0.role == .client ? $0.name : nil })
    // A run that never rests must not take long here.
    if example.mutant == "never-rests" { scenario.limits.events = 30_000 }
    return try CapturedRun(scenario)
  }

  private func check(_ example: Case) throws {
    let run = try Self.judged(example)
    if let mutant = example.mutant.flatMap(Mutants.named) {
      equal(run.live.oracles.first { $0.id == mutant.oracle }?.verdict, .fail, "\(mutant.name) is not killed live")
    }
    for (oracle, views) in Self.invisible {
      for view in views {
        let verdict = run.captured(view).oracles.first { $0.id == oracle }?.verdict
        expect(verdict == Verdict.none || verdict == .inconclusive, "\(oracle) in \(view)")
      }
    }
    let differences = run.differences.filter { difference in
      !Self.invisible.contains { $0.oracle == difference.oracle && $0.views.contains(difference.view) }
    }
    let rows = CapturedRows.all.filter { $0.example == example }
    let expected = rows.map {
      CapturedRun.Difference(view: $0.view, oracle: $0.oracle, live: $0.live, captured: $0.captured)
    }
    equal(Set(differences), Set(expected), "\(run.details)")
  }

  @Test("Every shipped scenario", arguments: Part.of(CapturedRun.shipped, 3).map { Case(scenario: $0, mutant: nil) })
  func scenario(example: Case) throws { try check(example) }

  @Test("Every mutant, where an oracle fails it live", arguments: Part.of(mutants, 2))
  func mutant(example: Case) throws { try check(example) }

  @Test("The table of differences names only what is run, and Docs/Oracles.md has all of it")
  func table() throws {
    let known = CapturedRun.shipped.map { Case(scenario: $0, mutant: nil) } + Self.mutants
    let lines = try Repository.text("Docs/Oracles.md").split(separator: "\n").map(String.init)
    for row in CapturedRows.all {
      expect(known.contains(row.example), "\(row.text)")
      expect(lines.contains(row.text), "Docs/Oracles.md must have:\n\(row.text)")
    }
    let documented = lines.filter { $0.contains("| air | ") || $0.contains("| hci | ") }
    equal(Set(documented), Set(CapturedRows.all.map(\.text)))
    let missing = Mutants.all.filter { mutant in
      mutant.oracle != nil && !Self.mutants.contains { $0.mutant == mutant.name }
    }
    let unseen = RulesGame.oracles.map { $0.id } + Self.invisible.filter { $0.views.count == 2 }.map(\.oracle)
    let names = missing.filter { mutant in !unseen.contains(mutant.oracle ?? "") }.map(\.name)
    equal(names, ["completes-for-another"], "judged in CapturedPartsTests")
  }
}
