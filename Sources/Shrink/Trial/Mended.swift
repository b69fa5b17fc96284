import Bench

/// What a failing app is played with to see that nothing but its defect is to blame: an engine or a program without it.
///
/// It takes the place of every program of a scenario; where none is, of every engine that a device names.
package struct Mended: Hashable, Sendable {
  /// As it was given, for people.
  package var name: String
  private var key: String
  private var value: YAMLTree

  /// - Parameter engine: its name.
  package init(engine: String) {
    name = engine
    key = "engine"
    value = YAMLTree(text: engine)
  }

  /// - Parameters:
  ///   - program: it and its arguments, as `app` has them.
  ///   - name: for people.
  package init(program: [String], name: String) {
    self.name = name
    key = "app"
    value = YAMLTree(.sequence(program.map { YAMLTree(text: $0) }))
  }

  private static let devices = TreePath(["devices"])

  /// The key of devices in whose place it comes; nil where no device has an app of its own.
  static func replaced(in tree: YAMLTree) -> String? {
    let parts = tree.children(at: devices).compactMap { tree.value(at: devices.adding($0)) }
    return ["app", "engine"].first { key in parts.contains { $0.entry(key) != nil } }
  }

  /// The scenario with it; the same where no device has an app of its own.
  func applied(to tree: YAMLTree) -> YAMLTree {
    guard let replaced = Self.replaced(in: tree) else { return tree }
    return tree.children(at: Self.devices).reduce(tree) { tree, part in
      let path = Self.devices.adding(part)
      guard let old = tree.value(at: path)?.entry(replaced) else { return tree }
      // Where a program is more than a command, the rest stays: its seam, what it reports, its limits.
      if key == "app", replaced == "app", old.entry("command") != nil {
        return tree.replacing(path.adding(.key("app")).adding(.key("command")), with: value)
      }
      if key == "app", replaced == "app" { return tree.replacing(path.adding(.key("app")), with: value) }
      return tree.removing(path.adding(.key(replaced))).adding(key, value, at: path)
    }
  }
}
