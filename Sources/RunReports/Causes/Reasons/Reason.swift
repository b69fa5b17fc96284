import AppSeam
package import Bench
package import SimKernel

/// What a failing run must keep while its scenario becomes smaller: the rule that was broken, and by whom.
///
/// Without names, instants and everything else that a smaller scenario may change.
package enum Reason: Hashable, Sendable {
  /// An oracle found something: its id, the clause, and the role of the device that it blames (empty: the whole run).
  case finding(oracle: String, clause: String, role: String)
  /// An expectation does not hold.
  case expectation(Span, ConditionShape)
  /// A step waited for so long, and its condition did not come true.
  case wait(SimDuration, ConditionShape)
  /// The run reached a limit of the scenario before all steps were done.
  case unfinished

  /// When an expectation must hold, without the label from which it counts.
  package enum Span: Hashable, Sendable {
    case atEnd
    case within(SimDuration)
    case always

    init(_ deadline: Expectation.Deadline) {
      switch deadline {
      case .atEnd: self = .atEnd
      case .within(let span, _): self = .within(span)
      case .always: self = .always
      }
    }
  }
}

/// A condition in which devices are named by their roles: `client-2` and `client-5` are interchangeable.
package indirect enum ConditionShape: Hashable, Sendable {
  case devices(roles: [Party], Condition.Quantifier, Condition.Fact)
  case all([ConditionShape])
  case any([ConditionShape])

  package struct Party: Hashable, Sendable {
    var app: String?
    var role: String
  }

  init(_ condition: Condition, _ scenario: Scenario) {
    switch condition {
    case .all(let parts): self = .all(parts.map { ConditionShape($0, scenario) })
    case .any(let parts): self = .any(parts.map { ConditionShape($0, scenario) })
    case .devices(let devices, let quantifier, let fact):
      var fact = fact
      // Indices of devices change when others go away.
      if case .measure(var measure) = fact, measure.senders != nil {
        measure.senders = []
        fact = .measure(measure)
      }
      self = .devices(roles: Self.parties(devices, scenario), quantifier, fact)
    }
  }

  /// Each kind of device once, in the order of the scenario.
  private static func parties(_ devices: [Int], _ scenario: Scenario) -> [Party] {
    var parties: [Party] = []
    for index in devices {
      let device = scenario.devices[index]
      let party = Party(app: device.app, role: device.role.rawValue)
      if !parties.contains(party) { parties.append(party) }
    }
    return parties
  }
}
