extension ScenarioReader {
  /// Reads a condition that is not in the scenario's file, in the words of its steps (`when: …`).
  /// - Parameters:
  ///   - source: how messages call the text, for example `--when`.
  ///   - scenario: whose devices it may name.
  public static func condition(
    _ text: String, source: String, of scenario: Scenario, language: ScenarioLanguage
  ) -> Result<Condition, ScenarioProblems> {
    let decoder = ScenarioDecoder(file: source, language: language)
    decoder.devices = scenario.devices
    do {
      let condition = decoder.condition(try YAMLTree.parse(text))
      if let condition, decoder.problems.isEmpty { return .success(condition) }
    } catch {
      decoder.note(error.location, error.message)
    }
    return .failure(decoder.sortedProblems)
  }
}
