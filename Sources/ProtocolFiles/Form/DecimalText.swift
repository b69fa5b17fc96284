/// Numbers with a fraction as texts: exact, in millionths.
enum DecimalText {
  /// As JSON writes them: `0.812`, `1.0`.
  static func text(_ millionths: Int64) -> String {
    let magnitude = millionths.magnitude
    var fraction = String(magnitude % 1_000_000)
    fraction = String(repeating: "0", count: 6 - fraction.count) + fraction
    while fraction.count > 1, fraction.last == "0" { fraction.removeLast() }
    return "\(millionths < 0 ? "-" : "")\(magnitude / 1_000_000).\(fraction)"
  }

  /// - Parameter text: a number as JSON writes it: `12`, `-0.5`, `1.5e3`.
  /// - Returns: millionths, further digits cut off; nil for what is none, or is more than ±9 · 10¹².
  static func millionths(_ text: some StringProtocol) -> Int64? {
    var rest = text[...]
    let isNegative = rest.first == "-"
    if isNegative { rest = rest.dropFirst() }
    var exponent = 0
    if let place = rest.firstIndex(where: { $0 == "e" || $0 == "E" }) {
      guard let number = Int(rest[rest.index(after: place)...]) else { return nil }
      exponent = min(max(number, -100), 100)
      rest = rest[..<place]
    }
    let parts = rest.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, !whole.isEmpty, parts.count == 1 || !parts[1].isEmpty else { return nil }
    let digits = parts.joined()
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    // So many digits are before the millionths' place.
    let count = whole.utf8.count + exponent + 6
    let kept =
      count <= 0 ? "0" : digits.prefix(count) + String(repeating: "0", count: max(0, count - digits.utf8.count))
    return Int64(kept).map { isNegative ? -$0 : $0 }
  }
}
