import VirtualRadio

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
    return decoder.result(of: text) { decoder.actions($0, for: [device]).map(\.action) }
  }

  /// Reads what changes in the room, in the words of steps: `{packet loss: 20%}`.
  /// - Parameter source: how messages call the text.
  static func roomChange(
    _ text: String, source: String, language: ScenarioLanguage
  ) -> Result<RadioEnvironment.Change, ScenarioProblems> {
    let decoder = ScenarioDecoder(file: source, language: language)
    // Nil comes with a problem.
    return decoder.result(of: text) { decoder.roomChange($0) ?? .init() }
  }

  /// What is wrong with an engine for a device, and which there are; nil: nothing.
  package static func refusal(ofEngine name: String, for device: Device, language: ScenarioLanguage) -> String? {
    let decoder = ScenarioDecoder(file: device.name, language: language)
    let place = SourceLocation(line: 1, column: 1)
    _ = decoder.engine(YAMLTree(location: place, value: .scalar(name, isPlain: false)), of: device)
    return decoder.problems.first?.message
  }
}

extension ScenarioDecoder {
  /// What a text comes to, or what is wrong with it.
  fileprivate func result<Value>(of text: String, _ read: (YAMLTree) -> Value) -> Result<Value, ScenarioProblems> {
    do {
      let value = read(try YAMLTree.parse(text))
      if problems.isEmpty { return .success(value) }
    } catch {
      note(error.location, error.message)
    }
    return .failure(sortedProblems)
  }
}
