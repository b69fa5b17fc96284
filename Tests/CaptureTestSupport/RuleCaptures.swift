import CaptureCheck
package import Judging

/// What the rules say of captures.
package enum RuleCaptures {
  /// What the rules say of one capture; nil when it is refused.
  package static func judge(_ path: String) throws -> [OracleResult]? {
    do {
      return try Checker(paths: [path]).report().rules
    } catch is CaptureRefusal {
      return nil
    }
  }

  /// `rule at packet, packet …`, those beyond the limit as `+ n`.
  package static func lines(_ results: [OracleResult]) -> [String] {
    results.filter { !$0.findings.isEmpty }.map { result in
      let packets = result.findings.map { "\(PacketPlace(record: $0.record ?? 0).number)" }.joined(separator: " ")
      return "\(result.id) at \(packets)" + (result.suppressedFindings > 0 ? " + \(result.suppressedFindings)" : "")
    }
  }
}
