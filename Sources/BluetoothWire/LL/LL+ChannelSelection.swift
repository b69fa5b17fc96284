extension LL {
  /// Channel selection algorithm #1: hop by a constant, remap what is not used.
  ///
  /// Spec: Core v5.4, Vol 6, Part B, 4.5.8.2.
  public struct ChannelSelection1: Hashable, Sendable {
    /// 5 … 16, from CONNECT_IND.
    public let hopIncrement: UInt8
    /// `lastUnmappedChannel`; 0 before the first connection event.
    public var lastUnmappedChannel: UInt8

    public init(hopIncrement: UInt8, lastUnmappedChannel: UInt8 = 0) {
      self.hopIncrement = hopIncrement
      self.lastUnmappedChannel = lastUnmappedChannel
    }

    /// Moves `events` connection events on (1: to the next) and gives the data channel index there.
    ///
    /// - Precondition: `events` is not negative.
    @inlinable
    public mutating func next(map: ChannelMap, by events: Int = 1) -> UInt8 {
      let hops = UInt64(hopIncrement) * (UInt64(events) % 37)
      let unmapped = UInt8((UInt64(lastUnmappedChannel) + hops) % 37)
      lastUnmappedChannel = unmapped
      if map.contains(unmapped) || map.count == 0 { return unmapped }
      return map.channel(at: UInt32(unmapped) % map.count)
    }
  }

  /// Channel selection algorithm #2: a pseudo-random channel from the event counter, without history.
  ///
  /// Spec: Core v5.4, Vol 6, Part B, 4.5.8.3; sample data in Vol 6, Part C, 3.
  public enum ChannelSelection2 {
    /// The data channel index of a connection event.
    @inlinable
    public static func channel(eventCounter: UInt16, accessAddress: UInt32, map: ChannelMap) -> UInt8 {
      let number = UInt32(random(eventCounter: eventCounter, accessAddress: accessAddress))
      let unmapped = UInt8(number % 37)
      if map.contains(unmapped) || map.count == 0 { return unmapped }
      return map.channel(at: (map.count * number) >> 16)
    }

    /// The channel index of a subevent of a train with responses; responses are on it as well.
    ///
    /// The counter is `paEventCounter XOR subevent`, as public link layers have it; no sample data say it.
    @inlinable
    public static func channel(
      eventCounter: UInt16, subevent: UInt8, accessAddress: UInt32, map: ChannelMap
    ) -> UInt8 {
      channel(eventCounter: eventCounter ^ UInt16(subevent), accessAddress: accessAddress, map: map)
    }

    /// `prn_e` of a connection event.
    @inlinable
    public static func random(eventCounter: UInt16, accessAddress: UInt32) -> UInt16 {
      let identifier = UInt16(truncatingIfNeeded: accessAddress >> 16 ^ accessAddress)
      var number = eventCounter ^ identifier
      number = 17 &* mirroredOctets(number) &+ identifier
      number = 17 &* mirroredOctets(number) &+ identifier
      number = 17 &* mirroredOctets(number) &+ identifier
      return number ^ identifier
    }

    /// Both octets with their bits in the other order, in place.
    @inlinable
    static func mirroredOctets(_ value: UInt16) -> UInt16 {
      var mirrored = value
      mirrored = (mirrored & 0x5555) << 1 | mirrored >> 1 & 0x5555
      mirrored = (mirrored & 0x3333) << 2 | mirrored >> 2 & 0x3333
      mirrored = (mirrored & 0x0F0F) << 4 | mirrored >> 4 & 0x0F0F
      return mirrored
    }
  }
}
