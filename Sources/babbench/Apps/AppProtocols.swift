import BabSuite
import Bench
import Bystanders
import Conformance

/// The apps whose protocols the bench knows; another one is another word here.
let protocols: [AppProtocol] = [.bab, .bystander]

/// What examples of help texts name.
enum Examples {
  static let app = protocols[0].name
  static let purpose = "BAB/HOST/LOBBY/BV-01-C"
  static let pattern = "BAB/HOST/FRAG/**"
  static let skipped = "BAB/HOST/FRAG/BI-03-C"
}

extension ScenarioLanguage {
  /// Everything that scenario files may name here.
  static let shipped = ScenarioLanguage(protocols)
}
