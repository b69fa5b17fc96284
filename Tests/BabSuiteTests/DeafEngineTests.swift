import AppSeam
import BabSim
import Bench
import Expectations
import Judging
import Testing

@testable import BabSuite
@testable import Conformance

/// A purpose that an engine passes which does nothing judges nothing.
@Suite("Engines that do nothing")
struct DeafEngineTests {
  @Test("An engine that does nothing at all passes no purpose", arguments: ["host", "client"])
  func silent(role: String) {
    equal(Self.passed(Catalog.all(role: AppRole(rawValue: role))) { _ in SilentEngine() }, [])
  }

  @Test(
    "An engine that joins and then hears nothing passes only what joining is enough for",
    arguments: [("host", DeafPasses.host), ("client", DeafPasses.client)])
  func deaf(role: String, reasons: [DeafPasses.Reason]) {
    let tried = Part.of(Catalog.all(role: AppRole(rawValue: role)), 3)
    let passed = Self.passed(tried) { DeafEngine($0) }
    let known = reasons.flatMap(\.purposes).map { "BAB/\($0)-C" }.filter { id in tried.contains { $0.id == id } }
    equal(passed.filter { !known.contains($0) }, [], "mend these, or say why they pass")
    equal(known.filter { !passed.contains($0) }, [], "these pass no longer")
  }

  private static func passed(
    _ purposes: [TestPurpose], _ make: @escaping @Sendable (AppConfiguration) -> any AppEngine
  ) -> [String] {
    let implementation = ImplementationUnderTest(of: .bab, name: "deaf", role: purposes[0].role, makeEngine: make)
    return purposes.filter { purpose in
      let id = CaseID(purpose: purpose.id, dialect: AppProtocol.bab.dialect(for: purpose), seed: purpose.seeds[0])
      return CaseRunner.run(purpose, id, on: implementation).verdict == .pass
    }.map(\.id)
  }
}
