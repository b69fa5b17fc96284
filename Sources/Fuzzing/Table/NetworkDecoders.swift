import BluetoothWire
import NetworkWire
import SimKernel

/// Packets of networks, each by itself.
extension FuzzedDecoder {
  private static let ends = (from: IPAddress.linkLocal(1), to: IPAddress.linkLocal(2))

  /// A name of a service in Multicast DNS, or a pointer.
  private static func name(_ stream: inout RandomStream) -> [UInt8] {
    if stream.below(3) == 0 { return [0xC0, 12] }
    var octets: [UInt8] = []
    for _ in 0..<1 + stream.number(below: 4) {
      let count = 1 + stream.number(below: 12)
      octets.append(UInt8(count))
      for _ in 0..<count { octets.append(UInt8(ascii: "a") + UInt8(stream.below(26))) }
    }
    return octets + [0]
  }

  private static func record(_ stream: inout RandomStream) -> [UInt8] {
    let kind: UInt8 = [1, 12, 16, 28, 33, 47][stream.number(below: 6)]
    var data: [UInt8]
    switch kind {
    case 1: data = stream.octets(4)
    case 12: data = name(&stream)
    case 16: data = [3] + stream.octets(3)
    case 28: data = stream.octets(16)
    case 33: data = [0, 0, 0, 0] + stream.octets(2) + name(&stream)
    default: data = stream.octets(stream.number(below: 12))
    }
    return name(&stream) + [0, kind, stream.below(2) == 0 ? 0 : 0x80, 1, 0, 0, 0, 120, 0, UInt8(data.count)] + data
  }

  static let network: [FuzzedDecoder] = [
    wire("ethernet", "Ethernet frames", in: "Link/EthernetFrame.swift", limit: 600, of: "NetworkWire") { stream in
      stream.octets(12) + [0x86, 0xDD] + stream.octets(stream.number(below: 40))
    } _: { input throws(WireError) in
      let frame = try EthernetFrame(decoding: input)
      return (UInt64(frame.kind.rawValue), frame.octets)
    },
    wire("ip", "packets of IPv4 and IPv6", in: "Internet/IPPacket.swift", limit: 600, of: "NetworkWire") { stream in
      let payload = stream.octets(stream.number(below: 24))
      let isOld = stream.below(2) == 0
      return IPPacket(
        source: isOld ? .v4(1) : ends.from, destination: isOld ? .v4(2) : ends.to,
        transport: .init(rawValue: UInt8(stream.below(60)) | 1), payload: payload
      ).octets
    } _: { input throws(WireError) in
      let packet = try IPPacket(decoding: input)
      return (UInt64(packet.transport.rawValue), packet.octets)
    },
    wire("udp", "datagrams of UDP", in: "Transport/UDPDatagram.swift", limit: 600, of: "NetworkWire") { stream in
      UDPDatagram(
        sourcePort: UInt16(stream.below(65_536)), destinationPort: DNSMessage.multicastPort,
        payload: stream.octets(stream.number(below: 24))
      ).octets(from: ends.from, to: .multicastDNS)
    } _: { input throws(WireError) in
      let datagram = try UDPDatagram(decoding: input, from: ends.from, to: .multicastDNS)
      return (0, datagram.octets(from: ends.from, to: .multicastDNS))
    },
    wire("tcp", "segments of TCP", in: "Transport/TCPSegment.swift", limit: 600, of: "NetworkWire") { stream in
      let options =
        [[], [2, 4, 5, 160], [1, 3, 3, 6], [4, 2, 0, 0], [8, 3, 1, 0]][stream.number(below: 5)] as [UInt8]
      return stream.octets(12) + [UInt8(20 + options.count) << 2, UInt8(stream.below(32))] + stream.octets(6)
        + options + stream.octets(stream.number(below: 24))
    } _: { input throws(WireError) in
      let segment = try TCPSegment(decoding: input, from: ends.from, to: ends.to, checksChecksum: false)
      return (UInt64(segment.flags.rawValue), segment.octets(from: ends.from, to: ends.to))
    },
    wire("dns", "messages of Multicast DNS", in: "Names/DNSMessage.swift", limit: 600, of: "NetworkWire") { stream in
      let records = 1 + stream.number(below: 3)
      var octets: [UInt8] = [0, 0, stream.below(2) == 0 ? 0x84 : 0, 0, 0, 1, 0, UInt8(records), 0, 0, 0, 0]
      octets += [4, 0x5F, 0x74, 0x63, 0x70, 5, 0x6C, 0x6F, 0x63, 0x61, 0x6C, 0, 0, 12, 0, 1]
      for _ in 0..<records { octets += record(&stream) }
      return octets
    } _: { input throws(WireError) in
      let message = try DNSMessage(decoding: input)
      let octets = message.octets
      // A pointer into the middle of other data costs two octets, and its name up to 255.
      return (UInt64(message.answers.first?.kind.rawValue ?? 0), octets.count > 9_000 ? nil : octets)
    },
  ]
}
