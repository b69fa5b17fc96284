public import AppSeam
public import Bench
import CoreBluetooth
import Platform
import SimKernel
import VirtualRadio

extension VirtualRoom {
  /// A room as a scenario file has it: its devices, places, radio and network; its steps play as time passes, as under
  /// `babbench run`, and what it expects is decided.
  ///
  /// Where no app of the test is put on a device, `play` gives the digest of `babbench run` with the same seed.
  /// - Parameters:
  ///   - path: of the file.
  ///   - players: the protocols and engines that the file may name.
  ///   - seed: of all that is drawn; nil: the file says it.
  ///   - changes: as `babbench run --set` takes them, for example `radio=convention-hall`.
  /// - Throws: what is wrong with the file, `file:line:column: …`.
  public convenience init(
    scenario path: String, players: Players, seed: UInt64? = nil, set changes: [String] = []
  ) throws(ScenarioProblems) {
    let overrides = try Self.overrides(changes)
    self.init(
      try ScenarioFile.load(
        path, language: players.language, overrides: overrides, environment: Self.environment
      ).get(),
      file: path, seed: seed, players: players)
  }

  /// As above, from the text of a scenario.
  /// - Parameter name: as messages call the text.
  public convenience init(
    scenarioText text: String, named name: String = "room.yaml", players: Players, seed: UInt64? = nil,
    set changes: [String] = []
  ) throws(ScenarioProblems) {
    let overrides = try Self.overrides(changes)
    self.init(
      try ScenarioReader.read(
        text: text, file: name, language: players.language, overrides: overrides, profiles: .besides(name),
        programs: .besides(name, environment: Self.environment)
      ).get(),
      file: name, seed: seed, players: players)
  }

  /// Puts an app of the test on a device of the scenario, in place of the engine that the file names; before the room
  /// starts.
  ///
  /// Its phone, place and faults stay those of the file. What the app shows is unknown to the bench: conditions that
  /// can only be decided by it are refused, and its peers are judged.
  /// - Parameters:
  ///   - name: of the device.
  ///   - acceptsPairing: what its person says when asked, unless the file says it.
  ///   - user: does with the app what steps of the scenario say; without it such steps are refused.
  ///   - app: makes the app's object, on the phone's main queue, of what the file tells it (`peerID`, `displayName`).
  /// - Throws: `RoomProblem.refused`: there is no such device, or the file asks for what the app does not do or show.
  public func app<App: AnyObject>(
    of name: String, acceptsPairing: Bool = true, user: ((App, RoomAction) -> Void)? = nil,
    app: @escaping (AppConfiguration) -> App
  ) throws(RoomProblem) -> RoomPhone<App> {
    guard let index = scenario.devices.firstIndex(where: { $0.name == name }) else {
      throw .refused("there is no device “\(name)”; " + Suggestion.advice(for: name, in: scenario.devices.map(\.name)))
    }
    if user == nil { try refuseWords(to: index) }
    let before = scenario
    let phone = seat(PhoneApp(user: user, app: app), at: index, acceptsPairing: acceptsPairing)
    if let problem = scenario.unanswerable(seats: [], file: file ?? scenario.name).first {
      (scenario, seats[index]) = (before, RoomSeat(.engine))
      throw .refused(problem.description)
    }
    return phone
  }

  /// As above, for an app that is told nothing.
  public func app<App: AnyObject>(
    of name: String, acceptsPairing: Bool = true, user: ((App, RoomAction) -> Void)? = nil, app: @escaping () -> App
  ) throws(RoomProblem) -> RoomPhone<App> {
    try self.app(of: name, acceptsPairing: acceptsPairing, user: user) { _ in app() }
  }

  /// As above, for all devices of a group, in their order: `client` means `client-1`, `client-2` and so on.
  public func apps<App: AnyObject>(
    of group: String, acceptsPairing: Bool = true, user: ((App, RoomAction) -> Void)? = nil,
    app: @escaping (AppConfiguration) -> App
  ) throws(RoomProblem) -> [RoomPhone<App>] {
    let names = scenario.devices.filter { $0.group == group }.map(\.name)
    if names.isEmpty {
      let groups = scenario.devices.map(\.group)
      throw .refused("there is no group “\(group)”; " + Suggestion.advice(for: group, in: groups))
    }
    var phones: [RoomPhone<App>] = []
    for name in names { phones.append(try self.app(of: name, acceptsPairing: acceptsPairing, user: user, app: app)) }
    return phones
  }

  /// Lets the scenario play to its end, ends the room, and says what it came to.
  ///
  /// The end is that of `babbench run`: some time after the last step and the last deadline, a limit, or an app that
  /// was stopped, which is a finding. Where the test has let time pass beyond it, it is now. A room without a scenario
  /// ends now.
  public func play() -> RoomResult {
    if outcome == nil, file != nil {
      let world = started()
      if case .over(let ending) = world.play(to: .distantFuture, until: { false }) {
        _ = finish(world, ending: ending)
      }
    }
    return RoomResult(
      outcome: finish(), expectations: trace.expectations, findings: referee?.refereeFindings ?? [],
      judgedCount: referee?.judgedCount ?? 0, claims: scenario.claims.map(\.text),
      devices: scenario.devices.map(\.name))
  }

  /// A step that a person does with an app that nobody does it with.
  private func refuseWords(to device: Int) throws(RoomProblem) {
    let step = scenario.steps.first { step in
      step.devices.contains(device)
        && step.action.parts.contains { if case .user = $0 { true } else { false } }
    }
    guard let step else { return }
    let place = ScenarioProblem(
      file: file ?? scenario.name, location: step.source,
      message: "“\(step.text)” is a word for an engine of the bench, and the app of "
        + "\(scenario.devices[device].name) is the test's; give “user:” to do it with the app, or take the step out")
    throw .refused(place.description)
  }

  /// What programs inherit that the scenario names.
  private static var environment: [String] {
    ProcessInfo.processInfo.environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
  }

  private static func overrides(_ changes: [String]) throws(ScenarioProblems) -> [ScenarioOverride] {
    var overrides: [ScenarioOverride] = []
    for (index, change) in changes.enumerated() {
      guard let override = ScenarioOverride(change) else {
        let place = SourceLocation(line: 0, column: index + 1)
        throw ScenarioProblems(list: [
          ScenarioProblem(file: "", location: place, message: "“\(change)” changes nothing; write path=value")
        ])
      }
      overrides.append(override)
    }
    return overrides
  }
}
