import Expectations
import Testing

/// The planted defects of the bug bench. How long the fuzzers need for them is for `BugBench table`, not for a test.
@Suite("The bug bench")
struct BugBenchTests {
  private func run(_ words: String...) throws -> Executable.Result {
    try Executable.run(words, program: "BugBench")
  }

  @Test("Each planted defect is shown by its witness, and the same device without it bears the witness", .proof)
  func witnesses() throws {
    let result = try run("check")
    equal(result.status, 0, "\(result.output)\(result.errors)")
    let lines = result.output.split(separator: "\n")
    expect(lines.count { $0.hasPrefix("shown\t") } >= 50)
    for kind in ["parser", "host stack", "controller", "engine"] {
      expect(lines.count { $0.hasPrefix("shown\t\(kind)\t") } >= 8)
    }
    equal(lines.count { $0.hasPrefix("shown\tcontroller\t") }, 12)
  }

  @Test(
    "A hunt with one seed finds the defect in the same execution each time",
    arguments: Part.of(["fragment-twice", "att-mtu-below-23", "ll-control-overflow", "host-crashes-on-wrong-kinds"], 4))
  func repeats(defect: String) throws {
    let found = try (0..<2).map { _ in try run("hunt", defect, "ours", "1", "60").output.split(separator: " ").prefix(2)
    }
    equal(found[0].first, "found", "\(found[0])")
    equal(found[0], found[1])
  }

  @Test("What is misspelt is refused with what there is")
  func misspelt() throws {
    for words in [["chek"], ["hunt", "no-such-defect", "ours", "1", "1"], ["hunt", "json-number", "they", "1", "1"]] {
      let result = try Executable.run(words, program: "BugBench")
      equal(result.status, 64)
      expect(result.output.isEmpty)
      expect(result.errors.contains("BugBench check"))
    }
  }
}
