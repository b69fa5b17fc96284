import Bench

/// The single devices of a scenario, and the scenario without some of them.
///
/// Members of a group are numbered again, and everything that names a device that is gone goes with it: keys of steps,
/// actions, conditions, habits of players, flows.
struct DeviceRoster {
  struct Member: Hashable {
    /// The key under `devices`.
    var group: String
    /// From 1; nil: no group, the device itself.
    var number: Int?

    var name: String { number.map { "\(group)-\($0)" } ?? group }
  }

  private static let devices = TreePath(["devices"])
  private let tree: YAMLTree
  let members: [Member]

  init(_ tree: YAMLTree) {
    self.tree = tree
    let entries = tree.entry("devices")?.entries ?? []
    let groups = entries.compactMap { entry in
      entry.value.entry("count")?.scalar.flatMap { Int($0) }.map { (key: entry.key, count: $0) }
    }
    members = entries.flatMap { entry -> [Member] in
      if let group = groups.first(where: { $0.key == entry.key }) {
        return (0..<max(0, min(group.count, 64))).map { Member(group: entry.key, number: $0 + 1) }
      }
      let isMember = groups.contains { group in
        (1...max(1, group.count)).contains { "\(group.key)-\($0)" == entry.key }
      }
      return isMember ? [] : [Member(group: entry.key, number: nil)]
    }
  }

  /// The scenario with these members only, given by index.
  func keeping(_ kept: [Int]) -> YAMLTree {
    var names = Names()
    var numbers: [String: Int] = [:]
    for index in members.indices {
      let member = members[index]
      if !kept.contains(index) {
        names.gone.append(member.name)
      } else if member.number != nil {
        numbers[member.group, default: 0] += 1
        let name = "\(member.group)-\(numbers[member.group, default: 0])"
        if name != member.name { names.changed.append((member.name, name)) }
      }
    }
    let groups = members.filter { $0.number != nil }.map(\.group)
    names.gone += groups.filter { numbers[$0] == nil }
    var result = names.applied(to: tree)
    for (group, count) in numbers.sorted(by: { $0.key < $1.key }) {
      let path = Self.devices.adding(.key(group)).adding(.key("count"))
      result = result.replacing(path, with: YAMLTree(text: String(count)))
    }
    return result
  }

  /// The scenario in which a group of one is a device without a number; nil when there is no such group.
  func withoutNumber(_ group: String) -> YAMLTree? {
    guard members.count(where: { $0.group == group }) == 1, members.contains(Member(group: group, number: 1)) else {
      return nil
    }
    let count = Self.devices.adding(.key(group)).adding(.key("count"))
    return Names(changed: [("\(group)-1", group)]).applied(to: tree.removing(count))
  }
}

/// New names of devices, and names of devices that are gone, wherever a scenario uses them.
private struct Names {
  var gone: [String] = []
  var changed: [(old: String, new: String)] = []

  private enum Reading {
    case text(String)
    case isGone
  }

  func applied(to tree: YAMLTree) -> YAMLTree {
    var entries: [(String, YAMLTree)] = []
    for entry in tree.entries {
      switch entry.key {
      case "name", "summary", "seed", "duration", "limits", "radio", "network", "protocol", "dialect":
        entries.append((entry.key, entry.value))
      case "devices": entries.append((entry.key, devices(entry.value)))
      default: entries.append((entry.key, renamed(entry.value) ?? YAMLTree(.sequence([]))))
      }
    }
    return YAMLTree(entries: entries.filter { !$0.1.isEmptyCollection || $0.0 == "devices" })
  }

  private func devices(_ tree: YAMLTree) -> YAMLTree {
    var entries: [(String, YAMLTree)] = []
    for entry in tree.entries {
      guard case .text(let key) = read(entry.key) else { continue }
      var value = entry.value
      if let centre = value.entry("around")?.scalar {
        if case .text(let name) = read(centre) {
          value = value.replacing(TreePath(["around"]), with: YAMLTree(text: name))
        } else {
          value = value.removing(TreePath(["around"])).removing(TreePath(["radius"]))
        }
      }
      entries.append((key, value))
    }
    return YAMLTree(entries: entries)
  }

  /// Nil: it is about devices that are gone.
  private func renamed(_ tree: YAMLTree) -> YAMLTree? {
    switch tree.value {
    case .scalar(let text, let isPlain):
      guard case .text(let new) = read(text) else { return nil }
      return YAMLTree(.scalar(new, isPlain: isPlain))
    case .sequence(let items):
      let kept = items.compactMap(renamed)
      return kept.isEmpty && !items.isEmpty ? nil : YAMLTree(.sequence(kept))
    case .mapping(let entries):
      var kept: [(String, YAMLTree)] = []
      for entry in entries {
        guard let key = selection(entry.key), let value = renamed(entry.value) else { continue }
        kept.append((key, value))
      }
      // What needs the part that is gone goes with it.
      let keys = kept.map(\.0)
      for (need, dependants) in [("when", ["within"]), ("that", ["within", "after"]), ("always", ["after"])]
      where entries.contains(where: { $0.key == need }) && !keys.contains(need) {
        kept.removeAll { dependants.contains($0.0) }
      }
      return kept.isEmpty && !entries.isEmpty ? nil : YAMLTree(entries: kept)
    }
  }

  /// `client-1, client-3` without the one that is gone; nil when none is left.
  private func selection(_ key: String) -> String? {
    let parts = key.split(separator: ",", omittingEmptySubsequences: false)
    if parts.count == 1 {
      if case .text(let text) = read(key) { return text }
      return nil
    }
    let kept = parts.compactMap { part -> String? in
      guard case .text(let text) = read(String(part.drop { $0 == " " })) else { return nil }
      return text
    }
    return kept.isEmpty ? nil : kept.joined(separator: ", ")
  }

  /// A text with new names in it, word by word; names are of small letters, digits and hyphens.
  private func read(_ text: String) -> Reading {
    var result = ""
    var word = ""
    for character in text + "\n" {
      if character.isASCII, character.isLowercase || character.isNumber || character == "-" {
        word.append(character)
        continue
      }
      if gone.contains(word) { return .isGone }
      result += changed.first { $0.old == word }?.new ?? word
      result.append(character)
      word = ""
    }
    return .text(String(result.dropLast()))
  }
}
