import SimKernel

/// The channel to which a radio is tuned in each of 16 windows of 64 TU, which repeat (NET 4.1, 4.2).
///
/// All sequences of a room have one phase: slot 0 begins at the start of the run (NET 4.8).
struct ChannelSequence: Equatable {
  static let slot = SimDuration.microseconds(64 * 1_024)
  /// What changing the channel takes, from the beginning of a slot (NET 4.6).
  static let switching = SimDuration.microseconds(1_024)
  static let count: Int64 = 16
  static let off: Int8 = -1

  /// Dense numbers of channels, or `off`.
  private var entries: SIMD16<Int8>
  /// Slots at whose beginning the radio changes its channel.
  private var changes: UInt16 = 0

  /// Always on one channel, or always off.
  init(always channel: Int8) { entries = SIMD16(repeating: channel) }

  init(_ list: [Int8]) {
    precondition(list.count == 16, "a sequence has 16 entries")
    entries = SIMD16(list)
    for index in 0..<16 where entries[index] != entries[(index + 15) % 16] { changes |= 1 << UInt16(index) }
  }

  static let never = ChannelSequence(always: off)

  var isNever: Bool { entries == SIMD16(repeating: Self.off) }

  /// Only some slots, by their bits; the radio changes as before.
  func only(_ slots: UInt16) -> ChannelSequence {
    var result = self
    for index in 0..<16 where slots & 1 << UInt16(index) == 0 { result.entries[index] = Self.off }
    return result
  }

  /// The slots in which both are on the same channel, except while one of them changes.
  func common(_ other: ChannelSequence) -> ChannelSequence {
    var result = self
    for index in 0..<16 where entries[index] != other.entries[index] { result.entries[index] = Self.off }
    result.changes |= other.changes
    return result
  }

  func channel(at instant: SimInstant) -> Int8 { entries[Int((instant - .zero) / Self.slot % Self.count)] }

  /// A time in which frames can pass.
  struct Opening {
    var channel: Int
    var start: SimInstant
    var end: SimInstant
  }

  /// The first time from `now` on in which a radio is on a channel; nil: never.
  func opening(from now: SimInstant) -> Opening? {
    if changes == 0 {
      return entries[0] == Self.off ? nil : Opening(channel: Int(entries[0]), start: now, end: .distantFuture)
    }
    let first = (now - .zero) / Self.slot
    for slot in first...first + Self.count {
      let channel = entries[Int(slot % Self.count)]
      if channel == Self.off { continue }
      var last = slot + 1
      while last - slot < Self.count, entries[Int(last % Self.count)] == channel, !changes(last) { last += 1 }
      let begins = SimInstant.zero + Self.slot * slot + (changes(slot) ? Self.switching : .zero)
      return Opening(channel: Int(channel), start: max(begins, now), end: .zero + Self.slot * last)
    }
    return nil
  }

  private func changes(_ slot: Int64) -> Bool { changes & 1 << UInt16(slot % Self.count) != 0 }
}
