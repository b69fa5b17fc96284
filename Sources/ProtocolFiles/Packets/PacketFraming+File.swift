import AppSeam
import Conformance

/// How whole packets travel where each value says by itself which part of which packet it is: a value is a packet, or a
/// fragment that has its place and their number.
extension PacketFraming {
  /// - Returns: nil where a characteristic has another framing: a value of a stream says nothing by itself.
  static func file(_ form: ProtocolForm) -> PacketFraming? {
    let framings = Set(form.services.flatMap(\.characteristics).map(\.framing))
    guard framings.count == 1, let framing = framings.first else { return nil }
    switch framing {
    case .none:
      return PacketFraming(
        place: { _ in { _ in Place(packetID: 0, index: 0, count: 1, header: 0) } },
        cut: { packet, _, attMTU, _ in packet.count <= min(attMTU - 3, 512) ? [packet] : [] })
    case .fragments(let header)
    where header.contains { $0.meaning == .index } && header.contains { $0.meaning == .count }:
      return PacketFraming(
        place: { _ in { Self.place(of: $0, header) } },
        cut: { packet, packetID, attMTU, _ in
          var cutter = FileCutter(framing, first: Int64(packetID))
          return (try? cutter.values(of: packet, attMTU: attMTU)) ?? []
        })
    case .lines, .length, .inside, .fragments: return nil
    }
  }

  private static func place(of value: [UInt8], _ header: [FramingForm.FragmentField]) -> Place? {
    guard value.count >= header.reduce(0, { $0 + $1.integer.octets }) else { return nil }
    var found = Place(packetID: 0, index: 0, count: 0, header: 0)
    for field in header {
      let number = Int(clamping: field.integer.read(value[found.header...]))
      found.header += field.integer.octets
      switch field.meaning {
      case .id: found.packetID = number
      case .index: found.index = number
      case .count: found.count = number
      case .size, .more, .last, .unused: break
      }
    }
    return (0..<max(0, found.count)).contains(found.index) ? found : nil
  }
}
