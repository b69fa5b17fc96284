/// How many worlds used each key, word, condition, kind of trace record and HCI command.
package struct Coverage: Sendable, Codable {
  /// By name; in no order.
  private var counts: [String: Int] = [:]

  package init() {}

  package mutating func add(_ names: [String]) { for name in names { counts[name, default: 0] += 1 } }

  package mutating func merge(_ other: Coverage) {
    for (name, worlds) in other.used { counts[name, default: 0] += worlds }
  }

  package func worlds(_ name: String) -> Int { counts[name] ?? 0 }

  /// Everything that was used, sorted by name.
  package var used: [(name: String, worlds: Int)] {
    counts.sorted { $0.key < $1.key }.map { (name: $0.key, worlds: $0.value) }
  }
}
