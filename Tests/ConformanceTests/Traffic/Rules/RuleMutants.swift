@testable import Conformance

/// A capture that breaks one rule.
struct RuleMutant {
  var rule: any TrafficRule.Type
  /// What the altered capture does, in the third person.
  var summary: String
  /// The clause of the finding; nil: the rule's own.
  var clause: String?
  /// Makes the capture, and says which packets are the faults.
  var make: () -> (script: RuleScript, faults: [Int])

  init(
    _ rule: any TrafficRule.Type, _ summary: String, clause: String? = nil,
    make: @escaping () -> (script: RuleScript, faults: [Int])
  ) {
    self.rule = rule
    self.summary = summary
    self.clause = clause
    self.make = make
  }

  /// The capture of a central's host with something more behind it, whose last packet is the fault.
  init(
    _ rule: any TrafficRule.Type, _ summary: String, clause: String? = nil,
    host alter: @escaping (inout RuleScript) -> Void
  ) {
    self.init(rule, summary, clause: clause) {
      var script = RuleScript.host()
      // Acknowledgements would stand behind the fault.
      script.completesPackets = false
      alter(&script)
      return (script, [script.last])
    }
  }
}

enum RuleMutants {
  static var all: [RuleMutant] { attribute }
}
