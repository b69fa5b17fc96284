import AppSeam
import BabSim
import Expectations
import Foundation
import Judging
import Testing

@testable import BabSuite
@testable import Conformance

/// Engines that behave as published, with all their defects at once, through the whole suite.
///
/// These run for minutes: `BABBENCH_PROOFS=1 swift test --filter PublishedEngineTests`.
@Suite(
  "Published engines under the whole suite",
  .proof)
struct PublishedEngineTests {
  /// All cases of an engine, each with what it comes to with help.
  private static func run(_ implementation: ImplementationUnderTest, dialects: [DialectName]?) -> SuiteRun {
    let suite = Suite([implementation], dialects: dialects)
    var cases: [CaseReport] = []
    for item in suite.items {
      let first = suite.run(item)
      cases.append(CaseReport(implementation: 0, purpose: item.purpose, result: first, repeatLine: ""))
      guard let helped = suite.assuming(item, after: first) else { continue }
      var second = CaseReport(
        implementation: 0, purpose: item.purpose, result: helped.result, repeatLine: "")
      second.isSecondPass = true
      cases.append(second)
    }
    return SuiteRun(
      [.bab], version: "", selection: CaseSelection(), repeatLine: "",
      implementations: suite.tested.map { SuiteRun.Implementation($0) }, cases: cases)
  }

  @Test(
    "At least four of five cases that apply come to a verdict",
    arguments: PublishedDesigns.all.filter { $0.profile != nil })
  func mostCasesAreJudged(design: PublishedDesign) throws {
    let role = try required(Mutants.named(design.engine)).role
    let run = Self.run(try .builtIn(design.engine, of: .bab, role: role), dialects: nil)
    let applying = run.cases.filter { $0.assessment != .notApplicable }
    let judged = applying.filter { [.pass, .fail].contains($0.result.verdict) }
    let (count, all) = (Set(judged.map { run.key(of: $0) }).count, Set(applying.map { run.key(of: $0) }).count)
    print("\(design.engine): \(count) of \(all) judged, first: \(run.causes.first.map { run.title(of: $0) } ?? "-")")
    expect(count * 5 >= all * 4, "\(count) of \(all)")
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
      (["FULL_STATE_SNAPSHOT"], "published-no-snapshot"), (["FULL_STATE_SNAPSHOT"], "published-skip-tells-nobody"),
      (["LINE_SKIPPED"], "published-skip-tells-nobody"),
      (["LINE_COMPLETED", "LEADERBOARD", "5.4.6", "is over", "BAB 6."], "published-clients-lines-stay"),
      (["program ends", "7.13", "5.4.11"], "published-unknown-line-fatal"),
      (["BAB 2.3", "5.1.10"], "published-no-capacity"), (["BAB 7.2"], "published-any-sender"),
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
      let halfMended = Mutant("half-mended", "mended in part", stacking: engine)
      let run = Self.run(.mutant(halfMended, of: .bab), dialects: [.sdk])
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
    expect(steps.count <= 15)
  }
}
