package import AppSeam
import SimKernel

/// Recognises the packets an engine sends from their fragments, one link at a time.
package struct PacketSpotter {
  private struct Current {
    var link: LinkID
    var packetID: UInt16
    var isSpotted: Bool
  }

  /// Types are told by the first octets of the JSON, which even the smallest ATT_MTU carries in the first fragment.
  private let prefixes: [[UInt8]]
  private var current: [Current] = []

  package init(_ types: [PacketType]) { prefixes = types.map { Array("{\"type\":\"\($0.rawValue)\"".utf8) } }

  /// Whether a value belongs to a packet of one of the types; `isFirst` when it begins one.
  package mutating func spot(_ link: LinkID, _ octets: [UInt8]) -> (isSpotted: Bool, isFirst: Bool) {
    guard let header = FragmentHeader(octets) else { return (false, false) }
    current.removeAll { $0.link == link && ($0.packetID != header.packetID || header.index == 0) }
    if header.index == 0 {
      let body = octets.dropFirst(FragmentHeader.octets)
      let isSpotted = prefixes.contains { prefix in
        // At ATT_MTU 23 the body is shorter than most types.
        let length = min(body.count, prefix.count)
        return length > 0 && body.prefix(length).elementsEqual(prefix.prefix(length))
      }
      current.append(Current(link: link, packetID: header.packetID, isSpotted: isSpotted))
      return (isSpotted, isSpotted)
    }
    return (current.contains { $0.link == link && $0.isSpotted }, false)
  }
}
