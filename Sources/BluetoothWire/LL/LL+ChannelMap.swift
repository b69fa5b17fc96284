extension LL {
  /// The data channels that a connection may use, with the remapping table worked out.
  ///
  /// Spec: Core v5.4, Vol 6, Part B, 1.4.1 and 4.5.8. A value of 56 octets without references, so that a link can keep
  /// one and look channels up for every connection event without allocating.
  public struct ChannelMap: Hashable, Sendable {
    /// One bit per data channel index, 0 … 36; higher bits are zero.
    public let bits: UInt64
    /// How many channels are used, 0 … 37; a map that a link may use has at least 2.
    public let count: UInt32
    // The used channels in ascending order, one octet each, eight to a word.
    @usableFromInline let remap0: UInt64
    @usableFromInline let remap1: UInt64
    @usableFromInline let remap2: UInt64
    @usableFromInline let remap3: UInt64
    @usableFromInline let remap4: UInt64

    /// All 37 data channels.
    public static let all = ChannelMap(bits: 0x1F_FFFF_FFFF)

    /// - Parameter bits: as `ChM` of CONNECT_IND and LL_CHANNEL_MAP_IND has them; bits above channel 36 are ignored.
    public init(bits: UInt64) {
      self.bits = bits & 0x1F_FFFF_FFFF
      var words: (UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0)
      var count: UInt64 = 0
      for channel in UInt64(0)..<37 where self.bits >> channel & 1 != 0 {
        let entry = channel << (8 * (count & 7))
        switch count >> 3 {
        case 0: words.0 |= entry
        case 1: words.1 |= entry
        case 2: words.2 |= entry
        case 3: words.3 |= entry
        default: words.4 |= entry
        }
        count += 1
      }
      self.count = UInt32(count)
      (remap0, remap1, remap2, remap3, remap4) = words
    }

    /// Whether the map is one that a link may use: at least two channels (4.5.8.1).
    public var isUsable: Bool { count >= 2 }

    @inlinable
    public func contains(_ channelIndex: UInt8) -> Bool { bits >> UInt64(channelIndex) & 1 != 0 }

    /// The used channel number `index` in ascending order; 0 when there is none.
    @inlinable
    public func channel(at index: UInt32) -> UInt8 {
      let word =
        switch index >> 3 {
        case 0: remap0
        case 1: remap1
        case 2: remap2
        case 3: remap3
        default: remap4
        }
      return UInt8(truncatingIfNeeded: word >> UInt64(8 * (index & 7)))
    }
  }

  /// The RF channel of a channel index: 2402 + 2 k MHz for RF channel k (Vol 6, Part B, 1.4.1).
  ///
  /// Data channel indices are 0 … 36; the primary advertising channels 37, 38 and 39 are RF channels 0, 12 and 39.
  @inlinable
  public static func rfChannel(dataChannelIndex index: UInt8) -> UInt8 {
    if index < 11 { return index + 1 }
    if index < 37 { return index + 2 }
    return index == 37 ? 0 : index == 38 ? 12 : 39
  }

  /// The channel index of an RF channel 0 … 39; the inverse of `rfChannel(dataChannelIndex:)`.
  @inlinable
  public static func channelIndex(rfChannel: UInt8) -> UInt8 {
    switch rfChannel {
    case 0: 37
    case 1...11: rfChannel - 1
    case 12: 38
    case 13...38: rfChannel - 2
    default: 39
    }
  }
}
