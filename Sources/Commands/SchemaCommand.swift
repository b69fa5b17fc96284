import ArgumentParser
import Bench
import Campaigns

/// `babbench schema`: the JSON Schema of scenario files, for editors.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of scenario files.",
    discussion: """
      Editors with a YAML language server complete and check scenarios with it.

      EXAMPLES:
        babbench schema > scenario.schema.json
      """)

  func run() {
    Console.resultOrEnd(ScenarioSchema.json(.shipped))
  }
}
