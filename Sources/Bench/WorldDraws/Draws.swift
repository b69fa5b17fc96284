public import SimKernel

/// Draws from a seed, each under a name of its own: another thing that is drawn changes none of those that were there.
public struct Draws: Sendable {
  public let seed: UInt64
  private let place: String

  /// All draws of a world.
  public init(seed: UInt64) { self.init(seed: seed, place: "") }

  private init(seed: UInt64, place: String) {
    self.seed = seed
    self.place = place
  }

  /// Draws of one part, whose names begin with it.
  public func of(_ part: String) -> Draws { Draws(seed: seed, place: place + part + "/") }

  /// Draws of one of several parts of a kind.
  public func of(_ part: String, _ number: Int) -> Draws { of("\(part) \(number)") }

  /// The random stream of a purpose: the same for a seed, whatever else is drawn.
  public func stream(_ purpose: String) -> RandomStream {
    RandomStream(seed: seed, component: "explore", purpose: place + purpose)
  }

  /// True in so many of a thousand seeds.
  public func happens(_ purpose: String, permille: Int) -> Bool {
    var stream = stream(purpose)
    return stream.happens(Ratio(UInt64(max(0, permille)), 1_000))
  }

  /// A number of a range, each as likely as any other.
  public func number(_ purpose: String, _ range: ClosedRange<Int>) -> Int {
    var stream = stream(purpose)
    return Int(stream.within(Int64(range.lowerBound)...Int64(range.upperBound)))
  }

  /// One of a list that is not empty.
  public func one<Element>(_ purpose: String, of list: [Element]) -> Element {
    list[number(purpose, 0...list.count - 1)]
  }

  /// One of several, each as often as its weight says. The weights are not all 0.
  public func weighted<Element>(_ purpose: String, _ list: [(weight: Int, value: Element)]) -> Element {
    var rest = number(purpose, 1...list.reduce(0) { $0 + $1.weight })
    for (weight, value) in list {
      rest -= weight
      if rest <= 0 { return value }
    }
    return list[list.count - 1].value
  }

  /// A list in a drawn order.
  public func inDrawnOrder<Element>(_ purpose: String, _ list: [Element]) -> [Element] {
    var stream = stream(purpose)
    var list = list
    for last in list.indices.reversed() where last > 0 { list.swapAt(last, Int(stream.below(UInt64(last + 1)))) }
    return list
  }
}

/// Values as scenario files write them.
extension Draws {
  /// A time in its largest unit that divides it.
  public static func text(nanoseconds: Int) -> String { SimDuration.nanoseconds(Int64(nanoseconds)).scenarioText }

  /// A number of thousandths with a unit: `7.5ms`, `-85 dBm`.
  public static func text(thousandths: Int, _ unit: String) -> String {
    ScenarioDecoder.Dimension.decimal(Int64(thousandths), 1_000) + unit
  }

  /// A time within limits, in milliseconds.
  public func milliseconds(_ purpose: String, _ range: ClosedRange<Int>) -> String {
    Self.text(nanoseconds: number(purpose, range) * 1_000_000)
  }

  /// A pause at which something may just be under way: from some nanoseconds to seconds, the short ones often.
  public func pause(_ purpose: String) -> String {
    let draws = of(purpose)
    let (unit, range): (Int, ClosedRange<Int>) = draws.weighted(
      "scale",
      [
        (1, (1, 1...999_999)), (3, (1_000, 1...999)), (4, (1_000_000, 1...60)), (3, (1_000_000, 60...2_000)),
        (2, (1_000_000_000, 1...8)),
      ])
    return Self.text(nanoseconds: draws.number("count", range) * unit)
  }
}
