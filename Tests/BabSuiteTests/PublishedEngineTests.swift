import AppSeam
import BabSim
import Foundation
import Judging
import Testing

@testable import BabMutants
@testable import BabSuite
@testable import Conformance

/// Engines that behave as published, with all their defects at once, through the whole suite.
///
/// These run for minutes: `BABBENCH_PROOFS=1 swift test --filter PublishedEngineTests`.
@Suite(
  "Published engines under the whole suite",
  .enabled(if: ProcessInfo.processInfo.environment["BABBENCH_PROOFS"] != nil, "a proof of minutes: BABBENCH_PROOFS=1"))
struct PublishedEngineTests {
  /// All cases of an engine in a dialect, each with what it comes to with help.
  private static func run(_ mutant: Mutant, _ dialect: DialectName) -> SuiteRun {
    let suite = Suite([.mutant(mutant, of: .bab)], dialects: [dialect])
    var cases: [CaseReport] = []
    for item in suite.items {
      let first = suite.run(item)
      cases.append(CaseReport(implementation: 0, purpose: item.purpose, result: first, repeatLine: ""))
      guard let helped = suite.assuming(item, after: first) else { continue }
      var second = CaseReport(
        implementation: 0, purpose: item.purpose, result: suite.run(helped), repeatLine: "")
      second.isSecondPass = true
      cases.append(second)
    }
    return SuiteRun(
      [.bab], version: "", selection: CaseSelection(), repeatLine: "",
      implementations: suite.tested.map { SuiteRun.Implementation($0) }, cases: cases)
  }

  @Test(
    "At least four of five cases come to a verdict",
    arguments: [
      ("published-sdk-host", DialectName.sdk), ("published-sdk-client", .sdk), ("published-guide-host", .guide),
      ("published-guide-client", .guide), ("published-app-host", .app), ("published-app-client", .app),
    ])
  func mostCasesAreJudged(engine: String, dialect: DialectName) throws {
    let run = Self.run(try #require(Mutants.named(engine)), dialect)
    let judged = run.cases.filter { [.pass, .fail].contains($0.result.verdict) }
    let count = Set(judged.map { run.key(of: $0) }).count
    print("\(engine): \(count) of \(run.planned) judged")
    #expect(count * 5 >= run.planned * 4, "\(count) of \(run.planned)")
  }

  /// What a team would mend when the report leads with that.
  private static func mended(by cause: String, in engine: [Mutant]) -> Int? {
    let repairs: [(words: [String], mutant: String)] = [
      (["HANDSHAKE"], "never-greets"), (["LOBBY_UPDATE", "5.1.7"], "never-seats"),
      (["ROLE_ASSIGNED", "PLAYER_READY"], "published-roles-not-told"),
      (["GAME_STARTED", "START_GAME"], "published-start-not-told"),
      (["TURN_ADVANCED", "5.4.1", "5.4.2"], "published-turn-without-line"),
      (["DIALOG_LINE_ADDED"], "published-lines-not-told"),
      (["VOTE_REQUEST", "VOTE_CAST", "NAVIGATION_SYNC", "5.5."], "published-votes-stay-here"),
      (["FULL_STATE_SNAPSHOT", "5.7.4", "5.8.2"], "published-no-snapshot"),
      (["LINE_SKIPPED"], "published-skip-tells-nobody"),
      (["LINE_COMPLETED", "LEADERBOARD", "5.4.6", "is over", "6."], "published-clients-lines-stay"),
      (["program ends", "7.13", "5.4.11"], "published-unknown-line-fatal"),
      (["2.3", "5.1.10"], "published-no-capacity"), (["7.2", "7."], "published-any-sender"),
      (["5.3.2"], "role-given-twice"), (["5.3.6"], "ready-without-role"),
    ]
    for (words, name) in repairs where words.contains(where: cause.contains) {
      if let place = engine.firstIndex(where: { $0.name == name }) { return place }
    }
    return nil
  }

  @Test("Mending the first cause, again and again, ends in at most fifteen steps")
  func mendingEnds() throws {
    var engine = Mutants.sdkHost
    var steps: [String] = []
    while !engine.isEmpty {
      let run = Self.run(Mutant("half-mended", "", stacking: engine), .sdk)
      let causes = run.causes.map { run.title(of: $0) }
      guard
        let found = causes.lazy.compactMap({ cause in Self.mended(by: cause, in: engine).map { (cause, $0) } }).first
      else {
        Issue.record("nothing tells of \(engine.map(\.name)): \(causes)")
        break
      }
      steps.append("\(causes.count) causes, first: \(causes[0]) → \(engine[found.1].name)")
      print("step \(steps.count): \(steps.last ?? "")")
      if causes[0] != found.0 { print("  mended: \(found.0)") }
      engine.remove(at: found.1)
    }
    #expect(steps.count <= 15)
  }
}
