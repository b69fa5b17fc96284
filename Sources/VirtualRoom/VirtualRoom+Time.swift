import AppSeam
public import Bench
import Platform
public import SimKernel
import VirtualProgram

extension VirtualRoom {
  /// Its first phone was launched, or time has passed.
  public var isStarted: Bool { world != nil }
  /// Where the room's clock stands.
  public var now: SimInstant { world?.now ?? .zero }

  /// Lets time pass.
  /// - Throws: `RoomProblem`: an app was stopped, or the room never comes to rest.
  public func run(for duration: SimDuration) throws(RoomProblem) { _ = try advance(duration) { false } }

  /// Lets time pass until a condition holds, which is asked now and after every event, outside of any phone: what asks
  /// an app for the time, or which queue it is on, is `RoomPhone.wait`.
  /// - Throws: `RoomProblem`: it did not hold in time, an app was stopped, or the room never comes to rest.
  public func wait(within duration: SimDuration, until condition: () -> Bool) throws(RoomProblem) {
    if try !advance(duration, until: condition) { throw .timeIsOver(waited: duration, at: now) }
  }

  /// Ends the room, and says what it came to: its digest is the same for the same seed and test. Steps of a scenario
  /// that were not done count as failed.
  public func finish() -> RunOutcome {
    if let outcome { return outcome }
    let world = started()
    guard file != nil else { return finish(world, ending: .finished) }
    if case .over(let ending) = world.play(to: now, until: { false }) { return finish(world, ending: ending) }
    return finish(world, ending: .stopped)
  }

  func finish(_ world: World, ending: RunOutcome.Ending) -> RunOutcome {
    let ended = world.finish(ending: ending)
    outcome = ended
    return ended
  }

  // MARK: What phones do, and what is done to them

  func act(on device: Int, _ body: @escaping () -> Void) throws(RoomProblem) {
    let world = try acting(on: device)
    guard let engine = seats[device].engine else { throw .notLaunched(phone: scenario.devices[device].name) }
    world.perform(engine.act(at: now, body), device: device)
    _ = world.advance(to: now)
    try check()
  }

  func look(on device: Int, _ body: @escaping () -> Void) { seats[device].engine?.look(at: now, body) }

  func apply(_ fault: DeviceFault, to device: Int) throws(RoomProblem) {
    let world = try acting(on: device)
    world.apply(fault, device: device)
    _ = world.advance(to: now)
    try check()
  }

  /// The world, in which what a scenario says of this instant has happened.
  func acting(on device: Int) throws(RoomProblem) -> World {
    try refuseAfterEnd()
    let world = started()
    if file != nil { try take(world.play(to: now) { programs?.breakdown != nil }) }
    return world
  }

  func remarks(of device: Int) -> [RoomRemark] { trace.remarks.filter { $0.device == device }.map(\.remark) }

  // MARK: The world

  /// - Returns: whether the condition came true.
  private func advance(_ duration: SimDuration, until condition: () -> Bool) throws(RoomProblem) -> Bool {
    try refuseAfterEnd()
    let world = started()
    let end = now + duration
    func stops() -> Bool { programs?.stopped != nil || condition() }
    if file != nil {
      switch world.play(to: end, until: stops) {
      case .conditionMet:
        try check()
        return true
      case .instantReached: return false
      case .over(let ending):
        try take(.over(ending))
        // Time that a test lets pass after the end of its scenario is the test's.
        if now >= end { return condition() }
      }
    }
    let progress = world.advance(to: end, until: stops)
    try check()
    if progress == .eventLimit { throw .neverRests(events: world.eventLimit, at: now) }
    return progress == .conditionMet
  }

  private func refuseAfterEnd() throws(RoomProblem) {
    if outcome != nil { throw .refused("the room is over since \(now) s; nothing happens in it any more") }
  }

  private func take(_ progress: World.PlayProgress) throws(RoomProblem) {
    try check()
    if progress == .over(.eventLimit), let world { throw .neverRests(events: world.eventLimit, at: now) }
  }

  func check() throws(RoomProblem) {
    if let stopped = programs?.stopped {
      throw .stopped(phone: scenario.devices[stopped.device].name, at: now, stopped.text)
    }
    if let breakdown = programs?.breakdown {
      throw .stopped(phone: scenario.devices[breakdown.device].name, at: now, breakdown.detail)
    }
  }

  func started() -> World {
    if let world { return world }
    complete()
    let programs = scenario.programs.isEmpty ? nil : RoomPrograms(seats, others: players?.makePrograms?())
    referee = players?.makeReferee?(scenario)
    let world = World(
      scenario, options: RunOptions(seed: seed), readers: [trace] + (referee.map { [$0] } ?? []) + readers,
      programs: programs
    ) { [unowned self] name, configuration throws in
      seats[configuration.device].isLaunched = true
      if case .beacon(let make) = seats[configuration.device].kind { return make() }
      guard let players else { preconditionFailure("\(configuration.device) has no engine") }
      return try players.engines(name, configuration)
    }
    programs?.clock = { [unowned world] in world.now }
    self.programs = programs
    self.world = world
    world.begin()
    return world
  }
}
