import AppSeam
import Bench
import CaptureCheck
import Conformance

/// What commands ask of all protocols together.
extension [AppProtocol] {
  /// Those that somebody's engine can be tested by.
  var tested: [AppProtocol] { filter { !$0.purposes.isEmpty } }

  /// The one that descriptions and built-in engines mean when nothing tells it: the first that knows the engine.
  func knowing(engine name: String) -> AppProtocol? {
    first { $0.mutant(name) != nil } ?? (name == AppProtocol.reference ? first : nil)
  }

  /// The one that has a test purpose of that id.
  func having(purpose id: String) -> AppProtocol? { first { $0.purpose(id) != nil } }

  var mutants: [Mutant] { flatMap(\.mutants) }
  var purposes: [TestPurpose] { flatMap(\.purposes) }

  /// What scenario files may name besides the reference.
  var engineNames: [String] { mutants.map(\.name) }

  /// The protocols that captures can be judged by.
  var traffic: [any TrafficProtocol.Type] { compactMap(\.traffic) }
}
