import BluetoothWire
import CaptureFormats
import NetworkWire

extension NetworkPacket {
  private enum FrameType {
    static let tags: [UInt16] = [0x8100, 0x88A8, 0x9100]
    /// Below it the field is a length (IEEE 802.3-2018, 3.2.6).
    static let least: UInt16 = 0x0600
  }

  /// Extension headers of IPv6 that a packet has at most; more are not looked through.
  private static let extensionLimit = 8

  /// Takes a record apart that is a packet of a network.
  init(_ record: CaptureRecord, _ header: NetworkHeader) {
    self.init(interface: record.interface, interfaceName: header.interfaceName, isOutgoing: header.isOutgoing)
    let cut = max(0, record.originalLength - record.octets.count)
    readLink(record.link, record.octets, cut: cut)
    readNames()
  }

  private mutating func readLink(_ link: CaptureLink, _ octets: ArraySlice<UInt8>, cut: Int) {
    let fields = NetworkOctets(octets)
    guard let length = link.networkHeaderLength, fields.count >= length else {
      content = .broken("shorter than the header of its link")
      return
    }
    var start = length
    var type: UInt16?
    switch link {
    case .ethernet:
      stations = (
        MACAddress(bits: fields.u64(6) >> 16), MACAddress(bits: UInt64(fields.u16(0)) << 32 | UInt64(fields.u32(2)))
      )
      type = fields.u16(12)
      while let tag = type, FrameType.tags.contains(tag), fields.count >= start + 4 {
        type = fields.u16(start + 2)
        start += 4
      }
    case .linuxCooked: type = fields.u16(14)
    case .linuxCooked2: type = fields.u16(0)
    default: break
    }
    if let type, type != EthernetFrame.Kind.ipv4.rawValue, type != EthernetFrame.Kind.ipv6.rawValue {
      content = .foreign(type: type < FrameType.least ? nil : type)
      return
    }
    let packet = NetworkOctets(fields.after(start))
    switch packet.count > 0 ? packet.u8(0) >> 4 : 0 {
    case 4: readIPv4(packet, cut: cut)
    case 6: readIPv6(packet, cut: cut)
    default:
      content = type == nil ? .foreign(type: nil) : .broken("neither version 4 nor 6 of IP")
    }
  }

  /// Spec: RFC 791, 3.1. A total length of zero is that of a packet which the network card divides.
  private mutating func readIPv4(_ packet: NetworkOctets, cut: Int) {
    guard packet.count >= 20 else {
      content = .broken("shorter than the header of IPv4")
      return
    }
    addresses = (.v4(packet.u32(12)), .v4(packet.u32(16)))
    hopLimit = packet.u8(8)
    let headerLength = Int(packet.u8(0) & 0x0F) * 4
    let stated = Int(packet.u16(2))
    let length = stated == 0 ? packet.count + cut : stated
    guard headerLength >= 20, length >= headerLength, packet.count >= headerLength else {
      content = .broken("a header of IPv4 that is longer than its packet")
      return
    }
    if packet.u16(6) & 0x3FFF != 0 {
      content = .fragment
      return
    }
    readTransport(packet.u8(9), packet, from: headerLength, to: length)
  }

  /// Spec: RFC 8200, 3 and 4.
  private mutating func readIPv6(_ packet: NetworkOctets, cut: Int) {
    guard packet.count >= 40 else {
      content = .broken("shorter than the header of IPv6")
      return
    }
    addresses = (.v6(packet.u64(8), packet.u64(16)), .v6(packet.u64(24), packet.u64(32)))
    hopLimit = packet.u8(7)
    let stated = Int(packet.u16(4))
    let length = stated == 0 ? packet.count + cut : 40 + stated
    var next = packet.u8(6)
    var start = 40
    for _ in 0..<Self.extensionLimit {
      // Hop-by-hop options, routing, fragment, destination options.
      guard [0, 43, 44, 60].contains(next) else { break }
      guard packet.count >= start + 8, length >= start + 8 else {
        content = .broken("an extension header of IPv6 that is longer than its packet")
        return
      }
      if next == 44, packet.u16(start + 2) & 0xFFF9 != 0 {
        content = .fragment
        return
      }
      let count = next == 44 ? 8 : 8 + Int(packet.u8(start + 1)) * 8
      next = packet.u8(start)
      start += count
    }
    readTransport(next, packet, from: start, to: length)
  }

  /// - Parameters:
  ///   - start: where the transport's header begins in the packet.
  ///   - end: where its payload ends, whether it is there or not.
  private mutating func readTransport(_ number: UInt8, _ packet: NetworkOctets, from start: Int, to end: Int) {
    let octets = packet.piece(start, atMost: end - start)
    let cut = max(0, end - max(start, packet.count))
    switch IPPacket.Transport(rawValue: number) {
    case .tcp: readTCP(octets, cut: cut)
    case .udp: readUDP(octets, cut: cut)
    default:
      content = .transport(number)
      payload = octets
      missing = cut
    }
  }

  /// Spec: RFC 9293, 3.1.
  private mutating func readTCP(_ octets: ArraySlice<UInt8>, cut: Int) {
    let fields = NetworkOctets(octets)
    guard fields.count >= TCPSegment.headerLength else {
      content = .broken("shorter than the header of TCP")
      return
    }
    let headerLength = Int(fields.u8(12) >> 4) * 4
    guard headerLength >= TCPSegment.headerLength, headerLength <= fields.count + cut else {
      content = .broken("a header of TCP that is longer than its segment")
      return
    }
    content = .tcp(
      TCP(
        sourcePort: fields.u16(0), destinationPort: fields.u16(2), sequence: fields.u32(4),
        acknowledgement: fields.u32(8), flags: TCPSegment.Flags(rawValue: fields.u8(13)), window: fields.u16(14),
        octets: octets))
    payload = fields.piece(headerLength, atMost: fields.count)
    missing = fields.count + cut - headerLength - payload.count
    if cut == 0, let addresses {
      checksum = TransportChecksum(
        octets, field: 16, .tcp, from: addresses.source, to: addresses.destination, isOutgoing: isOutgoing)
    }
  }

  /// Spec: RFC 768.
  private mutating func readUDP(_ octets: ArraySlice<UInt8>, cut: Int) {
    let fields = NetworkOctets(octets)
    guard fields.count >= UDPDatagram.headerLength else {
      content = .broken("shorter than the header of UDP")
      return
    }
    let length = Int(fields.u16(4))
    guard length >= UDPDatagram.headerLength, length <= fields.count + cut else {
      content = .broken("a datagram of UDP whose length is not that of its packet")
      return
    }
    content = .udp(sourcePort: fields.u16(0), destinationPort: fields.u16(2))
    let whole = fields.piece(0, atMost: length)
    payload = whole.dropFirst(UDPDatagram.headerLength)
    missing = length - whole.count
    if missing == 0, let addresses {
      checksum = TransportChecksum(
        whole, field: 6, .udp, from: addresses.source, to: addresses.destination, isOutgoing: isOutgoing)
    }
  }

  private mutating func readNames() {
    guard case .udp(let source, let destination) = content,
      source == DNSMessage.multicastPort || destination == DNSMessage.multicastPort, missing == 0, checksum != .wrong
    else { return }
    do throws(WireError) {
      message = try DNSMessage(decoding: Array(payload))
    } catch {
      messageError = error
    }
  }
}
