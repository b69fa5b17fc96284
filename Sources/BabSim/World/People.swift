import SimKernel

/// The bench's virtual people: they see their turn on the screen, think, then complete or skip.
struct People {
  let habits: [Autoplay.Habits]
  var streams: [RandomStream]
  var handles: [EventHandle?]

  init(_ scenario: Scenario, seed: UInt64) {
    habits = scenario.game.autoplay?.players ?? []
    streams = scenario.devices.map { RandomStream(seed: seed, component: $0.name, purpose: "person") }
    handles = Array(repeating: nil, count: scenario.devices.count)
  }
}

extension World {
  /// An app shows whose turn it is.
  func turnShown(_ node: DeviceNode, _ player: String?) {
    if let handle = people.handles[node.index] { timeline.cancel(handle) }
    people.handles[node.index] = nil
    guard node.index < people.habits.count, people.habits[node.index].isActive, let player,
      player == facts.peerID(of: node.index)
    else { return }
    let think = people.habits[node.index].thinkTime
    let span = people.streams[node.index].within(think.lowerBound.nanoseconds...think.upperBound.nanoseconds)
    people.handles[node.index] = timeline.schedule(
      SimEvent(kind: Kind.person.rawValue, target: UInt32(node.index)), at: timeline.now + .nanoseconds(span))
  }

  func personActs(_ node: DeviceNode) {
    people.handles[node.index] = nil
    guard node.engine != nil else { return }
    let habits = people.habits[node.index]
    if people.streams[node.index].happens(Ratio(UInt64(max(0, habits.skipPermille)), 1_000)) {
      tell(node, .user(.skipLine))
      return
    }
    let accuracy = Int(
      people.streams[node.index].within(
        Int64(habits.accuracyPermille.lowerBound)...Int64(habits.accuracyPermille.upperBound)))
    let duration = Int(people.streams[node.index].within(800...4_000))
    tell(
      node,
      .user(
        .completeLine(
          accuracyPermille: accuracy, errorCount: accuracy == 1_000 ? 0 : 1 + (1_000 - accuracy) / 100,
          durationMilliseconds: duration)))
  }
}
