public import SimKernel

/// One thing that a capture of a network shows, in the order of its packets. `moment` is that of the packet that
/// completed it.
public struct TrafficNetworkEvent {
  public enum Kind {
    /// Every packet, before anything is made of it (`Interests.packets`); all others are `Interests.network`.
    case packet(NetworkPacket)
    /// A connection came about, or turned up in the middle of its life (`TrafficStream.isFromStart`).
    case streamOpened(TrafficStream)
    /// Octets in their order, each once. The offset counts those that the side has sent before, gaps included.
    case octets(TrafficStream, from: TrafficStream.Side, at: Int, ArraySlice<UInt8>)
    /// Octets were seen that end at this offset, and others before them were not yet: the side has sent those too by
    /// now.
    case ahead(TrafficStream, from: TrafficStream.Side, upTo: Int)
    /// The other end has all octets before this offset; that says that they came, not when.
    case acknowledged(TrafficStream, from: TrafficStream.Side, upTo: Int)
    /// Octets that are not there. `missing` is nil when nobody knows how many; offsets count on without them then.
    case gap(TrafficStream, from: TrafficStream.Side, at: Int, missing: Int?, StreamGap)
    /// A side has sent all that it has to say (FIN).
    case finished(TrafficStream, from: TrafficStream.Side)
    case streamEnded(TrafficStream, StreamEnding)
    /// An instance of a service is there, or has changed.
    case serviceAnnounced(TrafficService)
    /// Whoever offered it takes it back.
    case serviceWithdrawn(TrafficService)
  }

  public let moment: TrafficMoment
  public let kind: Kind

  public var place: PacketPlace { moment.place }
  public var instant: SimInstant { moment.instant }
}
