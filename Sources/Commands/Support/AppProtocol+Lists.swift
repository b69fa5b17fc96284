import AppSeam
import Bench
import CaptureCheck
import Conformance
import Foundation

/// What commands ask of all protocols together.
extension [AppProtocol] {
  /// Those that somebody's engine can be tested by.
  var tested: [AppProtocol] { filter { !$0.purposes.isEmpty } }

  /// The first one that has a built-in engine of that name; nil when none has.
  ///
  /// - Parameter role: nil: any. The name of a mutant tells its protocol whatever the role is.
  func having(engine name: String, role: AppRole?) -> AppProtocol? {
    first { app in
      name == AppProtocol.reference ? role.map(app.roles.contains) ?? true : app.mutant(name) != nil
    }
  }

  /// The one of that name among those that engines can be tested by; all of these when there is no name.
  func tested(named name: String?) throws -> [AppProtocol] {
    guard let name else { return tested }
    if let app = tested.first(where: { $0.isCalled(name) }) { return [app] }
    if [".yaml", ".yml"].contains(where: name.hasSuffix), !FileManager.default.fileExists(atPath: name) {
      throw UsageProblem("\(name): no such file")
    }
    throw UsageProblem(
      "no engine can be tested as \(name); " + Suggestion.advice(for: name, in: tested.map(\.name)))
  }

  /// The one that has a test purpose of that id.
  func having(purpose id: String) -> AppProtocol? { first { $0.purpose(id) != nil } }

  var mutants: [Mutant] { flatMap(\.mutants) }
  var purposes: [TestPurpose] { flatMap(\.purposes) }

  /// What scenario files may name besides the reference.
  var engineNames: [String] { mutants.map(\.name) }

  /// The protocols that captures can be judged by.
  var traffic: [SpokenProtocol] { compactMap(\.traffic) }
}
