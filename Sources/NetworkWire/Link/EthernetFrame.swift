public import BluetoothWire

/// An Ethernet II frame without preamble and frame check sequence, as captures have it: LINKTYPE 1.
///
/// Layout: `destination: 6 | source: 6 | type: 2 | payload` (RFC 894, IEEE 802.3-2018, 3.2). Not modelled: VLAN tags,
/// and frames with a length in place of a type.
public struct EthernetFrame: Hashable, Sendable {
  /// What the payload is. Open: unknown ones survive.
  public struct Kind: Hashable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }
    public static let ipv4 = Kind(rawValue: 0x0800)
    public static let ipv6 = Kind(rawValue: 0x86DD)
  }

  public static let headerLength = 14

  public var destination: MACAddress
  public var source: MACAddress
  public var kind: Kind
  public var payload: [UInt8]

  public init(destination: MACAddress, source: MACAddress, kind: Kind, payload: [UInt8]) {
    self.destination = destination
    self.source = source
    self.kind = kind
    self.payload = payload
  }

  /// - Throws: `truncated` for fewer than 14 octets.
  public init(decoding octets: [UInt8]) throws(WireError) {
    var reader = OctetReader(octets)
    destination = try MACAddress(from: &reader)
    source = try MACAddress(from: &reader)
    kind = Kind(rawValue: try reader.bigEndian16())
    payload = reader.rest()
  }

  public var octets: [UInt8] {
    var octets: [UInt8] = []
    octets.reserveCapacity(Self.headerLength + payload.count)
    octets += destination.octets
    octets += source.octets
    octets.append(bigEndian: kind.rawValue)
    octets += payload
    return octets
  }
}
