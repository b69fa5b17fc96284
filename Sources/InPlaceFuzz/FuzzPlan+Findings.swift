import Bench
package import Conformance
import Judging

extension FuzzPlan {
  /// What oracles and expectations say of the devices that are not hostile.
  package func findings(in judgement: Judgement) -> [Execution.Finding] {
    let devices = scenario.devices
    let counted = judgement.findings.filter { $0.verdict > .inconclusive && $0.device != device && !$0.isHearsay }
    let claims = counted.map { found in
      let name = devices.indices.contains(found.device) ? devices[found.device].name : "the world"
      return Execution.Finding(
        found.oracle, clause: found.clause,
        text: "\(name) at \(found.instant) s: expected \(found.expected), saw \(found.actual)", record: found.record)
    }
    let kept = scenario.expectations.filter { expectation in
      if case .always = expectation.deadline { return !expectation.condition.asks(device) }
      return false
    }
    let broken = judgement.expectations.filter { result in
      result.verdict == .fail && kept.contains { $0.text == result.text }
    }
    return claims
      + broken.map {
        Execution.Finding("Expectation", text: "\($0.text): \($0.detail)", record: $0.record)
      }
  }
}

extension Condition {
  /// Whether it is about a device.
  fileprivate func asks(_ device: Int) -> Bool {
    switch self {
    case .all(let parts), .any(let parts): parts.contains { $0.asks(device) }
    case .devices(let devices, _, _): devices.contains(device)
    }
  }
}
