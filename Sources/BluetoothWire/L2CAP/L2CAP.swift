/// The Logical Link Control and Adaptation Protocol, as far as fixed LE channels and LE credit based ones need it.
///
/// Spec: Core v5.4, Vol 3, Part A. Not modelled: channels of BR/EDR, enhanced credit based channels (4.25 to 4.28).
public enum L2CAP {
  /// A channel identifier (Vol 3, Part A, 2.1). Open: unknown ones survive.
  public struct ChannelID: Hashable, Sendable {
    public let rawValue: UInt16
    @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

    // Computed, so that other modules get the constant and not a call for its address.
    @inlinable public static var attribute: ChannelID { ChannelID(rawValue: 0x0004) }
    @inlinable public static var signalling: ChannelID { ChannelID(rawValue: 0x0005) }
    @inlinable public static var securityManager: ChannelID { ChannelID(rawValue: 0x0006) }
  }

  /// Length and channel in front of every frame.
  public static let headerLength = 4

  /// A basic information frame (B-frame). Layout: `length: 2 | channel: 2 | payload`.
  ///
  /// Spec: Core v5.4, Vol 3, Part A, 3.1. At most 65 535 octets of payload.
  public struct Frame: Hashable, Sendable {
    public var channel: ChannelID
    public var payload: [UInt8]

    public init(channel: ChannelID, payload: [UInt8]) {
      self.channel = channel
      self.payload = payload
    }

    /// Refuses: fewer than four octets, and a length that is not that of the octets after the header.
    /// - Throws: `WireError`.
    public init(decoding octets: [UInt8]) throws(WireError) {
      var reader = OctetReader(octets)
      let length = Int(try reader.u16())
      channel = ChannelID(rawValue: try reader.u16())
      if length < reader.remaining { throw WireError(.trailingOctets, at: reader.offset + length) }
      payload = try reader.take(length)
    }

    public var octets: [UInt8] {
      var octets: [UInt8] = []
      octets.reserveCapacity(L2CAP.headerLength + payload.count)
      octets.append(littleEndian: UInt16(truncatingIfNeeded: payload.count))
      octets.append(littleEndian: channel.rawValue)
      octets.append(contentsOf: payload)
      return octets
    }
  }
}
