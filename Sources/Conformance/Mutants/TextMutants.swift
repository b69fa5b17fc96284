import BabSim

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
}
