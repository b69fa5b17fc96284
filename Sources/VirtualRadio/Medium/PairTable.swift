import SimKernel

/// A number for each pair of radios that has had to do with each other: open addressing, no iteration.
struct PairTable {
  /// Both indices of a pair, the smaller one in the upper half; `.max` where a place is free.
  private var keys: [UInt64] = Array(repeating: .max, count: 16)
  private var values: [Int32] = Array(repeating: 0, count: 16)
  private(set) var count = 0

  /// The number of a pair, counted from 0 in the order in which pairs are first asked for.
  mutating func number(of one: Int, _ other: Int) -> Int {
    let key = UInt64(min(one, other)) << 32 | UInt64(max(one, other))
    let place = place(of: key)
    if keys[place] == key { return Int(values[place]) }
    keys[place] = key
    values[place] = Int32(count)
    count += 1
    if count * 2 > keys.count { grow() }
    return count - 1
  }

  private func place(of key: UInt64) -> Int {
    var place = Int(truncatingIfNeeded: RandomStream.mix(key)) & (keys.count - 1)
    while keys[place] != key, keys[place] != .max { place = (place + 1) & (keys.count - 1) }
    return place
  }

  private mutating func grow() {
    let (oldKeys, oldValues) = (keys, values)
    keys = Array(repeating: .max, count: oldKeys.count * 2)
    values = Array(repeating: 0, count: oldKeys.count * 2)
    for (key, value) in zip(oldKeys, oldValues) where key != .max {
      let place = place(of: key)
      keys[place] = key
      values[place] = value
    }
  }
}
