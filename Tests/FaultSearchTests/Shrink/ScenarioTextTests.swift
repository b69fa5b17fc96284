import Bench
import Expectations
import Testing

@testable import Shrink

@Suite("A scenario's tree as text")
struct ScenarioTextTests {
  @Test("Every shipped scenario is the same scenario when it was written again")
  func shipped() throws {
    let scenarios = try ShrinkBench.shipped()
    expect(scenarios.count > 20)
    for (path, text) in scenarios {
      let tree = try ShrinkBench.tree(text).withoutLocations
      let written = ScenarioText.text(of: tree)
      try equal(ShrinkBench.tree(written).withoutLocations, tree, "\(path)")
      equal(ScenarioText.text(of: try ShrinkBench.tree(written)), written, "\(path)")
      expect(written.split(separator: "\n").allSatisfy { $0.count <= 120 }, "\(path)")
    }
  }

  @Test(
    "Texts that YAML would read as something else are in quotes",
    arguments: [
      "a: b", "a #b", "- a", "[a", "a, b]", "", "~", "null", "\"", "it's", "@x", "a:", "two\nlines", "tab\there", "é ü",
      "-5 dBm", "...", "---", "a\u{2028}b", "{}", "*x", "&y", "!z", "%w", "`", "|", ">", "?", "100%", "0..10", "\\",
      " lead", "trail ", "10:30",
    ])
  func quoting(text: String) throws {
    let value = YAMLTree(.scalar(text, isPlain: false))
    let tree = YAMLTree(entries: [
      ("name", value), ("deep", YAMLTree(entries: [("list", YAMLTree(.sequence([value, value]))), ("text", value)])),
    ])
    let read = try ShrinkBench.tree(ScenarioText.text(of: tree))
    equal(read.entry("name")?.scalar, text)
    equal(read.entry("deep")?.entry("text")?.scalar, text)
    equal(read.entry("deep")?.entry("list")?.items.map(\.scalar), [text, text])
    expect(read.entry("name")?.isEmpty == false || text.isEmpty)
  }

  @Test("Blocks are at the top, short mappings on one line")
  func layout() throws {
    let tree = try ShrinkBench.tree(
      "{radio: {packet loss: 5%}, devices: {host: {}}, steps: [{when: nobody has 1 links, within: 5s, host: vanish}]}")
    equal(
      ScenarioText.text(of: tree, remarks: ["Why", ""]),
      """
      # Why
      #
      radio: { packet loss: 5% }

      devices:
        host: {}

      steps:
        - when: nobody has 1 links
          within: 5s
          host: vanish

      """)
  }
}
