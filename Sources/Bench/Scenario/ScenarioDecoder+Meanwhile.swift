import Platform
import SimKernel

extension ScenarioDecoder {
  /// What is done beside the steps, once for all lobbies.
  func asides(_ tree: YAMLTree) -> [Aside] {
    guard let items = items(tree, "“meanwhile”") else { return [] }
    var asides: [Aside] = []
    for item in items {
      asides += aside(item)
      if asides.count > Self.stepLimit {
        note(item.location, "more than \(Self.stepLimit) entries; split the scenario")
        break
      }
    }
    return asides
  }

  private func aside(_ item: YAMLTree) -> [Aside] {
    guard case .mapping(let entries) = item.value, !entries.isEmpty else {
      note(
        item.location, "an entry of “meanwhile” must be a mapping, not \(item.kindName); write “at: 5s” and a device")
      return []
    }
    let fields = Fields(location: item.location, entries: entries)
    let instant = required("at", fields, .meanwhile).flatMap { duration($0, "“at”") }.map { SimInstant.zero + $0 }
    let doers = entries.filter { isDoing($0, .meanwhile) }
    var asides: [Aside] = []
    for entry in doers {
      if isRoom(entry) {
        guard let change = roomChange(entry.value), let instant else { continue }
        asides.append(
          Aside(
            source: entry.keyLocation, instant: instant, devices: [], action: .radio(change),
            text: "\(Self.room):\(inline(entry.value))"))
        continue
      }
      let chosen = stepSelection(entry, .meanwhile)
      // In several lobbies side by side, who joins joins the host of his own.
      lobby = chosen.flatMap(copy)
      let wanted = actions(entry.value, for: chosen ?? [])
      lobby = nil
      guard let chosen, let instant else { continue }
      asides += wanted.map { action, text in
        Aside(
          source: entry.keyLocation, instant: instant, devices: chosen, action: action, text: "\(entry.key): \(text)")
      }
    }
    if doers.isEmpty, let instant {
      asides = [Aside(source: item.location, instant: instant, devices: [], action: .wait, text: "wait")]
    }
    return asides
  }

  /// The lobby of all these devices, of several side by side; nil: there is one lobby, or they are of several.
  private func copy(of chosen: [Int]) -> Int? {
    guard let first = chosen.first, let copy = devices[first].copy else { return nil }
    return chosen.allSatisfy { devices[$0].copy == copy } ? copy : nil
  }

  /// `cover link: { with: client-2, for: 45ms }`.
  func coveredLink(_ tree: YAMLTree) -> Step.Action? {
    guard let fields = fields(tree, .coveredLink) else { return nil }
    let other = fields["with"].map { single($0, "the other device") }
    let span = required("for", fields, .coveredLink).flatMap { duration($0, "“for”", least: .nanoseconds(1)) }
    guard let span, other == nil || other != .some(nil) else { return nil }
    return .fault(.coverLinks(with: other ?? nil, for: span))
  }
}

extension ScenarioReader {
  /// Reads what is done beside the steps of a scenario, as its file would say it under `meanwhile`.
  /// - Parameter scenario: whose devices it may name.
  package static func asides(
    _ tree: YAMLTree, of scenario: Scenario, language: ScenarioLanguage
  ) -> Result<[Aside], ScenarioProblems> {
    let decoder = ScenarioDecoder(file: scenario.name, language: language)
    decoder.devices = scenario.devices
    let asides = decoder.asides(tree)
    return decoder.problems.isEmpty ? .success(asides) : .failure(decoder.sortedProblems)
  }
}
