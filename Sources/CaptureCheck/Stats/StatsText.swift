import SimKernel

/// How figures are written: integers only, a fixed number of decimals.
package enum StatsText {
  /// Milliseconds with three decimals: `1.250`.
  static func milliseconds(_ nanoseconds: Int64) -> String {
    let microseconds = (nanoseconds.magnitude + 500) / 1_000
    return (nanoseconds < 0 ? "-" : "") + decimal(microseconds, places: 3)
  }

  /// Seconds with three decimals.
  static func seconds(_ duration: SimDuration) -> String { milliseconds(duration.nanoseconds / 1_000) }

  /// A duration with the unit that suits it: `312 µs`, `30 ms`, `1.5 s`; rounded to four digits.
  package static func duration(_ nanoseconds: Int64) -> String {
    let sign = nanoseconds < 0 ? "-" : ""
    let value = nanoseconds.magnitude
    if value < 1_000 { return "\(sign)\(value) ns" }
    if value < 1_000_000 { return sign + short(value, unit: 1_000) + " µs" }
    if value < 1_000_000_000 { return sign + short(value, unit: 1_000_000) + " ms" }
    return sign + short(value, unit: 1_000_000_000) + " s"
  }

  /// Four digits, without zeros at the end of a fraction.
  private static func short(_ value: UInt64, unit: UInt64) -> String {
    let places = value >= 1_000 * unit ? 0 : value >= 100 * unit ? 1 : value >= 10 * unit ? 2 : 3
    var divisor = unit
    for _ in 0..<places { divisor /= 10 }
    var text = decimal((value + divisor / 2) / divisor, places: places)
    guard places > 0 else { return text }
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text
  }

  /// An integer with so many of its digits after the point.
  package static func decimal(_ value: UInt64, places: Int) -> String {
    guard places > 0 else { return String(value) }
    var digits = String(value)
    if digits.count <= places { digits = String(repeating: "0", count: places + 1 - digits.count) + digits }
    return digits.dropLast(places) + "." + digits.suffix(places)
  }

  /// Units of 1.25 ms as milliseconds: `30`, `7.5`, `11.25`.
  package static func interval(_ units: UInt16) -> String { scaled(UInt64(units), 1_250) }
  /// Units of 0.625 ms as milliseconds.
  package static func advertisingInterval(_ units: UInt32) -> String { scaled(UInt64(units), 625) }

  private static func scaled(_ units: UInt64, _ microseconds: UInt64) -> String {
    var text = decimal(units * microseconds, places: 3)
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text
  }

  /// A share in percent with two decimals; a dash when there was nothing.
  static func share(_ part: Int, of whole: Int) -> String {
    guard whole > 0 else { return "–" }
    return decimal(UInt64(part * 10_000 + whole / 2) / UInt64(whole), places: 2)
  }

  /// Octets for each second: `812 B/s`, `12.3 kB/s`.
  static func rate(_ octets: Int64?) -> String {
    guard let octets else { return "–" }
    return octets < 10_000 ? "\(octets) B/s" : decimal(UInt64((octets + 50) / 100), places: 1) + " kB/s"
  }
}
