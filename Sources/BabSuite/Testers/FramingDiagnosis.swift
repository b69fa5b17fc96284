import BabSim
import Conformance

/// Which clause of framing values break of which no packet becomes whole, and the field that differs.
///
/// The first value that proves something decides. A body begins with a brace, since packets are JSON objects (BAB 4.1).
/// The words have no numbers in them, so that cases share one cause; the values are in the case's chart.
enum FramingDiagnosis {
  /// - Parameter values: of one link and characteristic, in the order in which they came.
  /// - Returns: nil when they prove nothing more than that they are no packet.
  static func cause(_ values: [[UInt8]]) -> Cause? {
    var open: FragmentHeader?
    var known: [UInt16] = []
    for value in values {
      if beginsText(value[...]) { return cause("sends a packet without a fragment header", "BAB 3.1") }
      guard let header = FragmentHeader(value) else {
        return cause("sends a value too short for a fragment header", "BAB 3.2")
      }
      if let open, let cause = wrongSequel(header, after: open, isNew: !known.contains(header.packetID)) {
        return cause
      }
      if let cause = wrongHeader(header, value) { return cause }
      open = Int(header.index) + 1 < Int(header.count) ? header : nil
      known.append(header.packetID)
    }
    return nil
  }

  /// A packet that is right up to octets that follow it.
  static func cause(ofText octets: [UInt8]) -> Cause? {
    let blanks: [UInt8] = [0x00, 0x09, 0x0A, 0x0D, 0x20]
    guard let last = octets.lastIndex(where: { !blanks.contains($0) }), last + 1 < octets.count,
      (try? BabPacket(decoding: Array(octets[...last]))) != nil
    else { return nil }
    return cause("sends octets after the end of a packet", "BAB 3.3")
  }

  /// A header that is impossible by itself.
  private static func wrongHeader(_ header: FragmentHeader, _ value: [UInt8]) -> Cause? {
    guard header.index >= header.count else { return nil }
    if header.index == header.count { return cause("counts fragmentIndex from 1", "BAB 3.3") }
    return beginsText(value[FragmentHeader.octets...])
      ? cause("writes fragmentCount before fragmentIndex", "BAB 3.2")
      : cause("sends a fragmentIndex that is not below its fragmentCount", "BAB 3.2")
  }

  /// A fragment that does not go on with the packet that is open.
  private static func wrongSequel(_ header: FragmentHeader, after last: FragmentHeader, isNew: Bool) -> Cause? {
    guard header.index == last.index + 1 else { return nil }
    if header.packetID != last.packetID, header.count == last.count, isNew {
      return cause("gives fragments of one packet packetIDs of their own", "BAB 3.6")
    }
    if header.packetID == last.packetID, header.count != last.count {
      return cause("says another fragmentCount in fragments of one packet", "BAB 3.6")
    }
    return nil
  }

  private static func beginsText(_ octets: ArraySlice<UInt8>) -> Bool {
    octets.count > 1 && octets.first == UInt8(ascii: "{") && octets[octets.startIndex + 1] == UInt8(ascii: "\"")
  }

  private static func cause(_ text: String, _ clause: String) -> Cause {
    Cause(text, clause: clause, step: BabStep.framing)
  }
}
