/// Which lane of one timeline is the same device as which of another.
struct LanePairing {
  private(set) var pairs: [(first: Int, second: Int)] = []
  /// Lanes of devices whose apps said something, and that the other timeline does not have.
  private(set) var onlyFirst: [Int] = []
  private(set) var onlySecond: [Int] = []

  /// Devices whose apps said something are paired by address, then by name, and the rest by role in the order in which
  /// they began to speak.
  init(_ a: RunTimeline, _ b: RunTimeline) {
    onlyFirst = Self.speakers(a)
    onlySecond = Self.speakers(b)
    let (lanes, others) = (a.lanes, b.lanes)
    pair { first, second in lanes[first].addresses.contains(where: others[second].addresses.contains) }
    pair { lanes[$0].name == others[$1].name }
    pair { lanes[$0].role == others[$1].role }
    pairs.sort { $0.first < $1.first }
  }

  private mutating func pair(_ isSame: (_ first: Int, _ second: Int) -> Bool) {
    for first in onlyFirst {
      guard let place = onlySecond.firstIndex(where: { isSame(first, $0) }) else { continue }
      pairs.append((first, onlySecond.remove(at: place)))
      onlyFirst.removeAll { $0 == first }
    }
  }

  private static func speakers(_ timeline: RunTimeline) -> [Int] {
    var lanes: [Int] = []
    for packet in timeline.packets where packet.isOfApp {
      for lane in [packet.from, packet.to] where lane >= 0 && !lanes.contains(lane) { lanes.append(lane) }
    }
    return lanes
  }
}
