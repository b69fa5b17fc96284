import Platform
public import VirtualRadio

/// Which seats a scenario can give away.
public enum SeatRules {
  /// Who sits where, in the order of the scenario's devices.
  /// - Throws: what the scenario has no room for, in one line.
  public static func seats(
    _ header: SessionRecording.Header, in scenario: Scenario
  ) throws(LiveSession.Refusal) -> [Seat] {
    guard let seats = header.seats(in: scenario) else {
      let names = scenario.devices.map(\.name)
      let missing = header.seats.map(\.device).filter { !names.contains($0) }
      throw LiveSession.Refusal(
        "\(scenario.name): no device is called \(missing.joined(separator: " or ")); there are"
          + " \(names.joined(separator: ", "))")
    }
    for step in scenario.steps + scenario.meanwhile.map(Step.init) {
      for action in step.action.parts { try check(action, of: step, seats, scenario) }
    }
    return seats
  }

  /// What the people at foreign devices have to do themselves for the scenario to go on: one line for each step.
  public static func tasks(_ seats: [Seat], in scenario: Scenario) -> [String] {
    scenario.steps.compactMap { step in
      guard step.action.isOfPeople else { return nil }
      let foreign = step.devices.filter { $0 < seats.count && seats[$0].isOnlyRadio }
      return foreign.isEmpty ? nil : "\(names(foreign, scenario)): line \(step.source.line), \(step.text)"
    }
  }

  /// A person at a foreign device can be asked to do what a step says; the bench can only do to a device what it has
  /// in its hands: its radio when the controller is ours, stack and app when the host is.
  private static func check(
    _ action: Step.Action, of step: Step, _ seats: [Seat], _ scenario: Scenario
  ) throws(LiveSession.Refusal) {
    guard let (devices, reason) = obstacle(action, step.devices, seats) else { return }
    throw LiveSession.Refusal(
      "\(scenario.name): line \(step.source.line), “\(step.text)”: \(names(devices, scenario))"
        + " \(reason); give the seat of another device, or take the step out")
  }

  /// Why something cannot be done to devices, and which of them are the reason; nil when it can.
  static func obstacle(_ action: Step.Action, _ devices: [Int], _ seats: [Seat]) -> (devices: [Int], reason: String)? {
    let hosts = devices.filter { seats[$0].isOnlyRadio }
    let controllers = devices.filter { seats[$0] == .foreignController }
    switch action {
    // Their parts are checked.
    case .radio, .wait, .spread, .churn: return nil
    case .user(let action):
      guard let about = action.about else { return nil }
      if seats[about].isOnlyRadio {
        return ([about], "has \(seats[about].outsider), so the bench does not know its player")
      }
      return hosts.first.map { (hosts, "has \(seats[$0].outsider), which the bench cannot tell to do that") }
    case .fault(let fault):
      switch fault {
      case .vanish, .appear, .outOfRange, .comeBack, .move, .coverLinks:
        return controllers.isEmpty
          ? nil : (controllers, "has an external controller, whose radio the bench cannot reach")
      case .disconnect(let other?) where seats[other] == .foreignController && hosts.isEmpty: return nil
      case .radioOff, .radioOn, .kill, .reclaim, .relaunch, .background, .foreground, .screenOff,
        .screenOn, .disconnect, .messages,
        .messagesOff, .failures, .failuresOff, .forgetBonds, .refreshServices, .useChannels, .updateConnections,
        .network:
        return hosts.first.map { (hosts, "has \(seats[$0].outsider), whose stack and app the bench cannot reach") }
      }
    }
  }

  private static func names(_ devices: [Int], _ scenario: Scenario) -> String {
    devices.map { scenario.devices[$0].name }.joined(separator: ", ")
  }
}
