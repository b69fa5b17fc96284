/// A decimal number with a unit, as scenario files write it, taken over into an integer without rounding.
package struct Quantity {
  /// The digits without the point.
  package var digits: Int64
  /// How many of them follow the point, 0 … 9.
  package var decimals: Int
  /// As written, without blanks; empty when there is none.
  package var unit: String

  /// Reads `[-]digits[.digits] [unit]`; nil when the text is no such thing or has more than 15 digits.
  package init?(_ text: String) {
    var rest = Substring(text).drop { $0 == " " }
    let isNegative = rest.first == "-" || rest.first == "−"
    if isNegative || rest.first == "+" { rest = rest.dropFirst() }
    var value: Int64 = 0
    var count = 0
    var fractionDigits: Int? = nil
    while let character = rest.first {
      if let digit = character.wholeNumberValue, character.isASCII {
        value = value * 10 + Int64(digit)
        count += 1
        if count > 15 { return nil }
        fractionDigits? += 1
      } else if character == ".", fractionDigits == nil, count > 0 {
        fractionDigits = 0
      } else if character != "_" || count == 0 {
        break
      }
      rest = rest.dropFirst()
    }
    guard count > 0, fractionDigits != 0, fractionDigits ?? 0 <= 9 else { return nil }
    digits = isNegative ? -value : value
    decimals = fractionDigits ?? 0
    while let last = rest.last, last == " " { rest = rest.dropLast() }
    unit = String(rest.drop { $0 == " " })
  }

  /// The value times `scale` as an integer; nil when it is none or does not fit.
  package func scaled(by scale: Int64) -> Int64? {
    var divisor: Int64 = 1
    for _ in 0..<decimals { divisor *= 10 }
    let (product, overflow) = digits.multipliedReportingOverflow(by: scale)
    return overflow || product % divisor != 0 ? nil : product / divisor
  }
}
