import AppSeam
import BeamScribe

/// Finds where frames begin in octets whose start is not known.
///
/// The first octet of a length is zero, because a body has at most 2^20 octets, and no text of JSON has a zero octet
/// (RFC 8259, 7). A place counts only when the frame there is whole and its body is a packet.
enum FrameFinder {
  /// The longest frame; more octets than two of these are never needed to find one.
  static let longest = BeamLimits.body + 5

  enum Result: Equatable {
    case found(Int)
    /// Nothing before this place can be a frame; one may begin there that is not whole yet.
    case needsMore(from: Int)

    var isFound: Bool { if case .found = self { true } else { false } }
  }

  /// - Parameter start: places before it have been looked at.
  static func find(in octets: [UInt8], _ dialect: DialectName, from start: Int) -> Result {
    let kind = dialect == .beamMPC ? 1 : 0
    var place = start
    while place + kind + 5 <= octets.count {
      let header = place + kind
      guard octets[header] == 0, octets[header + 4] == UInt8(ascii: "{"), kind == 0 || octets[place] == 1 else {
        place += 1
        continue
      }
      let length = Int(octets[header + 1]) << 16 | Int(octets[header + 2]) << 8 | Int(octets[header + 3])
      guard (1...BeamLimits.body).contains(length) else {
        place += 1
        continue
      }
      let end = header + 4 + length
      if end > octets.count { return .needsMore(from: place) }
      if octets[end - 1] == UInt8(ascii: "}"), isPacket(Array(octets[header + 4..<end])) { return .found(place) }
      place += 1
    }
    return .needsMore(from: place)
  }

  /// Whether the first octets of a side are frames, and one of them has a packet.
  static func begins(_ octets: [UInt8], _ dialect: DialectName) -> Bool {
    var reader = FrameReader(dialect == .beamMPC ? .kindAndLength : .length)
    var rest = octets[...]
    while let frame = try? reader.next(&rest) {
      if frame.kind == .message { return isPacket(frame.body) }
    }
    return false
  }

  private static func isPacket(_ body: [UInt8]) -> Bool { (try? BeamPacket(decoding: body)) != nil }
}
