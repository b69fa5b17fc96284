/// Hexadecimal text: a number with leading zeros, or octets in pairs of digits.
extension String {
  /// The digits of a number, most significant first, with zeros in front up to `digits` of them; no prefix.
  ///
  /// - Precondition: `number` is 0 … 2⁶⁴ − 1.
  public init(hexadecimal number: some BinaryInteger, digits: Int, uppercase: Bool = false) {
    let value = UInt64(number)
    let count = Swift.max(digits, (64 - value.leadingZeroBitCount + 3) / 4)
    self.init(unsafeUninitializedCapacity: count) { buffer in
      for index in 0..<count {
        // A shift by 64 and more gives zero.
        buffer[index] = hexadecimalDigit(UInt8(truncatingIfNeeded: value >> (4 * (count - 1 - index))), uppercase)
      }
      return count
    }
  }

  /// Two digits for each octet, in the order of the octets.
  ///
  /// - Parameter separator: stands between two octets.
  /// - Precondition: `separator` is an ASCII character.
  public init(
    hexadecimal octets: some Collection<UInt8>, uppercase: Bool = false, separator: Unicode.Scalar? = nil
  ) {
    let width = separator == nil ? 2 : 3
    let count = octets.isEmpty ? 0 : octets.count * width - (width - 2)
    let filling = separator.map { UInt8(ascii: $0) }
    self.init(unsafeUninitializedCapacity: count) { buffer in
      var index = 0
      for octet in octets {
        if let filling, index > 0 {
          buffer[index] = filling
          index += 1
        }
        buffer[index] = hexadecimalDigit(octet >> 4, uppercase)
        buffer[index + 1] = hexadecimalDigit(octet, uppercase)
        index += 2
      }
      return index
    }
  }
}

extension [UInt8] {
  /// Nil for anything but an even number of hexadecimal digits.
  package init?(hexadecimalDigits text: some StringProtocol) {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    self = []
    reserveCapacity(digits.count / 2)
    for place in stride(from: 0, to: digits.count, by: 2) {
      guard let high = nibble(digits[place]), let low = nibble(digits[place + 1]) else { return nil }
      append(high << 4 | low)
    }
  }
}

private func nibble(_ digit: UInt8) -> UInt8? {
  switch digit {
  case 0x30...0x39: digit - 0x30
  case 0x41...0x46: digit - 0x37
  case 0x61...0x66: digit - 0x57
  default: nil
  }
}

/// The digit of the lower four bits.
private func hexadecimalDigit(_ octet: UInt8, _ uppercase: Bool) -> UInt8 {
  let nibble = octet & 0xF
  return nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: uppercase ? "A" : "a") + nibble - 10
}
