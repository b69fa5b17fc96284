import AppSeam
import Bench
import Conformance
import InPlaceFuzz

extension FuzzPlan {
  /// Takes the programs of the scenario for programs under test.
  /// - Throws: `UsageProblem` where the hostile device is one: what it sends is made up here.
  mutating func seatOwnPrograms() throws {
    for index in scenario.programs {
      let seat = scenario.devices[index]
      guard index != device else {
        throw UsageProblem("the app of \(seat.name) is a program, which cannot be made hostile; take another --from")
      }
      if let program = seat.program, let app = protocols.first(where: { $0.name == seat.app }) {
        programs[index] = app.implementation(of: program, role: seat.role, dialect: seat.dialect)
      }
      scenario.devices[index].program = nil
      scenario.devices[index].engine = AppProtocol.reference
    }
  }

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
