/// Numbers of packets as decimal digits, without floating point: the same number is always the same text.
enum DecimalText {
  /// An integer without sign, fraction or exponent; nil for another form, or more than `limit`.
  static func integer(_ digits: ArraySlice<UInt8>, limit: Int64) -> Int64? {
    guard !digits.isEmpty, digits.count <= 19 else { return nil }
    var value: Int64 = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      let (shifted, overflows) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflowsToo) = shifted.addingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
      if overflows || overflowsToo { return nil }
      value = sum
    }
    return value <= limit ? value : nil
  }

  /// Seconds with at most three digits after the point, as milliseconds; nil for another form, or more than `limit`.
  static func milliseconds(_ digits: ArraySlice<UInt8>, limit: Int64) -> Int64? {
    let point = digits.firstIndex(of: UInt8(ascii: ".")) ?? digits.endIndex
    let fraction = digits[point...].dropFirst()
    guard fraction.count <= 3, let seconds = integer(digits[..<point], limit: limit / 1_000) else { return nil }
    guard !fraction.isEmpty else { return seconds * 1_000 }
    guard var thousandths = integer(fraction, limit: 999) else { return nil }
    for _ in fraction.count..<3 { thousandths *= 10 }
    let value = seconds * 1_000 + thousandths
    return value <= limit ? value : nil
  }

  static func append(_ value: Int64, to text: inout [UInt8]) { text.append(contentsOf: String(value).utf8) }

  /// Seconds with as many digits after the point as there are, at most three.
  static func append(milliseconds: Int64, to text: inout [UInt8]) {
    append(milliseconds / 1_000, to: &text)
    var (rest, place) = (milliseconds % 1_000, Int64(100))
    if rest > 0 { text.append(UInt8(ascii: ".")) }
    while rest > 0 {
      text.append(UInt8(ascii: "0") + UInt8(rest / place))
      (rest, place) = (rest % place, place / 10)
    }
  }
}
