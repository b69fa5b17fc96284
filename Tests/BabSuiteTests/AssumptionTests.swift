import AppSeam
import BabSim
import Expectations
import Judging
import SimKernel
import Testing

@testable import BabSuite
@testable import Conformance

@Suite("Steps that the bench takes for an implementation")
struct AssumptionTests {
  /// A case by itself, and what it comes to with the steps that it waits for.
  private static func findings(_ purpose: TestPurpose, _ mutant: Mutant) -> [CaseResult] {
    let app = AppProtocol.bab
    let suite = Suite(
      [.mutant(mutant, of: app)], dialects: [app.dialect(for: purpose)], seed: purpose.seeds[0], purposes: [purpose])
    return suite.items.flatMap { item in
      let first = suite.run(item)
      return [first] + (suite.assuming(item, after: first).map { [$0.result] } ?? [])
    }
  }

  /// What fails an engine, each with what was expected.
  private static func failures(_ results: [CaseResult]) -> Set<String> {
    Set(
      results.filter { $0.verdict == .fail }.map {
        "\($0.id.purpose) \($0.finding?.clause ?? "") \($0.finding?.expected ?? "")"
      })
  }

  @Test("A second defect is found in an engine that stops early, in at least 27 of 30 random pairs")
  func earlyStoppersMaskNothing() {
    var draw = RandomStream(seed: 12, component: "tests", purpose: "masking")
    var masked: [String] = []
    var pairs = 0
    while pairs < 30 {
      let stopper = Mutants.stoppers[Int(draw.below(UInt64(Mutants.stoppers.count)))]
      let others = Mutants.all.filter { mutant in
        mutant.role == stopper.role && !Mutants.publishedEngines.contains { $0.name == mutant.name }
          && !Mutants.stoppers.contains { $0.name == mutant.name }
      }
      let inner = others[Int(draw.below(UInt64(others.count)))]
      let purposes = Catalog.all.filter { $0.role == inner.role && $0.clauses.contains(inner.clause) }
      let together = Mutant("together", "both", stacking: [inner, stopper])
      let both = purposes.flatMap { Self.findings($0, together) }
      let alone = purposes.flatMap { Self.findings($0, stopper) }
      // A defect of what is never said is no defect of this engine: nothing that it does is different.
      if both.map(\.digest) == alone.map(\.digest) { continue }
      pairs += 1
      // What the early end fails by itself says nothing of the second defect.
      if Self.failures(both).subtracting(Self.failures(alone)).isEmpty {
        masked.append("\(stopper.name) hides \(inner.name) (\(inner.clause))")
      }
    }
    expect(masked.count <= 3, "\(masked)")
    for line in masked { print("masked:", line) }
  }

  /// Help may keep a case from being judged; it must not make a right engine guilty.
  @Test("The reference, helped with any steps, fails no case")
  func rightEnginesAreNotAccused() {
    let app = AppProtocol.bab
    var draw = RandomStream(seed: 34, component: "tests", purpose: "help")
    // A third of them, drawn: all take a minute.
    for purpose in Catalog.all where draw.below(3) == 0 {
      let chosen = app.stepNames.filter { _ in draw.below(2) == 0 }
      let steps = chosen.isEmpty ? app.stepNames : chosen
      let suite = Suite(
        [.reference(purpose.role, of: app)], dialects: [app.dialect(for: purpose)], seed: purpose.seeds[0],
        purposes: [purpose], assuming: steps)
      let result = suite.run(suite.items[0])
      expect(
        result.verdict == .pass || result.isBlocked, "\(purpose.id) \(steps): \(String(describing: result.finding))")
      if result.verdict == .pass { equal(Assessment(result), .assumedPass, "help is never green") }
    }
  }
}
