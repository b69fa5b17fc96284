package import AppSeam
package import BabSim
import SimKernel

/// A packet that an app has handed over to its platform whole.
package struct HandedPacket {
  package var link: LinkID
  /// From the fragment headers.
  var number: UInt16
  var fragments: Int
  package var text: [UInt8]
  /// FNV-1a of the text: two packets have one only where an app does not count them (BAB 5.6.1).
  var hash: UInt64
  /// What it says, or why it is no packet.
  var content: Result<BabPacket, BabPacketError>
  /// Whether nothing with this text was handed over lately.
  var isNew: Bool

  package var packet: BabPacket? { try? content.get() }
}

/// What the app of one device hands over, joined to packets. A host says the same to every link: the newest texts are
/// read once.
package struct Outbox {
  /// Texts that are remembered.
  private static let memory = 128

  private var lanes: [(link: LinkID, assembly: PacketAssembly)] = []
  private var texts: [(hash: UInt64, content: Result<BabPacket, BabPacketError>)] = []

  package init() {}

  /// A new run of the app, or the end of all its links.
  package mutating func begin() { self = Outbox() }

  package mutating func end(_ link: LinkID) { lanes.removeAll { $0.link == link } }

  /// A value that the app hands over. - Returns: the packet that it completes.
  package mutating func take(_ octets: [UInt8], on link: LinkID) -> HandedPacket? {
    let lane = lanes.firstIndex { $0.link == link } ?? lanes.count
    if lane == lanes.count { lanes.append((link, PacketAssembly())) }
    guard let text = lanes[lane].assembly.take(octets) else { return nil }
    let hash = FNV1a.hash(text)
    let known = content(hash)
    let content = known ?? Self.read(text)
    if known == nil {
      if texts.count == Self.memory { texts.removeFirst(Self.memory / 2) }
      texts.append((hash, content))
    }
    let assembly = lanes[lane].assembly
    return HandedPacket(
      link: link, number: assembly.packetID, fragments: assembly.nextIndex, text: text, hash: hash, content: content,
      isNew: known == nil)
  }

  /// What a text says that came to somebody; nil: it is no packet.
  func packet(of text: [UInt8]) -> BabPacket? { try? (content(FNV1a.hash(text)) ?? Self.read(text)).get() }

  private func content(_ hash: UInt64) -> Result<BabPacket, BabPacketError>? { texts.last { $0.hash == hash }?.content }

  private static func read(_ text: [UInt8]) -> Result<BabPacket, BabPacketError> {
    do throws(BabPacketError) { return .success(try BabPacket(decoding: text)) } catch { return .failure(error) }
  }
}

/// Joins the values that an app hands over on one link to packets.
struct PacketAssembly {
  private(set) var packetID: UInt16 = 0
  private(set) var nextIndex = 0
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
