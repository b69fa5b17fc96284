import Bench
import SimKernel
import VirtualRadio

/// Kinder values in place of those that cannot be left out.
extension Shrinker {
  /// A run that only its limit of events or time ends needs less of both.
  func shortenEndless() {
    guard standard.control != nil else { return }
    let (key, values): (String, [String])
    switch trial.ending {
    case .eventLimit: (key, values) = ("events", ["2000", "20000", "200000", "2000000"])
    case .simulatedTimeLimit: (key, values) = ("simulated time", ["1s", "5s", "20s", "1min", "3min"])
    case .finished, .stopped, .breakdown: return
    }
    let path = TreePath(["limits"])
    let present = current.tree.value(at: path.adding(.key(key)))?.scalar
    let kinder = values.prefix { $0 != present }
    let tree =
      current.tree.entry("limits") == nil
      ? current.tree.adding("limits", YAMLTree(entries: []), at: TreePath([])) : current.tree
    _ = takeFirst(
      of: kinder.map { Candidate(tree.adding(key, YAMLTree(text: $0), at: path), .limits, "limits.\(key) \($0)") })
  }

  /// A plain loss instead of a room, no greater than the room has it. The greatest one comes first: with it the fewest
  /// devices are needed, and the value itself is made smaller later.
  func replaceRoom() {
    guard let radio = current.tree.entry("radio"), radio.entries.map(\.key) != ["packet loss"] else { return }
    let losses = ["50%", "40%", "30%", "20%", "10%", "5%", "2%", "1%"]
    _ = takeFirst(
      of: losses.map { loss in
        let plain = YAMLTree(entries: [("packet loss", YAMLTree(text: loss))])
        return Candidate(
          current.tree.replacing(TreePath(["radio"]), with: plain), .radio, "radio is a packet loss of \(loss)")
      })
  }

  /// Only the parts of a preset that matter. More than two of them say less to people than its name.
  func simplifyRoom() {
    let path = TreePath(["radio"])
    guard let radio = current.tree.entry("radio") else { return }
    guard radio.scalar != nil || radio.entry("preset") != nil,
      case .success(let scenario) = standard.bench.read(ScenarioText.text(of: current.tree))
    else { return }
    let explicit = Keys.room.tree(of: scenario.radio, unlike: .ideal)
    let (tree, mark) = (current.tree, mark)
    defer {
      if radio.scalar != nil, let parts = current.tree.entry("radio")?.entries, parts.count > 2 { restore(mark) }
    }
    minimise(count: explicit.entries.count) { kept, dropped in
      if kept.isEmpty { return nil }
      let left = YAMLTree(entries: kept.map { (explicit.entries[$0].key, explicit.entries[$0].value) })
      return Candidate(
        tree.replacing(path, with: left), .radio,
        "radio without " + dropped.map { explicit.entries[$0].key }.joined(separator: ", "))
    }
  }

  func simplifyValues() {
    limitMessageFaults(in: TreePath(["steps"]))
    simplifyValues(in: TreePath([]))
  }

  private func simplifyValues(in path: TreePath) {
    guard let tree = current.tree.value(at: path) else { return }
    if let text = tree.scalar, let end = kindEnd(of: path) {
      bisect(path, text, downTo: end)
    }
    for part in current.tree.children(at: path) { simplifyValues(in: path.adding(part)) }
  }

  /// Finds the lowest round number with which the reason still shows.
  private func bisect(_ path: TreePath, _ text: String, downTo end: Int64) {
    guard let ladder = Ladder(text, downTo: end) else { return }
    func isTaken(_ index: Int) -> Bool {
      let text = ladder.texts[index]
      return take(
        Candidate(
          current.tree.replacing(path, with: YAMLTree(text: text)), path.top == "radio" ? .radio : .values,
          "\(path.words) \(text)"))
    }
    if isTaken(0) || isOver { return }
    var passes = 0
    var fails = ladder.texts.count - 1
    while fails - passes > 1, !isOver {
      let middle = (passes + fails) / 2
      if isTaken(middle) { fails = middle } else { passes = middle }
    }
    if isOver { return }
    boundaries.append(
      ShrinkBoundary(place: path.words, fails: ladder.texts[fails], passes: ladder.texts[passes]))
  }

  /// The number at which a value does the least harm; nil: nobody knows, or it is another level's.
  private func kindEnd(of path: TreePath) -> Int64? {
    let keys = path.parts.compactMap { part in if case .key(let key) = part { key } else { nil } }
    guard let last = path.lastKey, let top = path.top else { return nil }
    switch top {
    case "radio":
      return ["packet loss", "bit error rate", "loss in good", "loss in bad", "bad", "airtime", "shadowing"]
        .contains(last) || keys.contains("channel loss") ? 0 : nil
    case "network": return ["loss", "delay"].contains(last) ? 0 : nil
    case "devices": return last == "starts" ? 0 : nil
    case "duration": return 0
    case "name", "summary", "seed", "limits", "protocol", "dialect", "expect": return nil
    default:
      if ["within", "accuracy", "move to", "connection interval", "supervision timeout"].contains(last) { return nil }
      // A shorter one is rougher.
      if Pause.keys.contains(last) || ["over", "peripheral latency"].contains(last) { return nil }
      if ["after", "at"].contains(last), standard.roughness.hasSeveralFaults { return nil }
      return ["lines", "count", "octets"].contains(last) ? 1 : 0
    }
  }

  /// A broken stack that stops to be broken after a few values is simpler than one that never does.
  private func limitMessageFaults(in path: TreePath) {
    if path.lastKey == "message fault", current.tree.value(at: path)?.entry("count") == nil {
      let tree = current.tree
      _ = takeFirst(
        of: ["1", "2", "4", "8"].map {
          Candidate(tree.adding("count", YAMLTree(text: $0), at: path), .values, "\(path.words).count \($0)")
        })
    }
    for part in current.tree.children(at: path) { limitMessageFaults(in: path.adding(part)) }
  }

  /// Shorter ways to write the same.
  func simplifyWriting() {
    for group in Set(DeviceRoster(current.tree).members.map(\.group)).sorted() {
      if let tree = DeviceRoster(current.tree).withoutNumber(group) {
        _ = take(Candidate(tree, .writing, "\(group)-1 is \(group)"))
      }
    }
    simplifyWriting(in: TreePath([]))
  }

  private func simplifyWriting(in path: TreePath) {
    guard !path.isOfProgram, let tree = current.tree.value(at: path) else { return }
    let only = tree.entries.count == 1 ? tree.entries[0] : nil
    var shorter: YAMLTree?
    if let only, only.value.scalar != nil, only.key == "preset" || only.key == "that" { shorter = only.value }
    if tree.items.count == 1, path.parts.count > 1, path.lastKey != "interferers" { shorter = tree.items[0] }
    // `autoplay: {}` says yes.
    if tree.isEmptyCollection, !["devices", "steps"].contains(path.top), path.parts.count > 1 {
      shorter = YAMLTree(text: "yes")
    }
    if let shorter {
      _ = take(Candidate(current.tree.replacing(path, with: shorter), .writing, path.words))
    }
    for part in current.tree.children(at: path) { simplifyWriting(in: path.adding(part)) }
  }
}
