import Bench

/// A number as a scenario writes it, on a ladder of round numbers between it and the value where it does no harm.
///
/// Shrinking tries numbers as people write them: a boundary is known to a step of the ladder (1, 2, 3, 5, and again ten
/// times as much), in whole numbers of the unit or of a smaller one.
struct Ladder: Hashable, Sendable {
  /// Texts from the kind end, which is the first, to the present value, which is the last.
  var texts: [String]

  private static let units: [(name: String, scale: Int64)] = [
    ("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000), ("min", 60_000_000_000),
    ("h", 3_600_000_000_000),
  ]
  private static let steps: [Int64] = [1, 2, 3, 5]

  /// The ladder of a number and its unit; nil for other texts, and where nothing is between.
  ///
  /// - Parameter end: the number at the kind end, in the unit of the text.
  init?(_ text: String, downTo end: Int64) {
    guard let quantity = Quantity(text), quantity.digits > 0 else { return nil }
    let isDuration = Self.units.contains { $0.name == quantity.unit }
    var scale: Int64 = 1
    for _ in 0..<quantity.decimals { scale *= 10 }
    // In thousandths of the unit, or in nanoseconds.
    let unit = isDuration ? (Self.units.first { $0.name == quantity.unit }?.scale ?? 1) : Self.grain(quantity.unit)
    guard let value = quantity.scaled(by: unit) else { return nil }
    let kind = end * unit
    guard kind < value else { return nil }
    let least = isDuration ? 1_000 : 1
    var numbers = [kind]
    var power: Int64 = 1
    while power <= value {
      for step in Self.steps {
        let number = step * power
        if number > kind, number < value, number >= least { numbers.append(number) }
      }
      if power > Int64.max / 1_000 { break }
      power *= 10
    }
    let gap = Self.isSpaced(text) ? " " : ""
    texts = numbers.map { isDuration ? Self.duration($0) : Self.share($0, unit, gap + quantity.unit) } + [text]
  }

  /// What one unit is divided into.
  private static func grain(_ unit: String) -> Int64 { unit == "%" ? 10 : 1 }

  private static func isSpaced(_ text: String) -> Bool { text.contains(" ") }

  private static func duration(_ nanoseconds: Int64) -> String {
    if nanoseconds == 0 { return "0s" }
    let unit = units.prefix(4).last { nanoseconds % $0.scale == 0 } ?? units[0]
    return "\(nanoseconds / unit.scale)\(unit.name)"
  }

  private static func share(_ number: Int64, _ grain: Int64, _ unit: String) -> String {
    number % grain == 0 ? "\(number / grain)\(unit)" : "\(number / grain).\(number % grain)\(unit)"
  }
}
