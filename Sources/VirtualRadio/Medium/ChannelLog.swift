import SimKernel

/// A transmission while it may still disturb another one.
struct Transmission {
  var start: SimInstant
  var end: SimInstant
  var radio: Int
}

/// What is or was lately on one RF channel.
struct ChannelLog {
  private(set) var entries = UnsafeMutablePointer<Transmission>.allocate(capacity: 8)
  private var capacity = 8
  private(set) var count = 0

  /// Adds one, and forgets those that ended before `horizon`.
  mutating func add(_ transmission: Transmission, forgetting horizon: SimInstant) {
    var index = 0
    while index < count {
      if entries[index].end < horizon {
        count -= 1
        entries[index] = entries[count]
      } else {
        index += 1
      }
    }
    if count == capacity {
      let larger = UnsafeMutablePointer<Transmission>.allocate(capacity: capacity * 2)
      larger.update(from: entries, count: count)
      entries.deallocate()
      entries = larger
      capacity *= 2
    }
    entries[count] = transmission
    count += 1
  }
}
