import AppSeam
import BabSim
import Bench
import Expectations
import Judging
import Synchronization
import Testing

@testable import BabSuite
@testable import Conformance

/// An engine that shows all it ignores sends nothing wrong: only its screen gives it away.
@Suite("What must be ignored shows nowhere")
struct ShownTests {
  /// Purposes in which the engine shows something early or beside the point, and ignores nothing that is judged.
  private static let others: [String: [String]] = [
    "it waits for a subscription, or for the answer to a write, before it goes out": [
      "HOST/GATT/BV-05", "HOST/LOAD/BI-01", "CLIENT/WIRE/BV-18", "CLIENT/VOTE/BV-02", "CLIENT/LOAD/BV-02",
      "CLIENT/LOAD/BV-04", "CLIENT/LOAD/BV-05", "CLIENT/LOAD/BI-04",
    ],
    "one of two requests is granted": ["HOST/ROLE/BI-02"],
    "what the host ignores is not what is judged": ["HOST/AUTH/BV-02", "HOST/AUTH/BI-32"],
    "LINE_COMPLETED after DIALOG_LINE_ADDED says nothing new": ["CLIENT/TURN/BV-03", "CLIENT/TURN/BV-13"],
    "a line may be shown without its text": ["CLIENT/AUTH/BI-13"],
  ]

  /// Purposes that judge the screen, and in which this engine shows nothing.
  private static let untried: [String: [String]] = [
    "it shows no fragment of a packet; see below": [
      "HOST/FRAG/BI-01", "HOST/FRAG/BI-04", "HOST/FRAG/BI-05", "CLIENT/FRAG/BI-01", "CLIENT/FRAG/BI-04",
      "CLIENT/FRAG/BI-05",
    ],
    "a HEARTBEAT says nothing that could be shown": ["HOST/AUTH/BI-24", "CLIENT/AUTH/BI-08"],
  ]

  @Test(
    "Whoever shows what it ignores fails wherever something is ignored", arguments: [("host", 110), ("client", 40)])
  func showsFail(role: String, atLeast: Int) {
    let others = Self.others.values.flatMap { $0 }.map { "BAB/\($0)-C" }
    let role = AppRole(rawValue: role)
    var spared: [String] = []
    var untried: [String] = []
    var judged = 0
    for purpose in Part.of(Catalog.all(role: role), 3) {
      let (result, count) = Self.run(purpose, claims: AppProtocol.bab.everything)
      if result.verdict == .fail { judged += 1 } else if count > 0 { spared.append(purpose.id) }
      if result.verdict == .pass, result.steps.contains(where: { $0.text.hasSuffix(BabBed.unchanged) }) {
        untried.append(purpose.id)
      }
    }
    equal(spared.filter { !others.contains($0) }, [])
    let known = Self.untried.values.flatMap { $0 }.map { "BAB/\($0)-C" }
    equal(untried.filter { !known.contains($0) }, [], "these judge the screen, and nothing is shown in them")
    expect(judged >= (Part.isAll ? atLeast : atLeast / 3))
  }

  @Test(
    "Whoever shows the fragments of a packet that is never whole fails, too", arguments: ["HOST", "CLIENT"],
    ["BI-01", "BI-04", "BI-05"])
  func showsParts(role: String, number: String) throws {
    let purpose = try required(Catalog.named("BAB/\(role)/FRAG/\(number)-C"))
    let mutant = try required(Mutants.named(role.lowercased() + "-shows-fragments"))
    let id = CaseID(purpose: purpose.id, dialect: .sdk, seed: 1)
    let result = CaseRunner.run(purpose, id, on: .mutant(mutant, of: .bab))
    expect(result.verdict == .fail && result.finding?.expected == BabBed.unchanged, "\(result.steps)")
  }

  @Test("Whoever does not claim its screen is not judged on it", arguments: ["host", "client"])
  func showsAreNotJudged(role: String) {
    let ics = AppProtocol.bab.statement(of: ["all", "no-screen"])
    for purpose in Part.of(Catalog.all(role: AppRole(rawValue: role)), 4) where !purpose.needs.contains(.screen) {
      let (result, _) = Self.run(purpose, claims: ics)
      equal(result.verdict, .pass, "\(purpose.id): \(result.finding.map { "\($0)" } ?? "")")
    }
  }

  @Test("The difference names the field, what it was and what it is")
  func difference() {
    var before = Screen()
    for report in [BabReport.phase("LOBBY"), .turn(player: nil), .committed(index: 0, lineID: "line-1", text: "Hi")] {
      before.show(report)
    }
    var after = before
    after.show(.phase("LOBBY"))
    after.show(.refused(LinkID(0), reason: "no"))
    expect(before.difference(to: after) == nil)
    after.show(.committed(index: 1, lineID: "line-2", text: "Hello"))
    equal(before.difference(to: after), "history was “line-1” and is “line-1, line-2”")
    after = before
    after.show(.role(player: "client-1", role: "barista"))
    equal(before.difference(to: after), "role of client-1 was not shown and is “barista”")
  }

  private static func run(_ purpose: TestPurpose, claims ics: ICS) -> (CaseResult, Int) {
    let count = Mutex(0)
    let implementation = ImplementationUnderTest(of: .bab, name: "shows all", role: purpose.role, ics: ics) { app in
      let configuration = BabConfiguration(app)
      return ShowsIgnored(
        wrapping: BabEngines.reference(purpose.role, configuration), configuration: configuration
      ) { stimulus in
        // A client takes the host's HANDSHAKE without a sign, and does not ignore it.
        if case .packet(.handshake(let participant)) = stimulus, participant.isHost, purpose.role == .client {
          return false
        }
        // Every packet that takes more than one value comes in parts.
        if case .part = stimulus { return false }
        count.withLock { $0 += 1 }
        return true
      }
    }
    let id = CaseID(purpose: purpose.id, dialect: AppProtocol.bab.dialect(for: purpose), seed: purpose.seeds[0])
    let result = CaseRunner.run(purpose, id, on: implementation)
    return (result, count.withLock { $0 })
  }
}
