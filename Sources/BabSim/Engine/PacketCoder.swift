/// The engines' only door to the wire: JSON and framing.
enum PacketCoder {
  static func encode(_ packet: BabPacket) -> [UInt8] { packet.encoded() }

  static func entries(_ clock: VectorClock) -> [ClockEntry] {
    clock.timestamps.entries.map { ClockEntry(peerID: $0.key, count: $0.value) }
  }

  /// ATT_HANDLE_VALUE_NTF and ATT_WRITE_REQ take three octets of the ATT_MTU.
  private static func valueLength(_ attMTU: Int) -> Int { attMTU - 3 }

  /// The values a packet becomes; empty when it takes more than a fragment header can count.
  static func cut(_ json: [UInt8], packetID: UInt16, attMTU: Int, framing: Dialect.Framing) -> [[UInt8]] {
    let room = valueLength(attMTU)
    switch framing {
    case .raw:
      return stride(from: 0, to: json.count, by: room).map { Array(json[$0..<min($0 + room, json.count)]) }
    case .framed:
      let body = room - 4
      let count = (json.count + body - 1) / body
      guard count <= 255 else { return [] }
      return (0..<count).map { index in
        let part = json[(index * body)..<min((index + 1) * body, json.count)]
        var value: [UInt8] = []
        value.reserveCapacity(4 + part.count)
        value += [UInt8(packetID >> 8), UInt8(packetID & 0xFF), UInt8(index), UInt8(count)]
        value += part
        return value
      }
    }
  }

  /// Whether so many octets can be sent as one packet.
  static func fits(_ octets: Int, attMTU: Int, framing: Dialect.Framing) -> Bool {
    framing == .raw || octets <= 255 * (valueLength(attMTU) - 4)
  }
}
