/// A set of opcodes of one octet; asking whether one is in it costs a shift.
public struct OpcodeSet: Hashable, Sendable {
  private var bits: SIMD4<UInt64>

  public static let all = OpcodeSet(bits: SIMD4(repeating: .max))
  public static let none = OpcodeSet(bits: SIMD4(repeating: 0))

  private init(bits: SIMD4<UInt64>) { self.bits = bits }

  public init(_ opcodes: UInt8...) { self.init(opcodes) }

  public init(_ opcodes: some Sequence<UInt8>) {
    bits = SIMD4(repeating: 0)
    for opcode in opcodes { bits[Int(opcode >> 6)] |= 1 << UInt64(opcode & 63) }
  }

  public func contains(_ opcode: UInt8) -> Bool { bits[Int(opcode >> 6)] >> UInt64(opcode & 63) & 1 != 0 }

  public func union(_ other: Self) -> Self { Self(bits: bits | other.bits) }
  public func subtracting(_ other: Self) -> Self { Self(bits: bits & ~other.bits) }
}

extension OpcodeSet {
  /// ATT PDUs that a client expects an answer to, known ones (Core v5.4, Vol 3, Part F, 3.4.9).
  static let requests = OpcodeSet(0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x20)
  /// What answers them, ATT_ERROR_RSP first.
  static let responses = OpcodeSet(
    0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x13, 0x17, 0x19, 0x21)
  /// What a server sends on its own, and the confirmation.
  static let values = OpcodeSet(0x1B, 0x1D, 0x1E, 0x23)
  /// Everything that can begin or end a request's transaction: also opcodes that nobody knows.
  static let transactions = all.subtracting(values).subtracting(OpcodeSet((0...255).filter { $0 & 0x40 != 0 }))
}
