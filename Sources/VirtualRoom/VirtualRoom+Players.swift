public import AppSeam
import Bench
public import SimKernel
public import VirtualRadio

extension VirtualRoom {
  /// Adds a device on which an engine of the bench plays, by the names that scenario files use; before the room starts.
  /// - Parameters:
  ///   - name: unique in the room.
  ///   - role: in the protocol, for example `client`.
  ///   - engine: `reference`, or the name of a mutant.
  ///   - app: the protocol; nil: the first of the players.
  ///   - phone: an iPhone unless another one is given.
  ///   - position: where it is, in centimetres.
  ///   - starts: when its app is launched.
  ///   - dialect: of the protocol; nil: its usual one.
  /// - Throws: `RoomProblem.refused`: nobody has such a name, and which names there are.
  @discardableResult
  public func player(
    _ name: String, role: String, engine: String = "reference", of app: String? = nil, phone: PhonePreset = .iphone,
    at position: Position = Position(x: 0, y: 0), starts: SimInstant = .zero, dialect: String? = nil
  ) throws(RoomProblem) -> RoomPlayer {
    var device = try self.device(name, role, of: app, phone, dialect: dialect)
    if let players, let message = ScenarioReader.refusal(ofEngine: engine, for: device, language: players.language) {
      throw .refused("\(name): \(message)")
    }
    device.engine = engine
    device.position = position
    device.starts = starts
    return RoomPlayer(name: name, engine: engine, index: add(device), room: self)
  }

  /// Adds a phone whose app plays a role of the players' protocol, so that conditions and oracles know which one;
  /// before the room starts. What it shows is unknown to them: its peers are judged.
  /// - Parameters:
  ///   - role: in the protocol, for example `host`.
  ///   - app: makes the app's object, on the phone's main queue, of what it is told (`peerID`, `displayName`).
  /// - Throws: `RoomProblem.refused`: there is no such role or protocol, and which there are.
  public func phone<App: AnyObject>(
    _ name: String, role: String, of protocolName: String? = nil, _ phone: PhonePreset = .iphone,
    at position: Position = Position(x: 0, y: 0), starts: SimInstant = .zero, dialect: String? = nil,
    acceptsPairing: Bool = true, app: @escaping (AppConfiguration) -> App
  ) throws(RoomProblem) -> RoomPhone<App> {
    var device = try self.device(name, role, of: protocolName, phone, dialect: dialect)
    device.position = position
    device.starts = starts
    return seat(PhoneApp(app: app), at: add(device), acceptsPairing: acceptsPairing)
  }

  /// The device that a scenario reader made from a room's file, or that was added to it.
  /// - Throws: `RoomProblem.refused`: there is no such device, or no engine of the bench plays on it.
  public func player(of name: String) throws(RoomProblem) -> RoomPlayer {
    let names = scenario.devices.indices.filter { isPlayer($0) }.map { scenario.devices[$0].name }
    guard names.contains(name), let index = scenario.devices.firstIndex(where: { $0.name == name }) else {
      throw .refused("no engine of the bench plays on “\(name)”; " + Suggestion.advice(for: name, in: names))
    }
    return RoomPlayer(name: name, engine: scenario.devices[index].engine, index: index, room: self)
  }

  /// Lets time pass until a condition of scenario files holds, for example `all clients in lobby`.
  /// - Throws: `RoomProblem`: it is no condition, it did not hold in time, an app was stopped, or the room never comes
  ///   to rest.
  public func wait(within duration: SimDuration, until words: String) throws(RoomProblem) {
    let condition = try condition(words)
    let world = started()
    try wait(within: duration) { world.judge(condition) == true }
  }

  /// Whether a condition of scenario files holds now; nil as long as it is unknown.
  /// - Throws: `RoomProblem.refused`: it is no condition.
  public func holds(_ words: String) throws(RoomProblem) -> Bool? { started().judge(try condition(words)) }

  func act(_ words: String, on device: Int) throws(RoomProblem) {
    let name = scenario.devices[device].name
    guard let players else { throw .refused("\(name): the room has no players") }
    let actions: [Step.Action]
    switch ScenarioReader.actions(words, source: name, for: device, of: scenario, language: players.language) {
    case .success(let read): actions = read
    case .failure(let problems): throw .refused("\(name): \(problems.list.first?.message ?? words)")
    }
    let world = try acting(on: device)
    if !seats[device].isLaunched { throw .notLaunched(phone: name) }
    world.note(step: "\(name): \(words)")
    for action in actions { world.perform(action, device) }
    _ = world.advance(to: now)
    try check()
  }

  private func isPlayer(_ index: Int) -> Bool {
    if case .engine = seats[index].kind { !scenario.devices[index].isBare } else { false }
  }

  private func condition(_ words: String) throws(RoomProblem) -> Condition {
    guard let players else { throw .refused("the room has no players, whose words “\(words)” could be") }
    // Those that lead come first, and selections such as “all clients” are resolved.
    complete()
    switch ScenarioReader.condition(words, source: "condition", of: scenario, language: players.language) {
    case .success(let condition): return condition
    case .failure(let problems): throw .refused("“\(words)”: \(problems.list.first?.message ?? "")")
    }
  }

  /// A device that speaks a protocol of the players.
  private func device(
    _ name: String, _ role: String, of app: String?, _ phone: PhonePreset, dialect: String?
  ) throws(RoomProblem) -> Device {
    guard let players, let usual = players.language.apps.first else {
      throw .refused("\(name): the room has no players; make it with “players: .bab”")
    }
    let apps = players.language.apps
    guard let spoken = app.map({ name in apps.first { $0.name == name } }) ?? usual else {
      let wanted = app ?? ""
      throw .refused(
        "\(name): there is no protocol “\(wanted)”; " + Suggestion.advice(for: wanted, in: players.names))
    }
    guard let played = spoken.role(named: role) else {
      let roles = spoken.roles.map(\.role.rawValue)
      throw .refused("\(name): \(spoken.name) has no role “\(role)”; " + Suggestion.advice(for: role, in: roles))
    }
    var device = Device(name: name, group: name, role: played.role, phone: phone)
    device.app = spoken.name
    device.leads = played.leads
    device.takesPart = spoken.takesPart
    device.dialect = spoken.defaultDialect
    if let dialect {
      guard let chosen = spoken.dialects.first(where: { $0.rawValue == dialect }) else {
        let known = spoken.dialects.map(\.rawValue)
        throw .refused(
          "\(name): \(spoken.name) has no dialect “\(dialect)”; " + Suggestion.advice(for: dialect, in: known))
      }
      device.dialect = chosen
    }
    return device
  }

  /// What the devices that were added need: settings of their protocols, and a network where one is used.
  func complete() {
    guard let players else { return }
    for app in players.language.apps where scenario.devices.contains(where: { $0.app == app.name }) {
      if scenario.app(named: app.name) != nil { continue }
      scenario.apps.append(ScenarioApp(app: app, settings: app.settings(nil, ScenarioDecoder(file: ""))))
      if scenario.dialect.rawValue.isEmpty { scenario.dialect = app.defaultDialect }
      if app.usesNetwork, scenario.network == nil { scenario.network = .named("ideal") }
    }
  }
}
