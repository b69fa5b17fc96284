import AppSeam
import NetworkWire
import SimKernel

/// Makes the octets of packets for captures (NET 10.2).
enum PacketWriter {
  /// Maximum segment size, window scale, "SACK permitted", and filling.
  static let optionsOfSYN = 12

  /// The addresses of an interface (NET 5.3).
  struct Address {
    var hardware: MACAddress
    var internet: IPAddress

    init(_ device: NetworkDevice, _ interface: NetworkInterface) {
      let word = RandomStream.mix(device.number &+ UInt64(interface.index))
      hardware = MACAddress(locallyAdministered: word)
      switch interface {
      case .infrastructure: internet = .v4(0xC0A8_0400 + UInt32(device.index % 245 + 10))
      case .peerToPeer:
        // EUI-64 with the universal bit turned over (RFC 4291, 2.5.1 and appendix A).
        let bits = hardware.bits ^ 0x0200_0000_0000
        internet = .linkLocal((bits >> 24) << 40 | 0xFF_FE00_0000 | bits & 0xFF_FFFF)
      }
    }

    /// The group of Multicast DNS (NET 7.1).
    init(groupOn interface: NetworkInterface) {
      switch interface {
      case .infrastructure:
        hardware = MACAddress(bits: 0x0100_5E00_00FB)
        internet = .v4(0xE000_00FB)
      case .peerToPeer:
        hardware = MACAddress(groupOf: .multicastDNS)
        internet = .multicastDNS
      }
    }
  }

  /// The frame around what an IP packet carries.
  static func frame(
    _ transport: IPPacket.Transport, _ payload: [UInt8], from source: Address, to destination: Address,
    hopLimit: UInt8 = 64, identification: UInt16
  ) -> [UInt8] {
    let packet = IPPacket(
      source: source.internet, destination: destination.internet, transport: transport, hopLimit: hopLimit,
      identification: identification, payload: payload)
    var octets = packet.octets
    if case .v4 = source.internet { setDontFragment(&octets) }
    return EthernetFrame(
      destination: destination.hardware, source: source.hardware, kind: packet.kind, payload: octets
    ).octets
  }

  /// NET 5.5.
  private static func setDontFragment(_ octets: inout [UInt8]) {
    octets[6] |= 0x40
    octets[10] = 0
    octets[11] = 0
    var checksum = InternetChecksum()
    checksum.add(octets[..<20])
    octets[10] = UInt8(checksum.value >> 8)
    octets[11] = UInt8(checksum.value & 0xFF)
  }

  /// A segment as its header writes it.
  static func header(
    _ segment: StreamSegment, sourcePort: UInt16, destinationPort: UInt16, initial: UInt32, answered: UInt32,
    scale: UInt8, maximumSegment: Int
  ) -> TCPSegment {
    let isSYN = segment.flags.contains(.syn)
    let window = isSYN ? segment.window : segment.window >> Int(scale)
    var header = TCPSegment(
      sourcePort: sourcePort, destinationPort: destinationPort,
      sequence: initial &+ UInt32(truncatingIfNeeded: segment.sequence),
      acknowledgement: segment.flags.contains(.ack)
        ? answered &+ UInt32(truncatingIfNeeded: segment.acknowledgement) : 0,
      flags: segment.flags, window: UInt16(min(window, 65_535)), payload: segment.payload)
    if isSYN {
      header.options.maximumSegmentSize = UInt16(maximumSegment)
      header.options.windowScale = scale
      header.options.permitsSACK = true
    }
    return header
  }
}

extension NetworkWorld {
  /// Shows a packet as one of its interfaces sees it now.
  func capture(_ packet: Packet, _ device: Int, isOutgoing: Bool, isLost: Bool = false) {
    guard wantsPackets else { return }
    let source = PacketWriter.Address(devices[packet.source], packet.interface)
    let destination =
      packet.destination == Packet.everybody
      ? PacketWriter.Address(groupOn: packet.interface)
      : PacketWriter.Address(devices[packet.destination], packet.interface)
    let octets: [UInt8]
    switch packet.content {
    case .segment(let segment):
      octets = PacketWriter.frame(
        .tcp, header(segment, packet).octets(from: source.internet, to: destination.internet), from: source,
        to: destination, identification: packet.identification)
    case .datagram(let payload):
      let ports = ports(packet)
      let datagram = UDPDatagram(sourcePort: ports.source, destinationPort: ports.destination, payload: payload)
      octets = PacketWriter.frame(
        .udp, datagram.octets(from: source.internet, to: destination.internet), from: source, to: destination,
        identification: packet.identification)
    case .resolution(let target, let isAnswer):
      octets = AddressQuestion.frame(
        isAnswer: isAnswer, target: PacketWriter.Address(devices[target], packet.interface), from: source,
        to: destination)
    case .names(let message):
      let group = PacketWriter.Address(groupOn: packet.interface)
      let port = DNSMessage.multicastPort
      let datagram = UDPDatagram(sourcePort: port, destinationPort: port, payload: message.octets)
      octets = PacketWriter.frame(
        .udp, datagram.octets(from: source.internet, to: group.internet), from: source, to: group, hopLimit: 255,
        identification: packet.identification)
    }
    surroundings.observe(
      .packet(
        NetworkPacket(interface: packet.interface, isOutgoing: isOutgoing, octets: octets, isLost: isLost)),
      device: device)
  }

  /// One of the two legs is always there: that which sends, or that which is refused.
  private func ports(_ packet: Packet) -> (source: UInt16, destination: UInt16) {
    if packet.from >= 0 { return (legs[packet.from].localPort, legs[packet.from].remotePort) }
    return (legs[packet.to].remotePort, legs[packet.to].localPort)
  }

  private func header(_ segment: StreamSegment, _ packet: Packet) -> TCPSegment {
    let ports = ports(packet)
    let initial = packet.from >= 0 ? legs[packet.from].initialSequence : 0
    let peer = packet.to >= 0 ? packet.to : legs[packet.from].peer
    let answered = peer >= 0 ? legs[peer].initialSequence : 0
    let settings = devices[packet.source].station.stream
    var scale: UInt8 = 6
    while settings.receiveBuffer >> Int(scale) > 65_535, scale < 14 { scale += 1 }
    return PacketWriter.header(
      segment, sourcePort: ports.source, destinationPort: ports.destination, initial: initial, answered: answered,
      scale: scale, maximumSegment: devices[packet.source].station.maximumSegment(on: packet.interface))
  }
}
