import AppSeam
import BabSim
import Conformance

/// Defects of how packets are written: the text of each packet is taken apart, changed, and put together again.
extension Mutant {
  /// - Parameter change: what is written in place of a packet's text.
  static func texts(
    _ name: String, _ role: AppRole, clause: String, _ summary: String,
    change: @escaping @Sendable (WireText, BabPacket) -> WireText
  ) -> Mutant {
    octets(name, role, clause: clause, summary) { text, packet in change(text, packet).octets }
  }

  /// As `texts`, for what a `WireText` cannot say.
  static func octets(
    _ name: String, _ role: AppRole, clause: String, _ summary: String,
    change: @escaping @Sendable (WireText, BabPacket) -> [UInt8]
  ) -> Mutant {
    packets(
      name, role, clause: clause, summary,
      outgoing: { _, _, packet in
        guard let text = try? WireText.parse(packet.encoded()).value else { return [.packet(packet)] }
        return [.text(change(text, packet))]
      })
  }

  /// A program that does not read certain texts.
  static func reader(
    _ name: String, _ role: AppRole, _ clause: String, _ summary: String,
    refuses: @escaping @Sendable ([UInt8]) -> Bool
  ) -> Mutant {
    .packets(name, role, clause: clause, summary, reading: { _, _, text in refuses(text) ? nil : text })
  }

  /// A program that ends at certain texts.
  static func crasher(
    _ name: String, _ role: AppRole, _ summary: String, at isFatal: @escaping @Sendable ([UInt8]) -> Bool
  ) -> Mutant {
    .packets(
      name, role, clause: "BAB 7.13", summary,
      reading: { engine, _, text in
        if isFatal(text) { engine.crash("the program ended") }
        return text
      })
  }
}
