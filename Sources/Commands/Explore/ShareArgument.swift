import ArgumentParser
import SimKernel

/// `10%`: how many of a thousand.
struct ShareArgument: ExpressibleByArgument, Equatable, CustomStringConvertible {
  var permille: Int

  init(permille: Int) { self.permille = permille }

  /// Whole or with one decimal: `10%`, `0.5%`.
  init?(argument: String) {
    guard argument.hasSuffix("%") else { return nil }
    let parts = argument.dropLast().split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let whole = Int(parts[0]), (0...100).contains(whole) else { return nil }
    var tenths = 0
    if parts.count == 2 {
      guard parts[1].count == 1, let digit = Int(parts[1]) else { return nil }
      tenths = digit
    }
    guard whole * 10 + tenths <= 1_000 else { return nil }
    permille = whole * 10 + tenths
  }

  var description: String {
    permille % 10 == 0 ? "\(permille / 10)%" : "\(permille / 10).\(permille % 10)%"
  }

  var defaultValueDescription: String { description }
}
