import AppSeam
import BeamSuite
import Conformance
import Expectations
import Judging
import Testing

@Suite("The reference of BeamScribe")
struct ReferencePassesTests {
  @Test("The reference passes every purpose", arguments: AppProtocol.beamscribe.purposes.map(\.id))
  func passes(_ id: String) throws {
    let app = AppProtocol.beamscribe
    let purpose = try required(app.purpose(id))
    let outcomes = Selftest.run(.reference(purpose), of: app)
    expect(!outcomes.isEmpty)
    for outcome in outcomes {
      let passes = outcome.verdict == .pass
      let run = outcome.failure.map { "\($0.id.dialect.rawValue) \($0.id.seed)" } ?? ""
      let finding = outcome.failure?.finding.map { "\($0.expected), \($0.actual)" } ?? ""
      expect(passes, "\(run): \(finding)")
    }
  }
}
