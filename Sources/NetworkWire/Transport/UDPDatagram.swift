public import BluetoothWire

/// A datagram of UDP (RFC 768). Layout: `source port: 2 | destination port: 2 | length: 2 | checksum: 2 | payload`.
public struct UDPDatagram: Hashable, Sendable {
  public static let headerLength = 8

  public var sourcePort: UInt16
  public var destinationPort: UInt16
  public var payload: [UInt8]

  public init(sourcePort: UInt16, destinationPort: UInt16, payload: [UInt8]) {
    self.sourcePort = sourcePort
    self.destinationPort = destinationPort
    self.payload = payload
  }

  /// Refuses a length that is not that of the octets, and a wrong checksum; zero is none, which IPv4 allows.
  /// - Throws: `WireError`.
  public init(decoding octets: [UInt8], from source: IPAddress, to destination: IPAddress) throws(WireError) {
    var reader = OctetReader(octets)
    sourcePort = try reader.bigEndian16()
    destinationPort = try reader.bigEndian16()
    if Int(try reader.bigEndian16()) != octets.count { throw WireError(.lengthMismatch, at: 4) }
    let sum = try reader.bigEndian16()
    if sum != 0, IPPacket.checksum(.udp, octets, from: source, to: destination) != 0 {
      throw WireError(.valueOutOfRange, at: 6)
    }
    payload = reader.rest()
  }

  /// With its checksum, for a packet between these addresses.
  public func octets(from source: IPAddress, to destination: IPAddress) -> [UInt8] {
    var octets: [UInt8] = []
    octets.reserveCapacity(Self.headerLength + payload.count)
    octets.append(bigEndian: sourcePort)
    octets.append(bigEndian: destinationPort)
    octets.append(bigEndian: UInt16(Self.headerLength + payload.count))
    octets += [0, 0]
    octets += payload
    let sum = IPPacket.checksum(.udp, octets, from: source, to: destination)
    // Zero would mean that there is none.
    octets.set(bigEndian: sum == 0 ? 0xFFFF : sum, at: 6)
    return octets
  }
}
