import AppSeam
import BabSim
import Bench

/// The packets that the lower testers of one case send as packets, each once: texts that the bench's own writer writes.
/// Octets that are wrong on purpose, or written in another way, are none, and an envelope that names another type.
final class SpokenPackets: TraceReader {
  private struct Side {
    var device: Int
    var link: LinkID
    var reassembler: Reassembler
  }

  private let iut: Int
  private let framing: Framing
  private var sides: [Side] = []
  private(set) var texts: [[UInt8]] = []

  init(iut: Int, framing: Framing) {
    self.iut = iut
    self.framing = framing
  }

  func read(_ record: TraceRecord) {
    guard record.device != iut, case .effect(let effect) = record.event else { return }
    switch effect {
    case .notify(let link, _, let octets), .write(let link, _, let octets),
      .writeWithoutResponse(let link, _, let octets):
      let index = sides.firstIndex { $0.device == record.device && $0.link == link } ?? open(record.device, link)
      guard let text = sides[index].reassembler.receive(octets, at: record.instant).packet,
        let packet = try? BabPacket(decoding: text), packet.isConsistent, packet.encoded() == text,
        !texts.contains(text)
      else { return }
      texts.append(text)
    default: break
    }
  }

  private func open(_ device: Int, _ link: LinkID) -> Int {
    sides.append(Side(device: device, link: link, reassembler: Reassembler(framing: framing)))
    return sides.count - 1
  }
}
