import AppSeam

extension ScenarioDecoder {
  /// What is beside the radio; nil: nothing, or what is written is wrong and was noted.
  func network(_ tree: YAMLTree?, isUsed: Bool) -> ScenarioNetwork? {
    guard let tree else { return isUsed ? .named("ideal") : nil }
    if case .scalar(Keys.noNetwork, _) = tree.value, !tree.isEmpty {
      if isUsed { note(tree.location, "an app of this scenario speaks over a network; write another one than “none”") }
      return nil
    }
    guard let ideal = ScenarioNetwork.named("ideal") else { return nil }
    return preset(tree, Keys.network, ideal) { preset in
      if case .mapping = tree.value {
        return choice(preset, "preset", from: Keys.networkPresets).flatMap(ScenarioNetwork.named)
      }
      return choice(preset, "network", from: Keys.networkPresets + [Keys.noNetwork]).flatMap(ScenarioNetwork.named)
    }
  }

  /// What a device has of the network.
  func interfaces(_ tree: YAMLTree) -> [NetworkInterface]? {
    guard let items = items(tree, "“interfaces”") else { return nil }
    let words = items.compactMap { choice($0, "interface", from: Keys.interfaces) }
    return words.count == items.count
      ? NetworkInterface.allCases.filter { words.contains($0.rawValue) } : nil
  }
}
