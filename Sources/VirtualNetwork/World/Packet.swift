import AppSeam
import NetworkWire
import SimKernel

/// A packet on its way.
struct Packet {
  enum Content {
    case segment(StreamSegment)
    case datagram([UInt8])
    case names(DNSMessage)
    /// A question for the hardware address of a device, or the answer.
    case resolution(target: Int, isAnswer: Bool)
  }

  var source: Int
  /// -1: the group of Multicast DNS.
  var destination: Int
  var interface: NetworkInterface
  /// The leg that it comes from; -1: there is none any more.
  var from = -1
  /// The leg that it is for; -1: whoever listens there.
  var to = -1
  /// IPv4's; only where packets are wanted.
  var identification: UInt16 = 0
  var content: Content

  static let everybody = -1

  /// With IP header (NET 5.3) and without Ethernet's.
  var octets: Int {
    let header = interface == .infrastructure ? 20 : 40
    switch content {
    case .segment(let segment):
      return header + TCPSegment.headerLength + (segment.flags.contains(.syn) ? PacketWriter.optionsOfSYN : 0)
        + segment.payload.count
    case .datagram(let payload): return header + UDPDatagram.headerLength + payload.count
    case .resolution: return AddressQuestion.octets(interface)
    case .names(let message): return header + UDPDatagram.headerLength + message.octets.count
    }
  }
}

/// Packets on their way, in places that are used again.
final class PacketStore {
  @exclusivity(unchecked) private var packets: [Packet?] = []
  @exclusivity(unchecked) private var free: [Int] = []

  func put(_ packet: Packet) -> Int {
    if let place = free.popLast() {
      packets[place] = packet
      return place
    }
    packets.append(packet)
    return packets.count - 1
  }

  func take(_ place: Int) -> Packet {
    free.append(place)
    guard let packet = packets[place].take() else { preconditionFailure("no packet at place \(place)") }
    return packet
  }

  func look(_ place: Int) -> Packet {
    guard let packet = packets[place] else { preconditionFailure("no packet at place \(place)") }
    return packet
  }
}
