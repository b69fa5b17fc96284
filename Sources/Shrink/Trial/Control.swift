import Bench

/// What is taken away from a failing scenario to see that the reason goes away with it.
///
/// A smaller scenario may break the same expectation for a cause of its own: nobody joins, so nobody is in the lobby.
/// Where the original passes without a cause, every smaller one must pass without it too.
package enum Control: Hashable, Sendable {
  case engines, radio, network, phones, faults, everything
  /// Only where it was given: nothing else says as well that the defect is the cause.
  case mended(Mended)

  /// Those that are looked for, in order.
  static let searched: [Control] = [.engines, .radio, .network, .phones, .faults, .everything]

  /// In one word, for tables.
  package var name: String {
    switch self {
    case .engines: "engines"
    case .radio: "radio"
    case .network: "network"
    case .phones: "phones"
    case .faults: "faults"
    case .everything: "everything"
    case .mended: "fixed"
    }
  }

  /// As in “it passes with …”.
  package var words: String {
    switch self {
    case .mended(let mended): "\(mended.name), the fixed engine"
    case .engines: "reference engines"
    case .radio: "an ideal radio"
    case .network: "an ideal network"
    case .phones: "ideal phones"
    case .faults: "no faults"
    case .everything: "reference engines, an ideal radio and network, ideal phones and no faults"
    }
  }

  /// The scenario without the cause.
  func applied(to tree: YAMLTree) -> YAMLTree {
    switch self {
    case .mended(let mended): mended.applied(to: tree)
    case .engines: tree.removingFromDevices("engine").removingFromDevices("app")
    case .radio: tree.removing(TreePath(["radio"]))
    case .network: tree.removing(TreePath(["network"]))
    case .phones: tree.removingFromDevices("phone")
    case .faults: tree.removingFaults()
    case .everything: Self.searched.dropLast().reduce(tree) { $1.applied(to: $0) }
    }
  }

  /// The run of a scenario without the cause; nil when there is no cause in it to take away, or nothing that can be run
  /// is left, or the run does not end within the bounds.
  func trial(_ tree: YAMLTree, seed: UInt64, bounds: TrialBounds?, on bench: TrialBench) throws -> Trial? {
    let kind = applied(to: tree)
    guard kind != tree, case .success(let scenario) = bench.read(ScenarioText.text(of: kind)) else { return nil }
    let trial = try Trial(scenario, seed: seed, bounds: bounds, on: bench)
    return bounds?.stopped(trial, of: scenario) == true ? nil : trial
  }
}

extension YAMLTree {
  /// Without a key in every device.
  fileprivate func removingFromDevices(_ key: String) -> YAMLTree {
    let devices = TreePath(["devices"])
    return children(at: devices).reduce(self) { tree, part in tree.removing(devices.adding(part).adding(.key(key))) }
  }

  /// Without everything that is done to devices on purpose.
  fileprivate func removingFaults() -> YAMLTree {
    ["steps", "meanwhile"].reduce(self) { tree, key in
      guard let list = tree.value(at: TreePath([key])) else { return tree }
      return tree.replacing(TreePath([key]), with: list.withoutFaults() ?? YAMLTree(.sequence([])))
    }
  }

  private func withoutFaults() -> YAMLTree? {
    var copy = self
    switch value {
    case .scalar(let text, _): return KeyTable.faultWords.contains(text) ? nil : self
    case .sequence(let items): copy.value = .sequence(items.compactMap { $0.withoutFaults() })
    case .mapping(let entries):
      copy.value = .mapping(
        entries.compactMap { entry in
          if KeyTable.faultWords.contains(entry.key) { return nil }
          guard let value = entry.value.withoutFaults(), !value.isEmptyCollection || entry.value.isEmptyCollection
          else { return nil }
          return Entry(key: entry.key, keyLocation: entry.keyLocation, value: value)
        })
    }
    return copy
  }
}
