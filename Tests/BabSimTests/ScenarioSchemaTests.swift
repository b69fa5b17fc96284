import BabSim
import Bench
import Expectations
import Testing

@Suite("Documentation of scenarios")
struct ScenarioSchemaTests {
  @Test("Every key and every action is explained in Docs/Formats/scenario.md")
  func keys() throws {
    let page = try Repository.text("Docs/Formats/scenario.md")
    for (table, names) in ScenarioSchema.keys(.bab()) {
      for name in names { expect(page.contains("`\(name)`"), "\(table): \(name) is not explained") }
    }
    for action in ScenarioSchema.plainActions(.bab()) {
      expect(page.contains("`\(action)`"), "\(action) is not explained")
    }
  }

  @Test("Every example of the page is a scenario")
  func examples() throws {
    let parts = try Repository.text("Docs/Formats/scenario.md").split(
      separator: "```", omittingEmptySubsequences: false)
    let examples = parts.indices.filter { $0 % 2 == 1 && parts[$0].hasPrefix("yaml\n") }.map {
      String(parts[$0].dropFirst(5))
    }
    expect(!examples.isEmpty)
    for example in examples {
      if case .failure(let problems) = ScenarioReader.read(text: example, file: "scenario.md", language: .bab()) {
        Issue.record("\(problems)")
      }
    }
  }
}
