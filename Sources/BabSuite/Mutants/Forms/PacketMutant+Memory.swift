import BabSim
import Conformance

/// Memory by key, in `memory`: an entry is `key=value`, and a key has one entry.
extension PacketMutant {
  func recall(_ key: String) -> String? {
    memory.first { $0.hasPrefix(key + "=") }.map { String($0.dropFirst(key.count + 1)) }
  }

  /// Every value whose key begins so, oldest first.
  func recallAll(_ prefix: String) -> [String] {
    memory.filter { $0.hasPrefix(prefix) }.compactMap { entry in
      entry.firstIndex(of: "=").map { String(entry[entry.index(after: $0)...]) }
    }
  }

  func remember(_ key: String, _ value: String) {
    forget(key)
    memory.append(key + "=" + value)
  }

  func forget(_ key: String) { memory.removeAll { $0.hasPrefix(key + "=") } }

  /// The number under a key.
  func noted(_ key: String) -> Int64? { recall(key).flatMap { Int64($0) } }

  func note(_ key: String, _ number: Int64) { remember(key, "\(number)") }
}
