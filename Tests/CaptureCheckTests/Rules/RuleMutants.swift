@testable import CaptureCheck

/// A capture that breaks one rule.
struct RuleMutant {
  var rule: any TrafficRule.Type
  /// What the altered capture does, in the third person.
  var summary: String
  /// The clause of the finding; nil: the rule's own.
  var clause: String?
  /// Makes the capture, and says which packets are the faults.
  var make: () -> (script: RuleScript, faults: [Int])

  /// A capture of its own.
  static func whole(
    _ rule: any TrafficRule.Type, _ summary: String, clause: String? = nil,
    make: @escaping () -> (script: RuleScript, faults: [Int])
  ) -> RuleMutant {
    RuleMutant(rule: rule, summary: summary, clause: clause, make: make)
  }

  /// The capture of a central's host with something more behind it, whose last packet is the fault.
  static func host(
    _ rule: any TrafficRule.Type, _ summary: String, clause: String? = nil,
    alter: @escaping (inout RuleScript) -> Void
  ) -> RuleMutant {
    altered(rule, summary, clause, RuleScript.host, alter)
  }

  /// The same on the air.
  static func air(
    _ rule: any TrafficRule.Type, _ summary: String, clause: String? = nil,
    air alter: @escaping (inout RuleScript) -> Void
  ) -> RuleMutant {
    altered(rule, summary, clause, RuleScript.air, alter)
  }

  /// The same of a controller that was just reset.
  static func reset(
    _ rule: any TrafficRule.Type, _ summary: String, clause: String? = nil,
    reset alter: @escaping (inout RuleScript) -> Void
  ) -> RuleMutant {
    altered(rule, summary, clause, RuleScript.reset, alter)
  }

  private static func altered(
    _ rule: any TrafficRule.Type, _ summary: String, _ clause: String?, _ begin: @escaping () -> RuleScript,
    _ alter: @escaping (inout RuleScript) -> Void
  ) -> RuleMutant {
    RuleMutant(rule: rule, summary: summary, clause: clause) {
      var script = begin()
      // Acknowledgements would stand behind the fault.
      script.completesPackets = false
      alter(&script)
      return (script, [script.last])
    }
  }
}

enum RuleMutants {
  static var all: [RuleMutant] { attribute + channels + controller + linkLayer + advertising }
}
