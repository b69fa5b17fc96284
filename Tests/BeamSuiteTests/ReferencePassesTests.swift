import AppSeam
import BeamScribe
import BeamSuite
import Conformance
import Judging
import Testing

@Suite("The reference of BeamScribe")
struct ReferenceTests {
  @Test("The reference passes every purpose", arguments: AppProtocol.beamscribe.purposes.map(\.id))
  func passes(_ id: String) throws {
    let app = AppProtocol.beamscribe
    let purpose = try #require(app.purpose(id))
    for outcome in Selftest.run(.reference(purpose), of: app) {
      let result = outcome.failure
      #expect(
        outcome.verdict == .pass,
        "\(result?.id.dialect.rawValue ?? "") \(result?.id.seed ?? 0): \(result?.finding?.expected ?? ""), \(result?.finding?.actual ?? "")")
    }
  }
}
