import AppSeam

/// The engines' only door to the wire: JSON and framing.
enum PacketCoder {
  static func encode(_ packet: BabPacket) -> [UInt8] { packet.encoded() }

  /// The values a packet becomes; empty when it takes more than a fragment header can count.
  static func cut(_ json: [UInt8], packetID: UInt16, attMTU: Int, framing: Framing) -> [[UInt8]] {
    var fragmenter = Fragmenter(framing: framing, nextPacketID: packetID)
    do throws(FragmentationError) {
      return try fragmenter.fragments(of: json, attMTU: attMTU)
    } catch {
      return []
    }
  }

  /// Whether so many octets can be sent as one packet.
  static func fits(_ octets: Int, attMTU: Int, framing: Framing) -> Bool {
    Fragmenter(framing: framing).fragmentCount(of: octets, attMTU: attMTU) != nil
  }
}
