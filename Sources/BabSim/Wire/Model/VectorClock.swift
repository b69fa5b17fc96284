/// How many packets each peer has sent, as one peer knows it.
///
/// Spec: BAB 4.20–4.23.
public struct VectorClock: Hashable, Sendable {
  public enum Comparison: String, Hashable, Sendable {
    case before = "BEFORE"
    case after = "AFTER"
    case concurrent = "CONCURRENT"
    case equal = "EQUAL"
  }

  /// In the order in which the peers became known; it is the order on the wire.
  public var timestamps: OrderedMap<Int64>

  public init(_ timestamps: OrderedMap<Int64> = [:]) { self.timestamps = timestamps }

  /// A peer that is not listed counts as 0.
  public subscript(peerID: String) -> Int64 { timestamps[peerID] ?? 0 }

  /// Adds one to a peer's own entry, and stays at the largest 64-bit count when it gets there.
  public mutating func increment(_ peerID: String) {
    let (next, overflow) = self[peerID].addingReportingOverflow(1)
    timestamps[peerID] = overflow ? Int64.max : next
  }

  /// The larger count of every peer, 0 for a side that does not know it; peers that only `other` knows are appended
  /// in its order.
  public mutating func merge(_ other: VectorClock) {
    for entry in timestamps.entries where entry.value < 0 && other.timestamps[entry.key] == nil {
      timestamps[entry.key] = 0
    }
    for (place, entry) in other.timestamps.entries.enumerated() {
      timestamps[entry.key, near: place] = max(timestamps[entry.key, near: place] ?? 0, entry.value)
    }
  }

  /// `self` relative to `other`: before when no count is larger and one is smaller, and so on.
  public func compare(_ other: VectorClock) -> Comparison {
    var anyGreater = false
    var anySmaller = false
    for entry in timestamps.entries {
      let theirs = other[entry.key]
      if entry.value > theirs { anyGreater = true }
      if entry.value < theirs { anySmaller = true }
    }
    for entry in other.timestamps.entries where timestamps[entry.key] == nil {
      if entry.value < 0 { anyGreater = true }
      if entry.value > 0 { anySmaller = true }
    }
    switch (anyGreater, anySmaller) {
    case (true, true): return .concurrent
    case (true, false): return .after
    case (false, true): return .before
    case (false, false): return .equal
    }
  }
}
