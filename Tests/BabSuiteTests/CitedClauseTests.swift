import AppSeam
import BabSim
import Bench
import Expectations
import Judging
import SimKernel
import Testing

@testable import BabSuite
@testable import Conformance

/// What a host is told cites what a host must do, and what a client is told what a client must.
@Suite("Clauses that are cited for a role")
struct CitedClauseTests {
  /// The roles that a clause binds, by its words; both where it names neither as the one who must.
  private static func roles(of id: String) throws -> [AppRole] {
    let text = try required(AppProtocol.bab.clause(id), "\(id)").text
    let both = /\b(all|host and clients) are (then )?in phase|[Aa]n app MUST|Only the host MUST|every packet goes/
    if text.contains(both) {
      return [.host, .client]
    }
    let host = text.contains(/\b[Hh]osts?( itself| alone)? (MUST|SHOULD)|is sent to every client/)
    let client = text.contains(
      /\b[Cc]lients?( [A-Za-z0-9 ]+)? (MUST|SHOULD)|A client asks|a client shows|, a client (at most|GAP)/)
    return host == client ? [.host, .client] : [host ? .host : .client]
  }

  @Test("The words of a clause say whom it binds")
  func table() throws {
    for (clause, roles) in [
      ("BAB 5.1.5", [AppRole.client]), ("BAB 5.1.6", [.host]), ("BAB 5.1.7", [.host]), ("BAB 5.1.13", [.client]),
      ("BAB 5.3.3", [.host, .client]), ("BAB 5.3.6", [.host]), ("BAB 5.3.7", [.host, .client]),
      ("BAB 5.4.6", [.host]), ("BAB 5.4.12", [.client]), ("BAB 5.5.2", [.host, .client]), ("BAB 5.5.4", [.host]),
      ("BAB 5.7.4", [.host, .client]), ("BAB 5.7.6", [.client]), ("BAB 5.8.3", [.client]), ("BAB 5.9.4", [.host]),
      ("BAB 6.8", [.host]), ("BAB 7.12", [.client]), ("BAB 8.8", [.host, .client]), ("BAB 3.4", [.host, .client]),
    ] {
      try equal(Self.roles(of: clause), roles, "\(clause)")
    }
  }

  @Test("The causes of hosts cite hosts, those of clients clients")
  func causes() throws {
    for (type, clause) in ClientTester.clausesOfHosts {
      try expect(Self.roles(of: clause).contains(.host), "\(type.rawValue): \(clause)")
    }
    for (type, clause) in HostTester.clausesOfClients {
      try expect(Self.roles(of: clause).contains(.client), "\(type.rawValue): \(clause)")
    }
    // 5.5.2 tells clients their phase, and says of nobody but the host that it sends.
    expect(!HostTester.clausesOfClients.contains { $0.type == .voteRequest })
  }

  /// The documents do not say of a client that it sends these; a cause that they are missing cites no clause.
  private static let exchanges = [
    "BAB/CLIENT/ROLE/BV-02-C", "BAB/CLIENT/VOTE/BV-03-C",
    // A voter's first vote counts wherever votes are counted.
    "BAB/CLIENT/VOTE/BV-10-C",
  ]

  @Test("The clause that a purpose is for binds the role that it is for")
  func purposes() throws {
    for purpose in Catalog.all where !Self.exchanges.contains(purpose.id) {
      let clause = try required(purpose.clauses.first)
      try expect(Self.roles(of: clause).contains(purpose.role), "\(purpose.id): \(clause)")
    }
  }

  @Test("The end of a game that is not told breaks 5.8.2")
  func untoldEnd() throws {
    let purpose = try required(Catalog.named("BAB/HOST/TURN/BV-21-C"))
    let implementation = try ImplementationUnderTest.builtIn("final-snapshot-forgotten", of: .bab, role: .host)
    let id = CaseID(purpose: purpose.id, dialect: .sdk, seed: 1)
    let result = CaseRunner.run(purpose, id, on: implementation)
    equal(result.verdict, .fail)
    equal(result.cause?.clause, "BAB 5.8.2")
  }

  /// Ends when its user does anything.
  private final class Crashing: FallibleEngine {
    private(set) var failure: IUTFailure?
    func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
      if case .user = input { failure = IUTFailure(.exited, "ended with exit code 1", ending: .exitCode(1)) }
      return []
    }
    func close() {}
  }

  @Test("A crash fails by published clauses too, and cites none of the bench's decisions")
  func crash() throws {
    let purpose = try required(Catalog.named("BAB/HOST/ADV/BV-01-C"))
    let implementation = ImplementationUnderTest(of: .bab, name: "crashes", role: .host) { _ in Crashing() }
    let id = CaseID(purpose: purpose.id, dialect: .sdk, seed: 1)
    let all = CaseRunner.run(purpose, id, on: implementation)
    expect(all.verdict == .fail && all.cause?.clause == "BAB 7.13")
    let published = CaseRunner.run(purpose, id, on: implementation, judged: JudgedClauses(onlyPublished: true))
    equal(published.verdict, .fail)
    equal(published.cause, Cause("its program ends in the middle of a case, with exit code 1", clause: ""))
    equal(published.finding?.clause, "")
  }

  @Test("Views are told in words")
  func views() {
    let row = LeaderboardRow(rank: 1, player: "peer-a", score: 999, highlight: nil)
    let summary = SummaryView(
      lines: 2, accuracyPermille: 900, durationMilliseconds: 4, rankings: [row], achievements: [])
    var before = Screen()
    before.show(.phase("LOBBY"))
    for report in [BabReport.leaderboard([row]), .summary(summary), .screen(ScreenLine(lineID: "line-1", text: nil))] {
      var after = before
      after.show(report)
      let text = before.difference(to: after) ?? ""
      expect(!text.contains("BabSim.") && !text.contains("Optional(") && !text.contains("(rank"), "\(text)")
    }
    equal("\([row])", "[1. peer-a 999]")
  }
}
