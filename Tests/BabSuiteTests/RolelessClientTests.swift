import AppSeam
import BabSim
import Bench
import Expectations
import Judging
import Testing

@testable import BabSuite
@testable import Conformance

/// A client that has no roles at all: its user's wishes for them reach nobody, and before the game it waits.
@Suite("A client without roles")
struct RolelessClientTests {
  @Test("It passes every purpose that does not need roles, those about turns included")
  func passes() {
    let implementation = ImplementationUnderTest(
      of: .bab, name: "no roles", role: .client, ics: AppProtocol.bab.statement(of: ["all", "no-roles"])
    ) { app in
      let configuration = BabConfiguration(app)
      return SeamMutant(
        wrapping: BabEngines.reference(app), configuration: configuration,
        hearing: { _, input in
          if case .user(let action) = input {
            switch action.bab {
            case .requestRole, .setReady: return []
            default: break
            }
          }
          return [input]
        },
        asking: { _, effect in
          if case .phase("LOBBY")? = effect.bab { return [.report(BabReport.phase("WAITING"))] }
          if case .role? = effect.bab { return [] }
          return [effect]
        })
    }
    let results = Catalog.all(role: .client).map { purpose in
      let id = CaseID(purpose: purpose.id, dialect: AppProtocol.bab.dialect(for: purpose), seed: purpose.seeds[0])
      return CaseRunner.run(purpose, id, on: implementation)
    }
    for result in results where result.notApplicable == nil {
      equal(result.verdict, .pass, "\(result.id.purpose): \(result.finding.map { "\($0)" } ?? "")")
    }
    let turns = results.filter { $0.id.purpose.contains("/TURN/") }
    expect(turns.count == 21 && turns.allSatisfy { $0.verdict == .pass })
  }
}
