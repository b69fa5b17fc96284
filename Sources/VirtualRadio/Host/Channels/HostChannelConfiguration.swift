import BluetoothWire

/// What a host stack offers and allows on LE credit based channels; values outside the ranges are brought into them.
public struct HostChannelConfiguration: Sendable, Hashable {
  /// Channels that one link may have at a time, 0 … 64, whoever opened them.
  public var channelsPerLink = 8
  /// The largest SDU that is taken, octets, 23 … 65 535.
  public var mtu = 2048
  /// The largest payload of a K-frame that is taken, octets, 23 … 517. With 247 a K-frame fits a PDU of the link layer
  /// with 251 octets. What is sent has the peer's MPS, and no more than 517 octets.
  public var mps = 247
  /// K-frames that a peer may send ahead, 1 … 65 535.
  public var credits = 16
  /// Octets that may wait on one channel, SDU lengths included; a link holds at most this for each of its channels.
  public var queuedOctets = 8192

  public init() {}

  var allowedChannels: Int { min(max(channelsPerLink, 0), L2CAP.dynamicLEChannels.count) }
  var allowedMTU: Int { min(max(mtu, Int(L2CAP.smallestCreditBasedMTU)), Int(UInt16.max)) }
  var allowedMPS: Int { min(max(mps, Int(L2CAP.smallestCreditBasedMTU)), Recombination.largestPayload) }
  var allowedCredits: Int { min(max(credits, 1), L2CAP.largestCreditCount) }
}
