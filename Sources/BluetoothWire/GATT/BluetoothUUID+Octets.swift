extension BluetoothUUID {
  /// Two octets when there is a 16-bit form, else sixteen; least significant first.
  ///
  /// Spec: Core v5.4, Vol 3, Part F, 3.2.1 and Part G, 3.1.
  public var octets: [UInt8] {
    guard let short else { return longOctets }
    return [UInt8(truncatingIfNeeded: short), UInt8(truncatingIfNeeded: short >> 8)]
  }

  /// The sixteen octets, least significant first.
  public var longOctets: [UInt8] {
    var octets: [UInt8] = []
    octets.reserveCapacity(16)
    octets.append(littleEndian: low, count: 8)
    octets.append(littleEndian: high, count: 8)
    return octets
  }

  /// Reads 2, 4 or 16 octets, least significant first.
  ///
  /// - Throws: `lengthMismatch` at the end of `octets` for every other count.
  public init(decoding octets: some RandomAccessCollection<UInt8>) throws(WireError) {
    var low: UInt64 = 0
    var high: UInt64 = 0
    for (index, octet) in octets.prefix(16).enumerated() {
      if index < 8 {
        low |= UInt64(octet) << (8 * UInt64(index))
      } else {
        high |= UInt64(octet) << (8 * UInt64(index - 8))
      }
    }
    switch octets.count {
    case 2, 4: self.init(high: low << 32 | 0x1000, low: Self.baseLow)
    case 16: self.init(high: high, low: low)
    default: throw WireError(.lengthMismatch, at: octets.count)
    }
  }

  /// Reads `180A`, `0x180A`, eight or thirty-two hexadecimal digits, or the form with hyphens (8-4-4-4-12), in either
  /// case; nil for every other text.
  public init?(_ text: String) {
    var digits: [UInt8] = []
    var hyphens: [Int] = []
    let prefix = text.hasPrefix("0x") || text.hasPrefix("0X") ? 2 : 0
    guard text.utf8.count <= 36 else { return nil }
    for character in text.utf8.dropFirst(prefix) {
      switch character {
      case UInt8(ascii: "-"): hyphens.append(digits.count)
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(character - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digits.append(character - UInt8(ascii: "a") + 10)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digits.append(character - UInt8(ascii: "A") + 10)
      default: return nil
      }
    }
    let number: (ArraySlice<UInt8>) -> UInt64 = { $0.reduce(0) { $0 << 4 | UInt64($1) } }
    switch (digits.count, hyphens) {
    case (4, []), (8, []): self.init(high: number(digits[...]) << 32 | 0x1000, low: Self.baseLow)
    case (32, []) where prefix == 0, (32, [8, 12, 16, 20]) where prefix == 0:
      self.init(high: number(digits[..<16]), low: number(digits[16...]))
    default: return nil
    }
  }
}

extension BluetoothUUID: CustomStringConvertible {
  /// Four digits when there is a 16-bit form, else the form with hyphens; upper case.
  public var description: String {
    if let short { return Self.hex(UInt64(short), digits: 4) }
    return [
      Self.hex(high >> 32, digits: 8), Self.hex(high >> 16 & 0xFFFF, digits: 4), Self.hex(high & 0xFFFF, digits: 4),
      Self.hex(low >> 48, digits: 4), Self.hex(low & 0xFFFF_FFFF_FFFF, digits: 12),
    ].joined(separator: "-")
  }

  private static func hex(_ value: UInt64, digits: Int) -> String {
    String(hexadecimal: value, digits: digits, uppercase: true)
  }
}
