import BabSim

/// Joins the values that an app hands over on one link to packets.
struct PacketAssembly {
  private var packetID: UInt16 = 0
  private var nextIndex = 0
  private var text: [UInt8] = []

  /// Takes the next value; returns the packet's text when the value is the last one and its fragments came in order.
  mutating func take(_ octets: [UInt8]) -> [UInt8]? {
    guard let header = FragmentHeader(octets) else { return nil }
    if header.index == 0 {
      (packetID, nextIndex) = (header.packetID, 0)
      text.removeAll(keepingCapacity: true)
    }
    // A value that the platform refused is handed over again.
    if header.packetID != packetID || Int(header.index) != nextIndex { return nil }
    text += octets[FragmentHeader.octets...]
    nextIndex += 1
    return nextIndex == Int(header.count) ? text : nil
  }
}
