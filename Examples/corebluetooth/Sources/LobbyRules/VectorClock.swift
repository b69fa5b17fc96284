/// How many packets are known of each peer, in the order in which they were first heard of (bab.md 5.6).
struct VectorClock {
  private(set) var entries: [(peer: String, count: Int)] = []
  /// Peers beyond so many are not taken in (5.6.5).
  private let mostPeers: Int

  init(mostPeers: Int = .max) { self.mostPeers = mostPeers }

  mutating func tick(_ peer: String) {
    let count = self[peer]
    merge(peer, count == .max ? count : count + 1)
  }

  mutating func merge(_ peer: String, _ count: Int) {
    if let index = entries.firstIndex(where: { $0.peer == peer }) {
      entries[index].count = max(entries[index].count, count)
    } else if entries.count < mostPeers {
      entries.append((peer, count))
    }
  }

  subscript(peer: String) -> Int { entries.first { $0.peer == peer }?.count ?? 0 }

  var json: JSON { .object([("timestamps", .object(entries.map { ($0.peer, .number($0.count)) }))]) }
}
