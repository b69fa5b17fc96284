import Bench
import SimKernel

/// A number as a scenario writes it, on a ladder of round numbers between it and the value where it does no harm.
///
/// Shrinking tries numbers as people write them: a boundary is known to a step of the ladder (1, 2, 3, 5, and again ten
/// times as much), in whole numbers of the unit or of a smaller one.
struct Ladder: Hashable, Sendable {
  /// Texts from the kind end, which is the first, to the present value, which is the last.
  var texts: [String]

  private static let steps: [Int64] = [1, 2, 3, 5]

  /// The ladder of a number and its unit; nil for other texts, and where nothing is between.
  ///
  /// - Parameter end: the number at the kind end, in the unit of the text.
  init?(_ text: String, downTo end: Int64) {
    guard let quantity = Quantity(text), quantity.digits > 0 else { return nil }
    let size = ScenarioDecoder.Dimension.time.units.first { $0.name == quantity.unit }?.scale
    // In tenths of a percent or in whole units, or in nanoseconds.
    let unit = size ?? (quantity.unit == "%" ? 10 : 1)
    guard let value = quantity.scaled(by: unit) else { return nil }
    let kind = end * unit
    guard kind < value else { return nil }
    let least = size == nil ? 1 : 1_000
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
    let gap = text.contains(" ") ? " " : ""
    texts =
      numbers.map { number in
        size == nil
          ? ScenarioDecoder.Dimension.decimal(number, unit) + gap + quantity.unit
          : SimDuration.nanoseconds(number).scenarioText
      } + [text]
  }
}
