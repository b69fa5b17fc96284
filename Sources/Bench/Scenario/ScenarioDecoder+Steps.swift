import SimKernel
import VirtualRadio

extension ScenarioDecoder {
  static let stepLimit = 1_000

  /// The steps of one lobby; they follow those of the lobbies before, so many.
  func steps(_ tree: YAMLTree, after others: Int) -> [Step] {
    guard let items = items(tree, "“steps”") else { return [] }
    var steps: [Step] = []
    for item in items {
      let before = steps.count
      step(item, into: &steps)
      refuseTurningBack(item, steps, from: before)
      if steps.count > Self.stepLimit {
        note(item.location, "more than \(Self.stepLimit) steps; split the scenario")
        break
      }
    }
    for index in labels.indices { labels[index].step += others }
    for index in steps.indices { steps[index].lobby = lobby ?? 0 }
    return steps
  }

  /// Steps go one after the other: one at an earlier time than one before it would be late from the beginning.
  private func refuseTurningBack(_ item: YAMLTree, _ steps: [Step], from first: Int) {
    guard steps.indices.contains(first), case .at(let instant) = steps[first].trigger else { return }
    for step in steps[..<first].reversed() {
      guard case .at(let earlier) = step.trigger else { continue }
      if instant < earlier {
        note(
          item.location, "“at” goes back to \(instant) s, after a step at \(earlier) s; put the steps in their order")
      }
      return
    }
  }

  private func step(_ item: YAMLTree, into steps: inout [Step]) {
    guard case .mapping(let entries) = item.value, !entries.isEmpty else {
      return note(item.location, "a step must be a mapping, not \(item.kindName); write “host: start hosting”")
    }
    let fields = Fields(location: item.location, entries: entries)
    guard let trigger = trigger(fields) else {
      for entry in entries where !KeyTable.step.names.contains(entry.key) {
        _ = actions(entry.value, for: stepSelection(entry) ?? [])
      }
      return
    }
    var done: [(devices: [Int], action: Step.Action, text: String, location: SourceLocation)] = []
    for entry in entries where isDoing(entry, .step) {
      if isRoom(entry) {
        if let change = roomChange(entry.value) {
          done.append(([], .radio(change), "\(Self.room):\(inline(entry.value))", entry.keyLocation))
        }
        continue
      }
      let chosen = stepSelection(entry)
      let wanted = actions(entry.value, for: chosen ?? [])
      guard let chosen else { continue }
      for (action, text) in wanted {
        done.append((chosen, action, "\(entry.key): \(text)", entry.keyLocation))
      }
    }
    if !entries.contains(where: { isDoing($0, .step) }) {
      done.append(([], .wait, waitText(fields), item.location))
    }
    spread(fields, &done)
    let label = fields["label"].flatMap { text($0, "“label”") }
    for (index, part) in done.enumerated() {
      steps.append(
        Step(
          source: part.location, label: index == done.count - 1 ? label : nil,
          trigger: index == 0 ? trigger : .after(.zero), devices: part.devices, action: part.action, text: part.text))
    }
    if let label, let tree = fields["label"] {
      if labels.contains(where: { $0.name == label }) {
        note(tree.location, "two steps have the label “\(shown(label))”; rename one of them")
      }
      labels.append((label, max(0, steps.count - 1)))
    }
  }

  /// With “spread” a device does all that an entry says at one instant.
  private func spread(
    _ fields: Fields, _ done: inout [(devices: [Int], action: Step.Action, text: String, location: SourceLocation)]
  ) {
    guard let tree = fields["spread"] else { return }
    let spread = Keys.spread.read(tree, self)
    let doers = fields.entries.filter { isDoing($0, .step) }
    guard doers.count == 1, !isRoom(doers[0]), let first = done.first else {
      if doers.count != 1 { note(tree.location, "“spread” is of one entry; write a step for each") }
      if doers.first.map(isRoom) == true { note(tree.location, "“spread” is of devices, not of “radio”; leave it out") }
      return
    }
    let text = "\(done.map(\.text).joined(separator: ", ")), spread\(inline(tree))"
    done = [(first.devices, .spread(done.map(\.action), spread), text, first.location)]
  }

  /// The key of what is done to the room.
  static let room = "radio"

  /// Whether an entry of a step says what is done: to devices, or to the room.
  func isDoing(_ entry: YAMLTree.Entry, _ table: KeyTable) -> Bool {
    entry.key == Self.room || !table.names.contains(entry.key)
  }

  /// Whether an entry is about the room: a device may have that name.
  func isRoom(_ entry: YAMLTree.Entry) -> Bool {
    entry.key == Self.room && !devices.contains { $0.name == Self.room }
  }

  /// `radio: { packet loss: 20% }`; nil: something is wrong with it, and that was said.
  func roomChange(_ tree: YAMLTree) -> RadioEnvironment.Change? {
    let before = problems.count
    let change = Keys.roomChange.read(tree, self)
    if problems.count > before { return nil }
    if change == RadioEnvironment.Change() {
      return refuse(tree.location, "nothing of the room changes; write for example “radio: { packet loss: 20% }”")
    }
    return change
  }

  /// The devices that a key means.
  /// - Parameter table: the keys that mean none.
  func stepSelection(_ entry: YAMLTree.Entry, _ table: KeyTable = .step) -> [Int]? {
    if devices.isEmpty { return nil }
    let first = entry.key.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmingBlanks() }
    let isWhole = devices.contains { $0.name == entry.key }
    if first.count == 1, !isWhole, !selectable.contains(entry.key), !selectable.contains("all " + entry.key) {
      let words = selectable + table.names
      return refuse(
        entry.keyLocation,
        "\(table.title) has no key “\(shown(entry.key))” and there is no such device; "
          + Suggestion.advice(for: entry.key, in: words))
    }
    return selection(entry.key, at: entry.keyLocation)
  }

  private func waitText(_ fields: Fields) -> String {
    fields["label"].flatMap { tree -> String? in
      if case .scalar(let text, _) = tree.value { return "wait: \(text)" }
      return nil
    } ?? "wait"
  }

  private func trigger(_ fields: Fields) -> Step.Trigger? {
    let given = ["at", "after", "when"].filter { fields[$0] != nil }
    if given.count > 1 {
      return refuse(
        fields.keyLocation(given[1]),
        "a step begins by “\(given[0])” or by “\(given[1])”, not both; write two steps")
    }
    if let tree = fields["within"], given != ["when"] {
      return refuse(tree.location, "“within” needs a “when”; write “after” for a pause")
    }
    if let tree = fields["at"] { return duration(tree, "“at”").map { .at(.zero + $0) } }
    if let tree = fields["when"] {
      let condition = condition(tree)
      guard let limit = fields["within"] else {
        return refuse(fields.keyLocation("when"), "“when” needs a limit; write “within: 15s” beside it")
      }
      guard let within = duration(limit, "“within”", least: .nanoseconds(1)), let condition else { return nil }
      return .when(condition, within: within)
    }
    if let tree = fields["after"] { return duration(tree, "“after”").map { .after($0) } }
    return .after(.zero)
  }
}
