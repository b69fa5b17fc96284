/// From one number with a unit to another with the same one: `0%..40%`, `1 m..12 m`, `1..7`.
package struct MagnitudeRange: Hashable, Sendable {
  /// In units of the last decimal.
  package var low: Int64
  package var high: Int64
  package var decimals: Int
  /// What follows the number, with its blank.
  package var unit: String

  struct Refusal: Error, CustomStringConvertible {
    var description: String
  }

  private static let mostDecimals = 9

  /// A range without a unit and without decimals holds integers only; others have at least a hundred values.
  /// - Throws: `Refusal`.
  init(_ from: String, _ to: String) throws(Refusal) {
    guard let from = Self.parsed(from), let to = Self.parsed(to) else {
      throw Refusal(description: "a range is lo..hi, two numbers with the same unit, for example 0%..40%")
    }
    guard from.unit == to.unit || from.unit.isEmpty else {
      throw Refusal(description: "\"\(from.unit)\" and \"\(to.unit)\" are not the same unit")
    }
    unit = to.unit
    decimals = max(from.decimals, to.decimals)
    guard let first = Self.scaled(from, decimals), let last = Self.scaled(to, decimals), first < last else {
      throw Refusal(description: "the range is empty; its first number must be less than its last")
    }
    (low, high) = (first, last)
    if unit.isEmpty, decimals == 0 { return }
    while high - low < 100, decimals < Self.mostDecimals {
      (low, high) = (low * 10, high * 10)
      decimals += 1
    }
  }

  private static func parsed(_ text: String) -> (digits: Int64, decimals: Int, unit: String)? {
    let text = text.drop { $0 == " " }
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-") }
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard !number.isEmpty, parts.count <= 2, number.last != ".", let digits = Int64(parts.joined()) else { return nil }
    let decimals = parts.count == 2 ? parts[1].count : 0
    if decimals > mostDecimals || digits.magnitude > 1 << 40 { return nil }
    var unit = String(text.dropFirst(number.count))
    while unit.last == " " { unit.removeLast() }
    return (digits, decimals, unit)
  }

  private static func scaled(_ number: (digits: Int64, decimals: Int, unit: String), _ decimals: Int) -> Int64? {
    var value = number.digits
    for _ in number.decimals..<decimals {
      let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      if isTooLarge { return nil }
      value = product
    }
    return value
  }

  /// The value that is written so; nil for what no value of the range is written as.
  package func value(_ text: String) -> Int64? {
    guard let parsed = Self.parsed(text), parsed.unit == unit, let value = Self.scaled(parsed, decimals),
      (low...high).contains(value)
    else { return nil }
    return value
  }

  /// How a value is written in a scenario file.
  package func text(_ value: Int64) -> String {
    var digits = String(value.magnitude)
    if digits.count <= decimals { digits = String(repeating: "0", count: decimals + 1 - digits.count) + digits }
    let whole = digits.dropLast(decimals)
    var fraction = String(digits.suffix(decimals))
    while fraction.last == "0" { fraction.removeLast() }
    return (value < 0 ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction) + unit
  }
}
