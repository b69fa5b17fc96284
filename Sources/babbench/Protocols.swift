import BabOracles
import BabSuite
import Bench
import Conformance

/// The apps whose protocols the bench knows; another one is another word here.
let protocols: [AppProtocol] = [.bab]

/// The protocols that captures can be judged by.
var captureProtocols: [any TrafficProtocol.Type] { [BabTraffic.self] }

extension [AppProtocol] {
  /// The one whose apps play a scenario. Scenario files have the words of one app only, so it is the first.
  func playing(_ scenario: Scenario) -> AppProtocol { self[0] }

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
}
