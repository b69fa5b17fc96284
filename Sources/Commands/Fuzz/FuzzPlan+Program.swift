import AppSeam
import Bench
import Conformance
import InPlaceFuzz

extension FuzzPlan {
  /// Gives a program under test the devices of its role, or the one of this name.
  /// - Throws: `ScenarioProblems` for its description, and `UsageProblem` where it has no place in the scenario.
  mutating func seat(program path: String, at name: String?) throws {
    let program = try IUTDescription.read(
      path: path, environment: Environment.inherited, among: protocols.tested)
    let fitting = scenario.devices.indices.filter { index in
      let seat = scenario.devices[index]
      return seat.app == program.app.name && seat.role == program.role && (name == nil || seat.name == name)
    }
    let seats = fitting.filter { $0 != device }
    if seats.isEmpty {
      let hostile = fitting.isEmpty ? "" : "; \(scenario.devices[device].name) is hostile, and nothing is asked of it"
      throw UsageProblem(
        "--iut: \(name ?? scenario.name) has no place for a \(program.role.rawValue) of \(program.app.name)" + hostile)
    }
    for index in seats {
      let dialect = scenario.devices[index].dialect
      guard program.dialects.contains(dialect) else {
        throw UsageProblem(
          "--iut: \(scenario.devices[index].name) speaks the dialect \(dialect.rawValue), and \(program.name) does not")
      }
      programs[index] = program
    }
  }
}
