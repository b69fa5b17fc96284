import BluetoothWire
import SimKernel

/// Tells apart what a host at a port says: the command, or the protocol, its opcode and the reason that it gives, each
/// with what it said before.
package struct AnswerBook {
  private var last: UInt64 = 0
  private var seen: Set<UInt64> = []
  package var count: Int { seen.count }

  package init() {}

  /// One that goes on where another one was.
  /// - Parameter pairs: as `pairs` of the other one.
  package init(pairs: [UInt64]) { seen = Set(pairs) }

  /// What it has seen, in ascending order.
  package var pairs: [UInt64] { seen.sorted() }

  /// - Parameter packet: an H4 packet from a host.
  /// - Returns: whether this answer has not been seen after the one before it.
  mutating func note(_ packet: [UInt8]) -> Bool {
    guard let code = Self.code(packet) else { return false }
    defer { last = code }
    return seen.insert(RandomStream.mix(last ^ RandomStream.mix(code))).inserted
  }

  /// Nil for what says nothing: a continuing fragment, and how many packets a host has taken.
  private static func code(_ packet: [UInt8]) -> UInt64? {
    switch packet.first {
    case 0x01 where packet.count >= 3: return 1 << 32 | UInt64(packet[1]) | UInt64(packet[2]) << 8
    // ACL data whose boundary flag says that a frame begins: Core v5.4, Vol 4, Part E, 5.4.2.
    case 0x02 where packet.count >= 10 && packet[2] >> 4 & 0x3 != 0x1:
      let channel = UInt64(packet[7]) | UInt64(packet[8]) << 8
      let opcode = packet[9]
      var code = 2 << 32 | channel << 8 | UInt64(opcode)
      // What is refused and why: ATT_ERROR_RSP, L2CAP_COMMAND_REJECT_RSP, Pairing Failed.
      switch (L2CAP.ChannelID(rawValue: UInt16(channel)), opcode) {
      case (.attribute, 0x01) where packet.count >= 14: code |= UInt64(packet[10]) << 24 | UInt64(packet[13]) << 40
      case (.signalling, 0x01) where packet.count >= 14: code |= UInt64(packet[13]) << 24
      case (.securityManager, 0x05) where packet.count >= 11: code |= UInt64(packet[10]) << 24
      default: break
      }
      return code
    default: return nil
    }
  }
}
