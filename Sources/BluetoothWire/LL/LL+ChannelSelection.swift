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
      let identifier = identifier(accessAddress)
      var number = eventCounter ^ identifier
      for _ in 0..<3 { number = mixed(number, identifier) }
      return number ^ identifier
    }

    /// `channelIdentifier`.
    @inlinable
    static func identifier(_ accessAddress: UInt32) -> UInt16 {
      UInt16(truncatingIfNeeded: accessAddress >> 16 ^ accessAddress)
    }

    /// PERM, then MAM.
    @inlinable
    static func mixed(_ number: UInt16, _ identifier: UInt16) -> UInt16 {
      17 &* mirroredOctets(number) &+ identifier
    }

    /// The channels of the subevents of an isochronous event, the first of which is that of a connection event with
    /// the same counter (4.5.8.3.5, 4.5.8.3.6).
    public struct Subevents: Hashable, Sendable {
      private let identifier: UInt16
      private let map: ChannelMap
      /// `prnSubEvent_lu`, before the first subevent `prn_s`.
      private var lastUsed: UInt16
      /// `indexOfLastUsedChannel`.
      private var index: UInt32
      /// The data channel index of the present subevent.
      public private(set) var channel: UInt8

      public init(eventCounter: UInt16, accessAddress: UInt32, map: ChannelMap) {
        identifier = ChannelSelection2.identifier(accessAddress)
        self.map = map
        let number = random(eventCounter: eventCounter, accessAddress: accessAddress)
        lastUsed = number ^ identifier
        channel = ChannelSelection2.channel(eventCounter: eventCounter, accessAddress: accessAddress, map: map)
        index = 0
        for lower in 0..<channel where map.contains(lower) { index += 1 }
      }

      /// Goes on to the next subevent.
      public mutating func next() {
        guard map.count > 0 else { return }
        lastUsed = mixed(lastUsed, identifier)
        let number = UInt32(lastUsed ^ identifier)
        let count = Int(map.count)
        let distance = max(1, max(min(3, count - 5), min(11, (count - 10) / 2)))
        let step = distance + (Int(number) * (count - 2 * distance + 1)) >> 16
        index = UInt32((Int(index) + step) % count)
        channel = map.channel(at: index)
      }
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
