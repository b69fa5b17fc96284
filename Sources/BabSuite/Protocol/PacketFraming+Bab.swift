import AppSeam
import BabSim
import Conformance

extension PacketFraming {
  /// Spec: BAB 3.1 to 3.8, 3.20.
  static let bab = PacketFraming(
    place: { dialect in
      if dialect.profile.framing == .raw { return { _ in Place(packetID: 0, index: 0, count: 1, header: 0) } }
      return { value in
        FragmentHeader(value).map {
          Place(
            packetID: Int($0.packetID), index: Int($0.index), count: Int($0.count), header: FragmentHeader.octets)
        }
      }
    },
    cut: { packet, packetID, attMTU, dialect in
      var fragmenter = Fragmenter(
        framing: dialect.profile.framing, nextPacketID: UInt16(truncatingIfNeeded: packetID))
      return (try? fragmenter.fragments(of: packet, attMTU: attMTU)) ?? []
    })
}
