import Platform
import VirtualNetwork

extension ScenarioDecoder {
  /// One action, or several in order, each with the words it was written in.
  ///
  /// Words of an app are those of the protocol that the devices speak; what the bench can do to a device goes with any.
  func actions(_ tree: YAMLTree, for devices: [Int]) -> [(action: Step.Action, text: String)] {
    switch tree.value {
    case .sequence(let items): return items.flatMap { actions($0, for: devices) }
    case .mapping(let entries):
      if entries.isEmpty { note(tree.location, actionMissing) }
      return entries.compactMap { entry in
        action(entry, devices).map { ($0, entry.key + inline(entry.value)) }
      }
    case .scalar(let text, _):
      guard !tree.isEmpty else {
        note(tree.location, actionMissing)
        return []
      }
      if let app = apps(of: devices).first(where: { $0.words.plainActions.contains(text) }),
        !hasAction(text, of: app, devices, at: tree.location)
      {
        return []
      }
      if let action = plain(text, devices) { return [(action, text)] }
      if isOfOtherApps(text, devices) {
        note(tree.location, needsApp(text, devices))
      } else if tables.actions.names.contains(text) {
        note(tree.location, "“\(text)” needs to know more; write “\(text): …”")
      } else {
        note(
          tree.location,
          "there is no action “\(shown(text))”; "
            + Suggestion.advice(for: text, in: tables.plainActions + tables.actions.names))
      }
      return []
    }
  }

  private var actionMissing: String {
    "an action is missing; write " + tables.plainActions.prefix(2).map { "“\($0)”, " }.joined() + "…"
  }

  /// The protocols of devices, each once; all there are when the devices are not known.
  private func apps(of devices: [Int]) -> [any SimulatedApp] {
    if devices.isEmpty { return language.apps }
    return language.apps.filter { app in devices.contains { self.devices[$0].app == app.name } }
  }

  /// Whether an app has such an action, but none that runs on these devices.
  private func isOfOtherApps(_ text: String, _ devices: [Int]) -> Bool {
    func knows(_ app: any SimulatedApp) -> Bool {
      app.words.plainActions.contains(text) || app.words.actions.contains { $0.name == text }
    }
    return language.apps.contains(where: knows) && !apps(of: devices).contains(where: knows)
      && Self.fault(text) == nil && !KeyTable.faults.contains { $0.name == text }
  }

  private func needsApp(_ text: String, _ devices: [Int]) -> String {
    let names = devices.map { self.devices[$0].name }.joined(separator: ", ")
    let own = apps(of: devices).flatMap { $0.words.plainActions + $0.words.actions.map(\.name) }
    return "“\(text)” is done with an app that \(names) \(devices.count == 1 ? "does" : "do") not have; "
      + (own.isEmpty ? "name another device" : Suggestion.advice(for: text, in: own))
  }

  private func plain(_ text: String, _ devices: [Int]) -> Step.Action? {
    for app in apps(of: devices) {
      if let action = app.action(text) {
        return .user(leader(of: devices).map { app.action(action, towards: $0) } ?? action)
      }
    }
    return Self.fault(text).map { .fault($0) }
  }

  /// With several lobbies side by side: the one that leads that of all these devices.
  private func leader(of devices: [Int]) -> Int? {
    guard lobby != nil, let first = devices.first else { return nil }
    let (app, name) = (self.devices[first].app, self.devices[first].lobby)
    guard devices.allSatisfy({ self.devices[$0].app == app && self.devices[$0].lobby == name }) else { return nil }
    return self.devices.leader(of: first)
  }

  private static func fault(_ text: String) -> DeviceFault? {
    KeyTable.plainFaults.first { $0.name == text }?.fault
  }

  private func action(_ entry: YAMLTree.Entry, _ devices: [Int]) -> Step.Action? {
    let tree = entry.value
    if let app = apps(of: devices).first(where: { $0.words.actions.contains { $0.name == entry.key } }) {
      guard hasAction(entry.key, of: app, devices, at: entry.keyLocation) else { return nil }
      return app.action(entry.key, tree, self).map { .user($0) }
    }
    switch entry.key {
    case "disconnect" where !tree.isEmpty: return single(tree, "the other device").map { .fault(.disconnect($0)) }
    case "forget bonds" where !tree.isEmpty:
      return single(tree, "the other device").map { .fault(.forgetBonds($0)) }
    case "partition" where !tree.isEmpty:
      return single(tree, "the other device").map { .fault(.network(.partition(from: $0))) }
    case "end partition" where !tree.isEmpty:
      return single(tree, "the other device").map { .fault(.network(.endPartition(from: $0))) }
    case "network loss": return probability(tree, "“network loss”").map { .fault(.network(.loss($0))) }
    case "network delay": return duration(tree, "“network delay”").map { .fault(.network(.delay($0))) }
    case "move to": return position(tree, "the place").map { .fault(.move($0)) }
    case "message fault": return .fault(.messages(Keys.messageFault.read(tree, self)))
    case "failure": return .fault(.failures(Keys.failure.read(tree, self)))
    case "use channels": return channels(tree).map { .fault(.useChannels($0)) }
    case "cover link": return coveredLink(tree)
    case "update connection": return .fault(.updateConnections(Keys.connectionChange.read(tree, self)))
    case "churn": return churn(tree, for: devices)
    default:
      if let app = apps(of: devices).first(where: { $0.words.plainActions.contains(entry.key) }),
        !hasAction(entry.key, of: app, devices, at: entry.keyLocation)
      {
        return nil
      }
      let known = plain(entry.key, devices)
      if isOfOtherApps(entry.key, devices) { return refuse(entry.keyLocation, needsApp(entry.key, devices)) }
      if tree.isEmpty, let known { return known }
      if known != nil {
        note(tree.location, "“\(entry.key)” takes no value; write only “\(entry.key)”")
      } else {
        note(
          entry.keyLocation,
          "there is no action “\(shown(entry.key))”; "
            + Suggestion.advice(for: entry.key, in: tables.actions.names + tables.plainActions))
      }
      return nil
    }
  }

  /// Two channels at least: a link needs as many.
  private func channels(_ tree: YAMLTree) -> ClosedRange<Int>? {
    guard let channels = integerRange(tree, "“use channels”", 0...36) else { return nil }
    if channels.count < 2 {
      return refuse(tree.location, "a link needs two channels at least; write, for example, 0..10")
    }
    return channels
  }

  /// A value as the trace shows it after its key.
  func inline(_ tree: YAMLTree) -> String {
    switch tree.value {
    case .scalar(let text, _): return tree.isEmpty ? "" : " " + shown(text)
    case .sequence(let items):
      return " [" + items.map { String(inline($0).drop { $0 == " " }) }.joined(separator: ", ") + "]"
    case .mapping(let entries):
      return " " + entries.map { $0.key + inline($0.value) }.joined(separator: ", ")
    }
  }
}
