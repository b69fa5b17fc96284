import Platform
public import VirtualRadio

/// What a scenario may ask of devices whose app or radio is not ours (ADR 0013).
///
/// `all clients`, `everyone` and groups mean those that can be asked, or that can do it; the others are left out. A
/// device from outside that is named itself must be able to answer. What people do with an app from outside is left to
/// them, so that one scenario serves with and without guests.
extension Scenario {
  /// Everything in the scenario that cannot be decided or done with these seats, in the order of the file; empty when
  /// the scenario fits. Seats beyond the end of the list are simulated.
  public func unanswerable(seats: [Seat], file: String) -> [ScenarioProblem] {
    let seats = devices.indices.map { $0 < seats.count ? seats[$0] : .simulated }
    var problems: [ScenarioProblem] = []
    for step in steps + meanwhile.map(Step.init) {
      var messages: [String] = []
      if case .when(let condition, _) = step.trigger { messages = undecidable(condition, seats) }
      messages += undoable(step, seats)
      problems += messages.map { ScenarioProblem(file: file, location: step.source, message: $0) }
    }
    for expectation in expectations {
      problems += undecidable(expectation.condition, seats).map {
        ScenarioProblem(file: file, location: expectation.source, message: $0)
      }
    }
    return problems
  }

  private func undecidable(_ condition: Condition, _ seats: [Seat]) -> [String] {
    switch condition {
    case .all(let parts), .any(let parts): return parts.flatMap { undecidable($0, seats) }
    case .devices(let named, _, let fact):
      let cast = cast { seats[$0].isOnlyRadio }
      let asked = fact.asked(of: named, cast)
      let isGroup = isCollective(named)
      if isGroup ? !asked.isEmpty : asked == named { return [] }
      let dumb = named.filter { !asked.contains($0) }
      let leaders = dumb.compactMap { cast.members[$0].leader }
      if fact.comparesWithLeader, let leader = leaders.first(where: { cast.members[$0].isForeign }),
        !dumb.contains(where: { cast.members[$0].isForeign && $0 != leader })
      {
        return ["what \(devices[leader].name) shows is unknown, its app is external; ask what the others show"]
      }
      return ["what \(names(dumb)) show\(dumb.count == 1 ? "s" : "") is unknown, the app is external; ask the others"]
    }
  }

  private func undoable(_ step: Step, _ seats: [Seat]) -> [String] {
    // What a person does with an app from outside is left to its own people.
    if step.action.isOfPeople { return [] }
    let able = step.devices.filter { step.action.canBeDone(at: seats[$0]) }
    if step.devices.isEmpty || (isCollective(step.devices) ? !able.isEmpty : able == step.devices) { return [] }
    let unable = step.devices.filter { !able.contains($0) }
    let isRadio = unable.contains { seats[$0] == .foreignController }
    return [
      "\(names(unable)) cannot be made to do this, "
        + (isRadio ? "its radio is external" : "its app and stack are external") + "; leave the step out"
    ]
  }

  /// Whether these are everyone, all of a role or a whole group of several, rather than devices named one by one.
  private func isCollective(_ chosen: [Int]) -> Bool {
    guard chosen.count > 1 else { return false }
    let first = devices[chosen[0]]
    return chosen == devices.indices.filter { devices[$0].takesPart }
      || chosen == devices.indices.filter { devices[$0].role == first.role && devices[$0].app == first.app }
      || chosen == devices.indices.filter { devices[$0].group == first.group }
  }

  private func names(_ chosen: [Int]) -> String { chosen.map { devices[$0].name }.joined(separator: ", ") }
}

extension Condition.Fact {
  /// Those devices of which this can be said.
  func asked(of devices: [Int], _ cast: AppCast) -> [Int] {
    cast.hasForeign ? devices.filter { !cast.members[$0].isHostile && canBeAsked(of: $0, cast) } : devices
  }

  private func canBeAsked(of device: Int, _ cast: AppCast) -> Bool {
    switch self {
    case .advertisedNameContains: true
    case .count, .measure, .disconnected: !cast.members[device].isForeign || cast.members[device].isMute
    case .app(let fact): fact.statement.canBeAsked(of: device, cast)
    }
  }

  /// Whether it compares with what the leader's app shows.
  var comparesWithLeader: Bool {
    if case .app(let fact) = self { return fact.statement.comparesWithLeader }
    return false
  }
}

extension Step.Action {
  var isOfPeople: Bool {
    switch self {
    case .user: true
    case .fault, .radio, .wait: false
    case .spread, .churn: parts.allSatisfy(\.isOfPeople)
    }
  }

  /// Whether the bench can do this to a device at such a seat: the app of a host from outside and its stack are not
  /// ours, and a controller from outside is nowhere on our air.
  func canBeDone(at seat: Seat) -> Bool {
    let isOfTheRadio: Bool
    switch self {
    case .radio, .wait: return true
    case .spread, .churn: return parts.allSatisfy { $0.canBeDone(at: seat) }
    case .fault(.vanish), .fault(.appear), .fault(.outOfRange), .fault(.comeBack), .fault(.move), .fault(.coverLinks):
      isOfTheRadio = true
    default: isOfTheRadio = false
    }
    return switch seat {
    case .simulated: true
    case .foreignHost, .foreignLinkLayer: isOfTheRadio
    case .foreignController: !isOfTheRadio
    }
  }
}
