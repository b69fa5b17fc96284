/// Single words of scenario files, for owners of worlds that say one at a time.
extension ScenarioReader {
  /// Reads what is done with a device, in the words of steps: `join`, `set scenario: coffee-shop`, `[kill, relaunch]`.
  /// - Parameters:
  ///   - source: how messages call the text.
  ///   - scenario: whose devices it may name.
  package static func actions(
    _ text: String, source: String, for device: Int, of scenario: Scenario, language: ScenarioLanguage
  ) -> Result<[Step.Action], ScenarioProblems> {
    let decoder = ScenarioDecoder(file: source, language: language)
    decoder.devices = scenario.devices
    do {
      let actions = decoder.actions(try YAMLTree.parse(text), for: [device]).map(\.action)
      if decoder.problems.isEmpty { return .success(actions) }
    } catch {
      decoder.note(error.location, error.message)
    }
    return .failure(decoder.sortedProblems)
  }

  /// What is wrong with an engine for a device, and which there are; nil: nothing.
  package static func refusal(ofEngine name: String, for device: Device, language: ScenarioLanguage) -> String? {
    let decoder = ScenarioDecoder(file: device.name, language: language)
    let place = SourceLocation(line: 1, column: 1)
    _ = decoder.engine(YAMLTree(location: place, value: .scalar(name, isPlain: false)), of: device)
    return decoder.problems.first?.message
  }
}
