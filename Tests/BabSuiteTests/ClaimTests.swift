import AppSeam
import BabSim
import Bench
import Expectations
import Judging
import SimKernel
import Testing

@testable import BabSuite
@testable import Conformance

/// A purpose asks nothing of an implementation that has claimed no more than the purpose needs.
@Suite("What a purpose needs")
struct ClaimTests {
  /// Wishes of a user that an item of the ICS is for.
  private static func item(of action: String) -> ICS.Item? {
    switch action.prefix(while: { $0.isLetter }) {
    case "requestRole", "setReady", "assignRole", "startMultiplayerGame": .roles
    case "completeLine": .turns
    case "proposeVote", "castVote": .votes
    case "generate": .generate
    case "startSolo", "endSolo": .solo
    default: nil
    }
  }

  /// Wishes that an implementation must refuse, whatever it claims.
  private static let refused = ["BAB/CLIENT/START/BI-01-C"]

  /// Packets that only an item of the ICS makes an implementation send.
  private static let packets: [(type: String, item: ICS.Item)] = [
    ("LEADERBOARD_UPDATE", .scoring), ("HEARTBEAT", .heartbeat), ("VOTE_REQUEST", .votes), ("VOTE_CAST", .votes),
  ]

  private static func minimal(_ purpose: TestPurpose) -> CaseResult {
    let items = purpose.needs + (purpose.needs.contains(.endsLinks) ? [] : [.endsLinks])
    let implementation = ImplementationUnderTest(
      of: .bab, name: "no more than needed", role: purpose.role, ics: ICS(items),
      makeEngine: AppProtocol.bab.makeReference)
    let id = CaseID(purpose: purpose.id, dialect: AppProtocol.bab.dialect(for: purpose), seed: purpose.seeds[0])
    return CaseRunner.run(purpose, id, on: implementation)
  }

  @Test("The reference passes with no more claimed than the purpose needs, and its user wishes for no more")
  func needs() {
    for purpose in Part.of(Catalog.all, 3) {
      let result = Self.minimal(purpose)
      equal(result.verdict, .pass, "\(purpose.id): \(result.finding.map { "\($0.expected): \($0.actual)" } ?? "")")
      guard !Self.refused.contains(purpose.id) else { continue }
      let wish = "IUT's user: "
      for step in result.steps where step.text.hasPrefix(wish) {
        guard let item = Self.item(of: String(step.text.dropFirst(wish.count))) else { continue }
        expect(purpose.needs.contains(item), "\(purpose.id) has the user do what needs \(item.name): \(step.text)")
      }
      for step in result.steps where step.text.hasPrefix("✓ ") && step.text.contains(" is sent ") {
        for (type, item) in Self.packets where step.text.contains(" is sent " + type) {
          // What a client of the bench is sent may be what another client of the bench has said.
          if purpose.role == .host, item == .votes { continue }
          expect(purpose.needs.contains(item), "\(purpose.id) waits for what needs \(item.name): \(step.text)")
        }
      }
    }
  }

  @Test("Whoever is told of a heartbeat has claimed it")
  func heartbeat() {
    var configured = 0
    for purpose in Catalog.all {
      let id = CaseID(purpose: purpose.id, dialect: AppProtocol.bab.dialect(for: purpose), seed: 1)
      guard CaseRunner.stage(purpose, id, of: .bab).scenario.game.heartbeat != nil else { continue }
      configured += 1
      expect(purpose.needs.contains(.heartbeat), "\(purpose.id) configures a heartbeat")
    }
    expect(configured >= 4)
  }

  @Test("A timer that an app keeps after the end of the session looks for no host")
  func harmlessTimer() throws {
    let purpose = try required(Catalog.named("BAB/CLIENT/LINK/BV-12-C"))
    let implementation = ImplementationUnderTest(of: .bab, name: "keeps a timer", role: .client) { app in
      SeamMutant(
        wrapping: BabEngines.reference(app), configuration: BabConfiguration(app), hearing: { [$1] },
        asking: { engine, effect in
          guard case .report = effect, case .disconnected = engine.input else { return [effect] }
          return [effect, .setTimer(TimerID(Int(Int32.max) - 7), at: .zero + .seconds(3_600))]
        })
    }
    let result = CaseRunner.run(purpose, CaseID(purpose: purpose.id, dialect: .sdk, seed: 1), on: implementation)
    equal(result.verdict, .pass, "\(result.finding.map { "\($0.expected): \($0.actual)" } ?? "")")
    let looks = try required(Mutants.all.first { $0.role == .client && $0.clause == "BAB 5.8.3" })
    let results = Catalog.all(role: .client).filter { $0.clauses.contains("BAB 5.8.3") }.map {
      CaseRunner.run($0, CaseID(purpose: $0.id, dialect: .sdk, seed: 1), on: .mutant(looks, of: .bab))
    }
    expect(results.contains { $0.verdict == .fail })
  }
}
