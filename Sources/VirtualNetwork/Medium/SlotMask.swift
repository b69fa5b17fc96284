package import SimKernel

/// The slots of a period in which a device is on a channel.
///
/// AWDL divides time into availability windows of 16 TU and announces a sequence of 16 channels, each for four windows:
/// 16 slots of 64 TU, 1.048 576 s in all (Stute, Kreitschmann, Hollick: "One Billion Apples' Secret Sauce", MobiCom 2018,
/// 4). A device that has an access point on another channel is there in its other slots. *Decision*: all devices have one
/// clock, as if the master election were over.
package struct SlotMask: Hashable, Sendable {
  package var bits: UInt16

  package init(bits: UInt16) { self.bits = bits }

  package static let always = SlotMask(bits: 0xFFFF)
  package static let never = SlotMask(bits: 0)
  /// Every second slot: AWDL beside an access point on another channel.
  package static let alternating = SlotMask(bits: 0x5555)

  package static let count: Int64 = 16
  /// 64 TU of 1024 µs.
  package static let slot = SimDuration.microseconds(64 * 1_024)

  package static func & (a: Self, b: Self) -> Self { Self(bits: a.bits & b.bits) }
  package var complement: Self { Self(bits: ~bits) }

  package func isOpen(at instant: SimInstant) -> Bool {
    bits & 1 << UInt16((instant - .zero) / Self.slot % Self.count) != 0
  }

  /// The first instant from `instant` on at which something that takes `duration` fits into open slots; nil: never.
  package func opening(for duration: SimDuration, from instant: SimInstant) -> SimInstant? {
    if bits == 0xFFFF { return instant }
    if bits == 0 { return nil }
    var start = instant
    for _ in 0..<2 * Self.count {
      let index = (start - .zero) / Self.slot
      if bits & 1 << UInt16(index % Self.count) != 0 {
        var end = index + 1
        while end - index <= Self.count, bits & 1 << UInt16(end % Self.count) != 0 { end += 1 }
        if .zero + Self.slot * end - start >= duration { return start }
      }
      start = .zero + Self.slot * (index + 1)
    }
    return nil
  }
}
