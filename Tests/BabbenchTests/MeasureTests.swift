import Expectations
import Testing

/// The benchmarks are compiled with the tests, and their shortest part is run: figures nobody can make again are none.
@Suite("Benchmarks")
struct MeasureTests {
  @Test("A short lobby delivers what W1 asks for")
  func lobby() throws {
    // A write for each join and each line; each is answered to all who are there, in three values.
    let deliveries = (7 + 120) + 3 * (1...7).reduce(0, +) + 3 * 7 * 120
    let result = try Executable.run(["lobby=120"], program: "Measure")
    equal(result.status, 0, "\(result.output)\(result.errors)")
    expect(result.output.contains("; \(deliveries) deliveries"))
  }

  @Test("A part that is misspelt is refused, and nothing is measured")
  func misspelt() throws {
    for word in ["lobbby", "lobby=many", "queue=3"] {
      let result = try Executable.run([word], program: "Measure")
      equal(result.status, 64)
      expect(result.output.isEmpty)
      expect(result.errors.contains("nothing is called \(word)"))
    }
  }
}
