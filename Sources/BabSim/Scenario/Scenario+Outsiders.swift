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
    for step in steps {
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
      let isForeign = seats.map { $0 == .foreignHost }
      let asked = fact.asked(of: named, isForeign)
      let isGroup = isCollective(named)
      if isGroup ? !asked.isEmpty : asked == named { return [] }
      let dumb = named.filter { !asked.contains($0) }
      if fact.isAboutHostsApp, isForeign[0], !dumb.contains(where: { isForeign[$0] && $0 != 0 }) {
        return ["what \(devices[0].name) shows is unknown, its app is not ours; ask what its clients show"]
      }
      return ["what \(names(dumb)) show\(dumb.count == 1 ? "s" : "") is unknown, the app is not ours; ask the others"]
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
        + (isRadio ? "its radio is not on our air" : "its app and stack are not ours") + "; leave the step out"
    ]
  }

  /// Whether these are everyone, all clients or a whole group of several, rather than devices named one by one.
  private func isCollective(_ chosen: [Int]) -> Bool {
    guard chosen.count > 1 else { return false }
    if chosen == Array(devices.indices) || chosen == devices.indices.filter({ devices[$0].role == .client }) {
      return true
    }
    return chosen == devices.indices.filter { devices[$0].group == devices[chosen[0]].group }
  }

  private func names(_ chosen: [Int]) -> String { chosen.map { devices[$0].name }.joined(separator: ", ") }
}

extension Condition.Fact {
  /// Those devices of which this can be said.
  func asked(of devices: [Int], _ isForeign: [Bool]) -> [Int] {
    isForeign.contains(true) ? devices.filter { canBeAsked(of: $0, isForeign) } : devices
  }

  /// Whether this can be said of a device; the host is device 0.
  func canBeAsked(of device: Int, _ isForeign: [Bool]) -> Bool {
    if !isForeign[device] { return !(isAboutHostsApp && isForeign[0]) }
    switch self {
    case .advertisedNameContains: return true
    // The host's app tells this of every player.
    case .inLobby, .ready, .role, .onTurn: return device != 0 && !isForeign[0]
    case .lobbyEqualsHost, .phase, .linkState, .sessionEnded, .resumed, .linesEqualHost, .leaderboardEqualsHost,
      .summaryShown, .count:
      return false
    }
  }

  /// Whether it compares with what the host's app shows.
  var isAboutHostsApp: Bool {
    switch self {
    case .lobbyEqualsHost, .linesEqualHost, .leaderboardEqualsHost: true
    default: false
    }
  }
}

extension Step.Action {
  var isOfPeople: Bool {
    switch self {
    case .user, .assignRole: true
    case .fault, .wait: false
    }
  }

  /// Whether the bench can do this to a device at such a seat: the app of a host from outside and its stack are not
  /// ours, and a controller from outside is nowhere on our air.
  func canBeDone(at seat: Seat) -> Bool {
    let isOfTheRadio =
      switch self {
      case .fault(.vanish), .fault(.appear), .fault(.outOfRange), .fault(.comeBack), .fault(.move): true
      default: false
      }
    return switch seat {
    case .simulated: true
    case .foreignHost: isOfTheRadio || self == .wait
    case .foreignController: !isOfTheRadio
    }
  }
}
