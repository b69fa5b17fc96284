import Conformance
import SimKernel
import VirtualRadio

/// Where a packet of an app is on the air.
enum PDUNumbers {
  /// Octets that are looked for, at its beginning and at its end.
  private static let length = 10

  /// Numbers of the PDUs that carry its first and its last octets; nil where they cannot be found, for example because
  /// the link is encrypted or the packet is compressed.
  static func carrying(_ packet: Chart.Packet, in air: [AirPDU], until end: SimInstant) -> ClosedRange<Int>? {
    guard packet.octets.count >= length else { return nil }
    let last = packet.receivedAt ?? end
    let candidates = air.indices.filter { index in
      let pdu = air[index]
      return pdu.transmitter == packet.from && pdu.receiver == packet.to && pdu.start >= packet.sentAt
        && pdu.start <= last && pdu.pdu.count > 2 + length
    }
    let (head, tail) = (Array(packet.octets.prefix(length)), Array(packet.octets.suffix(length)))
    guard let first = candidates.first(where: { contains(air[$0].pdu, head) }) else { return nil }
    let final = candidates.last { $0 >= first && contains(air[$0].pdu, tail) }
    return first + 1...(final ?? first) + 1
  }

  private static func contains(_ octets: [UInt8], _ part: [UInt8]) -> Bool {
    guard octets.count >= part.count else { return false }
    return (0...octets.count - part.count).contains {
      octets[$0] == part[0] && octets[$0..<$0 + part.count].elementsEqual(part)
    }
  }
}
