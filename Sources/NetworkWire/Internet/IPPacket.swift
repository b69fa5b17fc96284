public import BluetoothWire

/// A packet of IPv4 (RFC 791) or IPv6 (RFC 8200) with what its header says.
///
/// Decoding takes any right packet; options of IPv4 are passed over. Not modelled: fragments, and extension headers of
/// IPv6, which are refused.
public struct IPPacket: Hashable, Sendable {
  /// What the payload is. Open: unknown ones survive.
  public struct Transport: Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let tcp = Transport(rawValue: 6)
    public static let udp = Transport(rawValue: 17)
  }

  public var source: IPAddress
  public var destination: IPAddress
  public var transport: Transport
  /// Hops that it may still take, 255 in Multicast DNS (RFC 6762, 11).
  public var hopLimit: UInt8
  /// Only in IPv4: what fragments of a packet would have in common.
  public var identification: UInt16
  public var payload: [UInt8]

  public init(
    source: IPAddress, destination: IPAddress, transport: Transport, hopLimit: UInt8 = 64, identification: UInt16 = 0,
    payload: [UInt8]
  ) {
    self.source = source
    self.destination = destination
    self.transport = transport
    self.hopLimit = hopLimit
    self.identification = identification
    self.payload = payload
  }

  /// Octets of the header that `octets` writes.
  public var headerLength: Int {
    if case .v4 = source { 20 } else { 40 }
  }

  public var kind: EthernetFrame.Kind {
    if case .v4 = source { .ipv4 } else { .ipv6 }
  }

  /// Octets after the packet, with which Ethernet pads short frames, are passed over.
  ///
  /// Refuses what ends before its own length, other versions, a wrong header checksum, fragments and extension headers.
  /// - Throws: `WireError`.
  public init(decoding octets: [UInt8]) throws(WireError) {
    guard let first = octets.first else { throw WireError(.truncated, at: 0) }
    switch first >> 4 {
    case 4: self = try Self.v4(octets)
    case 6: self = try Self.v6(octets)
    default: throw WireError(.unknownType, at: 0)
    }
  }

  private static func v4(_ octets: [UInt8]) throws(WireError) -> IPPacket {
    var reader = OctetReader(octets)
    let headerLength = Int(try reader.u8() & 0xF) * 4
    if headerLength < 20 { throw WireError(.valueOutOfRange, at: 0) }
    try reader.require(headerLength - 1)
    _ = try reader.u8()
    let length = Int(try reader.bigEndian16())
    if length < headerLength { throw WireError(.lengthMismatch, at: 2) }
    if length > octets.count { throw WireError(.truncated, at: octets.count) }
    let identification = try reader.bigEndian16()
    // More fragments follow, or this one is not the first.
    if try reader.bigEndian16() & 0x3FFF != 0 { throw WireError(.valueOutOfRange, at: 6) }
    let hopLimit = try reader.u8()
    let transport = Transport(rawValue: try reader.u8())
    var checksum = InternetChecksum()
    checksum.add(octets[..<headerLength])
    if checksum.value != 0 { throw WireError(.valueOutOfRange, at: 10) }
    _ = try reader.bigEndian16()
    let source = IPAddress.v4(try reader.bigEndian32())
    let destination = IPAddress.v4(try reader.bigEndian32())
    return IPPacket(
      source: source, destination: destination, transport: transport, hopLimit: hopLimit,
      identification: identification, payload: Array(octets[headerLength..<length]))
  }

  private static func v6(_ octets: [UInt8]) throws(WireError) -> IPPacket {
    var reader = OctetReader(octets)
    _ = try reader.bigEndian32()
    let length = Int(try reader.bigEndian16())
    let transport = Transport(rawValue: try reader.u8())
    if [0, 43, 44, 60].contains(transport.rawValue) { throw WireError(.unknownType, at: 6) }
    let hopLimit = try reader.u8()
    let source = IPAddress(v6: try reader.take(16))
    let destination = IPAddress(v6: try reader.take(16))
    return IPPacket(
      source: source, destination: destination, transport: transport, hopLimit: hopLimit,
      payload: try reader.take(length))
  }

  /// - Precondition: both addresses are of one version, and the payload has at most 65 515 octets.
  public var octets: [UInt8] {
    var octets: [UInt8] = []
    octets.reserveCapacity(headerLength + payload.count)
    if case .v4 = source {
      octets += [0x45, 0]
      octets.append(bigEndian: UInt16(headerLength + payload.count))
      octets.append(bigEndian: identification)
      octets.append(bigEndian: UInt16(0))
      octets += [hopLimit, transport.rawValue, 0, 0]
      octets += source.octets + destination.octets
      var checksum = InternetChecksum()
      checksum.add(octets)
      octets.set(bigEndian: checksum.value, at: 10)
    } else {
      octets += [0x60, 0, 0, 0]
      octets.append(bigEndian: UInt16(payload.count))
      octets += [transport.rawValue, hopLimit]
      octets += source.octets + destination.octets
    }
    return octets + payload
  }

  /// The sum over the pseudo-header (RFC 9293, 3.1; RFC 8200, 8.1) and these octets of TCP or UDP.
  static func checksum(
    _ transport: Transport, _ octets: [UInt8], from source: IPAddress, to destination: IPAddress
  ) -> UInt16 {
    var checksum = InternetChecksum()
    checksum.add(source.octets)
    checksum.add(destination.octets)
    checksum.add(UInt32(octets.count))
    checksum.add(UInt16(transport.rawValue))
    checksum.add(octets)
    return checksum.value
  }
}
