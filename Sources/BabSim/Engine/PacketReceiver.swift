import BluetoothWire
import SimKernel

/// The incoming half of a link: values in, packets out.
struct PacketReceiver {
  private let framing: Dialect.Framing
  private var partial: [UInt8] = []
  /// The sender's own count in the newest packet, and the sender.
  private var newest: (sender: String, count: Int64)?

  init(framing: Dialect.Framing) { self.framing = framing }

  /// Takes one value; a packet when it completes one. What was refused, and what was taken, is reported.
  mutating func take(
    _ octets: [UInt8], link: LinkID, now: SimInstant, _ effects: inout [AppEffect]
  ) -> BabPacket? {
    guard framing == .framed else { return decode(octets, link, &effects) }
    guard octets.count > 4 else { return nil }
    if octets[2] == 0 { partial = [] }
    partial += octets[4...]
    guard octets[2] == octets[3] - 1 else { return nil }
    return decode(partial, link, &effects)
  }

  private mutating func decode(_ octets: [UInt8], _ link: LinkID, _ effects: inout [AppEffect]) -> BabPacket? {
    let packet: BabPacket
    do throws(BabPacketError) {
      packet = try BabPacket(decoding: octets)
    } catch {
      effects.append(.report(.refused(link, reason: "not a packet: \(error.reason) at octet \(error.offset)")))
      return nil
    }
    effects.append(
      .report(
        .packetReceived(
          link, type: packet.payload.type.rawValue, senderID: packet.senderID,
          json: String(decoding: PacketCoder.encode(packet), as: UTF8.self))))
    let count = packet.vectorClock[packet.senderID]
    if let newest, newest.sender == packet.senderID, count < newest.count {
      let reason = "\(packet.payload.type.rawValue) number \(count) came after number \(newest.count)"
      effects.append(.report(.refused(link, reason: reason)))
      return nil
    }
    newest = (packet.senderID, count)
    return packet
  }
}
