import BabSuite
import Bench
import Bystanders
import Conformance

/// The apps whose protocols the bench knows; another one is another word here.
let protocols: [AppProtocol] = [.bab, .bystander]

extension ScenarioLanguage {
  /// Everything that scenario files may name here.
  static let shipped = ScenarioLanguage(protocols)
}
