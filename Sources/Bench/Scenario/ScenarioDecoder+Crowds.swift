import Platform
import SimKernel
import VirtualRadio

/// Many at once: lobbies side by side, arrivals, people who go away and come back, a share of hostile devices.
extension ScenarioDecoder {
  /// `lobbies: 12`, or a mapping.
  func lobbies(_ tree: YAMLTree) -> Lobbies {
    if case .scalar = tree.value, !tree.isEmpty { return Lobbies(count: integer(tree, "“lobbies”", 1...64) ?? 1) }
    return Keys.lobbies.read(tree, self)
  }

  /// Repeats the devices that take part for each lobby; the others are in the room once.
  func copied(_ devices: [Device], _ lobbies: Lobbies, at location: SourceLocation) -> [Device] {
    guard lobbies.count > 1 else { return devices }
    if let device = devices.first(where: { $0.takesPart && $0.address != nil }) {
      note(
        location,
        "\(device.name) has an address of its own, and there are \(lobbies.count) lobbies; leave “address” out")
    }
    let members = devices.filter(\.takesPart)
    let others = devices.filter { !$0.takesPart }
    if members.count * lobbies.count + others.count > Self.deviceLimit {
      note(
        location,
        "\(lobbies.count) lobbies of \(members.count) devices are more than \(Self.deviceLimit) devices; "
          + "write a smaller number")
      return devices
    }
    var all: [Device] = []
    for lobby in 0..<lobbies.count {
      let offset = lobbies.offset(of: lobby)
      for member in members {
        var copy = member
        copy.copy = lobby
        copy.name += "@\(lobby + 1)"
        copy.lobby = member.lobby.isEmpty ? String(lobby + 1) : "\(member.lobby)@\(lobby + 1)"
        if member.displayName == member.name { copy.displayName = copy.name }
        if let target = member.directedTo, members.contains(where: { $0.name == target }) {
          copy.directedTo = "\(target)@\(lobby + 1)"
        }
        copy.position = Position(
          x: member.position.x + offset.x, y: member.position.y + offset.y, z: member.position.z)
        if !Layout.isWithinLimits(copy.position) {
          note(location, "lobby \(lobby + 1) is out of the world; write a smaller “spacing”")
          return devices
        }
        all.append(copy)
      }
    }
    return all + others
  }

  /// Reads what each lobby does and what is expected of it, once for each.
  func stories(_ fields: Fields, into scenario: inout Scenario) {
    for lobby in 0..<scenario.lobbies.count {
      self.lobby = scenario.lobbies.count > 1 ? lobby : nil
      labels = []
      if let tree = fields["steps"] { scenario.steps += steps(tree, after: scenario.steps.count) }
      if let tree = fields["expect"] { scenario.expectations += expectations(tree) }
    }
    lobby = nil
    if let tree = fields["meanwhile"] { scenario.meanwhile = asides(tree) }
  }

  func churn(_ tree: YAMLTree, for devices: [Int]) -> Step.Action? {
    guard let fields = fields(tree, .churn) else { return nil }
    func time(_ key: String) -> SimDuration? {
      required(key, fields, .churn).flatMap { duration($0, "“\(key)”", least: .milliseconds(1)) }
    }
    func done(_ key: String) -> [Step.Action]? {
      required(key, fields, .churn).map { tree in
        let actions = actions(tree, for: devices).map(\.action)
        if actions.contains(where: \.isChurn) {
          note(tree.location, "“churn” has no churn in it; write another action")
        }
        return actions
      }
    }
    let (stay, away, span) = (time("stay"), time("away"), time("for"))
    let (leaving, returning) = (done("leaving"), done("returning"))
    guard let stay, let away, let span, let leaving, let returning else { return nil }
    return .churn(Churn(stay: stay, away: away, span: span, leaving: leaving, returning: returning))
  }

  func hostility(_ tree: YAMLTree, of device: Device) -> Hostility? {
    guard let fields = fields(tree, .hostility) else { return nil }
    let share = required("share", fields, .hostility).flatMap { probability($0, "“share”") }
    let way: Hostility.Way?
    switch (fields["engine"], fields["message fault"]) {
    case (let name?, nil): way = engine(name, of: device).map { .engine($0) }
    case (nil, let fault?): way = .messages(Keys.messageFault.read(fault, self))
    default:
      note(
        fields.location,
        "“hostile” says what such a device does; write “engine: …” or “message fault: { do: corrupt, every: 5 }”")
      way = nil
    }
    guard let share, let way else { return nil }
    return Hostility(share: share, way: way)
  }
}

extension Step.Action {
  fileprivate var isChurn: Bool {
    if case .churn = self { return true }
    return false
  }
}
