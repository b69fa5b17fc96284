extension [UInt8] {
  /// Octets of two digits each; white space is left out, and nothing else may be there.
  public static func hex(_ text: some StringProtocol) -> [UInt8] {
    let digits: [UInt8] = text.compactMap { $0.isWhitespace ? nil : UInt8($0.hexDigitValue!) }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
