import BabSim
import BabSuite
import Bench
import Conformance
import Expectations
import SimKernel
import Testing

@Suite("Idle events, skipped or stepped")
struct SkippedEventsTests {
  /// Sees every PDU, so that nothing is skipped.
  private final class AirReader: TraceReader {
    var wantsAir: Bool { true }
    func read(_ record: TraceRecord) {}
  }

  @Test("A scan response that takes the time of an idle link's event does so whatever is captured")
  func scanResponse() throws {
    // A host that advertises on while it has links: a client scans actively, and the response meets another's anchor.
    let app = AppProtocol.bab
    let purpose = try required(app.purpose("BAB/HOST/ROLE/BI-07-C"))
    let host = try ImplementationUnderTest.builtIn("published-raw-chunks", of: app, role: .host)
    for seed in 1...4 as ClosedRange<UInt64> {
      let id = CaseID(purpose: purpose.id, dialect: .guide, seed: seed, assuming: ["greeting", "seat"])
      let skipped = CaseRunner.run(purpose, id, on: host)
      let stepped = CaseRunner.run(purpose, id, on: host, readers: [AirReader()])
      equal(skipped.digest, stepped.digest, "seed \(seed)")
    }
  }
}
