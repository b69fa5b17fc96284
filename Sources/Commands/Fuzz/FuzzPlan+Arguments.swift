import ArgumentParser
import Bench
import InPlaceFuzz

extension FuzzPlan {
  /// What `--from`, `--seam`, `--when` and `--seed` mean in a scenario.
  /// - Throws: `UnknownDevice`, and `ScenarioProblems` for the condition.
  init(_ scenario: Scenario, from: String, seam: String, when: String, seed: UInt64?) throws {
    let names = scenario.devices.map(\.name)
    guard let device = names.firstIndex(of: from), let seam = FuzzSeam(rawValue: seam) else {
      throw UnknownDevice(description: "no device is called “\(from)”; " + Suggestion.advice(for: from, in: names))
    }
    let condition = try ScenarioReader.condition(
      when, source: "--when", of: scenario, language: Edition.current.language
    ).get()
    self.init(scenario: scenario, seed: seed ?? scenario.seed, seam: seam, device: device, condition: condition)
    try seatOwnPrograms()
  }
}

extension FuzzSeam {
  /// Refuses what is no name of a seam.
  static func check(_ name: String) throws {
    if FuzzSeam(rawValue: name) != nil { return }
    throw ValidationError(
      "no seam is called “\(name)”; " + Suggestion.advice(for: name, in: FuzzSeam.allCases.map(\.rawValue)))
  }
}

struct UnknownDevice: Error, CustomStringConvertible {
  var description: String
}
