/// A probability or a scale factor as a ratio of integers; floating point never decides an outcome.
public struct Ratio: Hashable, Sendable {
  public let numerator: UInt64
  /// Never zero.
  public let denominator: UInt64

  /// - Precondition: `denominator` is not zero.
  public init(_ numerator: UInt64, _ denominator: UInt64) {
    precondition(denominator != 0, "a ratio needs a denominator")
    self.numerator = numerator
    self.denominator = denominator
  }

  public static let never = Ratio(0, 1)
  public static let always = Ratio(1, 1)

  /// Parts per million, the unit in which clock errors and loss figures are usually quoted.
  public static func partsPerMillion(_ count: UInt64) -> Ratio { Ratio(count, 1_000_000) }

  public var isZero: Bool { numerator == 0 }
}
