package import Bench

/// The way from the root of a scenario's tree to a value.
package struct TreePath: Hashable, Sendable {
  package enum Part: Hashable, Sendable {
    case key(String)
    /// From 0.
    case item(Int)
  }

  package var parts: [Part]

  package init(parts: [Part]) { self.parts = parts }
  package init(_ keys: [String]) { parts = keys.map { .key($0) } }

  func adding(_ part: Part) -> TreePath { TreePath(parts: parts + [part]) }

  /// Key after key; nil when the last part is an item.
  var lastKey: String? {
    if case .key(let key)? = parts.last { return key }
    return nil
  }

  /// The words of a program are its own: without one of them it is another program.
  var isOfProgram: Bool { top == "devices" && parts.contains(.key("app")) }

  /// The first key.
  var top: String? {
    if case .key(let key)? = parts.first { return key }
    return nil
  }

  /// For people: `game.autoplay.think`, `steps 2.when`; items count from 1.
  var words: String {
    var text = ""
    for part in parts {
      switch part {
      case .key(let key): text += (text.isEmpty ? "" : ".") + key
      case .item(let number): text += " \(number + 1)"
      }
    }
    return text
  }
}

extension YAMLTree {
  /// A value that is in no file.
  package init(_ value: Value) { self.init(location: SourceLocation(line: 1, column: 1), value: value) }

  package init(text: String) { self.init(.scalar(text, isPlain: true)) }

  package init(entries: [(String, YAMLTree)]) {
    self.init(
      .mapping(entries.map { Entry(key: $0.0, keyLocation: SourceLocation(line: 1, column: 1), value: $0.1) }))
  }

  var isEmptyCollection: Bool {
    switch value {
    case .scalar: false
    case .sequence(let items): items.isEmpty
    case .mapping(let entries): entries.isEmpty
    }
  }

  /// The same tree as if it had been read from another file: without places, and without quotes that change nothing.
  package var withoutLocations: YAMLTree {
    switch value {
    case .scalar(let text, let isPlain):
      YAMLTree(.scalar(text, isPlain: isPlain || !["", "~", "null"].contains(text)))
    case .sequence(let items): YAMLTree(.sequence(items.map(\.withoutLocations)))
    case .mapping(let entries): YAMLTree(entries: entries.map { ($0.key, $0.value.withoutLocations) })
    }
  }

  package func value(at path: TreePath) -> YAMLTree? {
    path.parts.reduce(Optional(self)) { tree, part in
      switch part {
      case .key(let key): tree?.entry(key)
      case .item(let number): tree.flatMap { $0.items.indices.contains(number) ? $0.items[number] : nil }
      }
    }
  }

  /// What a mapping or list holds, in its order.
  func children(at path: TreePath) -> [TreePath.Part] {
    guard let tree = value(at: path) else { return [] }
    switch tree.value {
    case .scalar: return []
    case .sequence(let items): return items.indices.map { .item($0) }
    case .mapping(let entries): return entries.map { .key($0.key) }
    }
  }

  /// Without what is at a path; unchanged when nothing is.
  package func removing(_ path: TreePath) -> YAMLTree { changing(path.parts[...]) { _ in nil } }

  /// With another value in place of the one that is at a path.
  package func replacing(_ path: TreePath, with new: YAMLTree) -> YAMLTree { changing(path.parts[...]) { _ in new } }

  /// The container at a path with these of its children only.
  func keeping(_ parts: [TreePath.Part], at path: TreePath) -> YAMLTree {
    changing(path.parts[...]) { container in
      var copy = container
      switch container.value {
      case .scalar: break
      case .sequence(let items):
        copy.value = .sequence(items.indices.filter { parts.contains(.item($0)) }.map { items[$0] })
      case .mapping(let entries): copy.value = .mapping(entries.filter { parts.contains(.key($0.key)) })
      }
      return copy
    }
  }

  /// With an entry at the end of the mapping at a path.
  package func adding(_ key: String, _ new: YAMLTree, at path: TreePath) -> YAMLTree {
    changing(path.parts[...]) { container in
      guard case .mapping(let entries) = container.value else { return container }
      var copy = container
      copy.value = .mapping(
        entries.filter { $0.key != key } + [Entry(key: key, keyLocation: container.location, value: new)])
      return copy
    }
  }

  private func changing(_ path: ArraySlice<TreePath.Part>, _ change: (YAMLTree) -> YAMLTree?) -> YAMLTree {
    guard let part = path.first else { return change(self) ?? self }
    let rest = path.dropFirst()
    var copy = self
    switch (part, value) {
    case (.key(let key), .mapping(var entries)):
      guard let index = entries.firstIndex(where: { $0.key == key }) else { return self }
      if !rest.isEmpty {
        entries[index].value = entries[index].value.changing(rest, change)
      } else if let new = change(entries[index].value) {
        entries[index].value = new
      } else {
        entries.remove(at: index)
      }
      copy.value = .mapping(entries)
    case (.item(let index), .sequence(var items)):
      guard items.indices.contains(index) else { return self }
      if !rest.isEmpty {
        items[index] = items[index].changing(rest, change)
      } else if let new = change(items[index]) {
        items[index] = new
      } else {
        items.remove(at: index)
      }
      copy.value = .sequence(items)
    default: break
    }
    return copy
  }
}
