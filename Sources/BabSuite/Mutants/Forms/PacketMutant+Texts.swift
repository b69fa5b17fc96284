import AppSeam
import BabSim
import Conformance

/// Defects of how packets are written: the text of each packet is taken apart, changed, and put together again.
extension Mutant {
  /// - Parameters:
  ///   - types: only packets of these types; none: of all types.
  ///   - change: what is written in place of a packet's text.
  static func texts(
    _ name: String, _ role: AppRole, _ clause: String, _ summary: String, of types: PacketType...,
    change: @escaping @Sendable (WireText) -> WireText
  ) -> Mutant {
    octets(name, role, clause, summary, of: types) { change($0).octets }
  }

  /// As `texts`, for what a `WireText` cannot say.
  static func octets(
    _ name: String, _ role: AppRole, _ clause: String, _ summary: String, of types: [PacketType] = [],
    change: @escaping @Sendable (WireText) -> [UInt8]
  ) -> Mutant {
    says(name, role, clause, summary) { _, packet in
      guard types.isEmpty || types.contains(packet.type), let text = try? WireText.parse(packet.encoded()).value
      else { return [packet] }
      return [RawText(change(text))]
    }
  }

  /// A program that does not read certain texts.
  static func reader(
    _ name: String, _ role: AppRole, _ clause: String, _ summary: String,
    refuses: @escaping @Sendable ([UInt8]) -> Bool
  ) -> Mutant {
    packets(name, role, clause, summary, reading: { _, text in refuses(text) ? nil : text })
  }

  /// A program that ends at certain texts.
  static func crasher(
    _ name: String, _ role: AppRole, _ summary: String, at isFatal: @escaping @Sendable ([UInt8]) -> Bool
  ) -> Mutant {
    packets(
      name, role, "BAB 7.13", summary,
      reading: { m, text in
        if isFatal(text) { m.crash("the program ended") }
        return text
      })
  }
}
