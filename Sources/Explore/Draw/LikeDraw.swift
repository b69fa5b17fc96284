import AppSeam
import Bench

/// Varies one scenario: another seed, room, phones and places, and faults among its steps.
///
/// What it expects is left out: whoever wrote it spoke of the faults that it has, and another room, phone or fault may
/// keep the app from that. Oracles judge its worlds.
struct LikeDraw: Sendable {
  let base: YAMLTree
  let casts: [WorldCast]
  let kind: WorldKind
  let hasNetwork: Bool
  let language: ScenarioLanguage
  /// Whether a scenario is one.
  let accepts: @Sendable (YAMLTree) -> Bool

  /// As much of it is varied as still gives a scenario: traffic may need the phones that it has.
  func world(_ seed: UInt64) -> YAMLTree {
    let draws = Draws(seed: seed).of("like")
    for (phones, places) in [(true, true), (false, true), (false, false)] {
      let tree = world(seed, draws, phones: phones, places: places)
      if accepts(tree) { return tree }
    }
    return world(seed, draws, phones: false, places: false, faults: false)
  }

  private func world(
    _ seed: UInt64, _ draws: Draws, phones: Bool, places: Bool, faults: Bool = true
  ) -> YAMLTree {
    guard case .mapping(let all) = base.value else { return base }
    var entries: [(String, YAMLTree?)] = [("seed", .scalar(String(seed)))]
    for entry in all where !["seed", "radio"].contains(entry.key) {
      switch entry.key {
      case "devices":
        entries.append((entry.key, devices(entry.value, draws.of("devices"), phones: phones, places: places)))
      case "steps": entries.append((entry.key, faults ? steps(entry.value, draws.of("steps")) : entry.value))
      case "expect", "claims": break
      default: entries.append((entry.key, entry.value))
      }
    }
    let own = all.first { $0.key == "radio" }?.value
    let room = draws.happens("keeps its room", permille: 250) ? own : RoomDraw(kind: kind).draw(draws.of("radio"))
    entries.insert(("radio", room), at: 1)
    return .map(entries)
  }

  private func devices(_ tree: YAMLTree, _ draws: Draws, phones: Bool, places: Bool) -> YAMLTree {
    guard case .mapping(let entries) = tree.value else { return tree }
    return .map(
      entries.map { entry in
        guard case .mapping(let fields) = entry.value.value else { return (entry.key, entry.value) }
        let draws = draws.of(entry.key)
        let hasPhone = phones && draws.happens("another phone", permille: 700)
        let hasPlace = places && draws.happens("another place", permille: 600)
        let old = ["at", "around", "radius", "from", "to"]
        var body: [(String, YAMLTree?)] = fields.filter {
          !(hasPhone && $0.key == "phone") && !(hasPlace && old.contains($0.key))
        }.map { ($0.key, $0.value) }
        if hasPhone { body.append(("phone", PhoneDraw(draws.of("phone")).tree)) }
        if hasPlace {
          let isGroup = fields.contains { $0.key == "count" }
          body += PlaceDraw.draw(isGroup: isGroup, around: nil, draws.of("place"))
        }
        return (entry.key, .map(body))
      })
  }

  private func steps(_ tree: YAMLTree, _ draws: Draws) -> YAMLTree {
    guard case .sequence(var steps) = tree.value, !casts.isEmpty else { return tree }
    for number in 0..<draws.weighted("count", kind == .calm ? [(1, 0), (3, 1), (2, 2)] : [(3, 1), (4, 2), (2, 4)]) {
      let draws = draws.of("fault", number)
      let cast = draws.one("lobby", of: casts)
      let worlds = language.app(named: cast.app)?.worlds
      let fault = FaultDraw(draws, cast, worlds ?? NoWorlds(), hasNetwork: hasNetwork, kind: kind)
      let place = draws.number("place", 1...max(1, steps.count))
      steps.insert(
        .map([("after", .scalar(draws.pause("pause"))), (fault.who, fault.action)]), at: min(place, steps.count))
      if fault.cure.isEmpty { continue }
      let cured = min(place + 1 + draws.weighted("later", [(6, 0), (2, 1), (1, 3)]), steps.count)
      steps.insert(
        .map([
          ("after", .scalar(draws.pause("cured after"))),
          (fault.who, fault.cure.count == 1 ? fault.cure[0] : .list(fault.cure)),
        ]), at: cured)
    }
    // Time for what was begun.
    steps.append(.map([("after", .scalar(draws.milliseconds("rest", 15_000...60_000)))]))
    return .list(steps)
  }
}

/// An app whose worlds nobody draws: its people do nothing again.
private struct NoWorlds: AppWorlds {
  func settings(_ casts: [WorldCast], _ outsiders: [WorldOutsider], _ draws: Draws) -> YAMLTree? { nil }
  func story(_ cast: WorldCast, _ draws: Draws) -> WorldStory { WorldStory() }
  func beginning(of device: String, _ cast: WorldCast, _ draws: Draws) -> [YAMLTree] { [] }
  func condition(_ cast: WorldCast, _ draws: Draws) -> String { "" }
}
