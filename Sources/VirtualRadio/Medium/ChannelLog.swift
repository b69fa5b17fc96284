import SimKernel

/// A transmission while it may still disturb another one.
struct Transmission {
  var start: SimInstant
  var end: SimInstant
  private let index: Int32
  private let reduction: Int32

  init(start: SimInstant, end: SimInstant, radio: Int, cut: Int) {
    self.start = start
    self.end = end
    index = Int32(truncatingIfNeeded: radio)
    reduction = Int32(truncatingIfNeeded: cut)
  }

  var radio: Int { Int(index) }
  /// Hundredths of a decibel that it is weaker than its radio sends else.
  var cut: Int { Int(reduction) }
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
