public import SimKernel
import VirtualRadio

extension ScenarioDecoder {
  /// What a quantity counts, in which units it is written, and what a message suggests.
  public struct Dimension {
    public var name: String
    /// Units and how many of the smallest unit they are. A value is written in the first that divides it.
    public var units: [(name: String, scale: Int64)]
    public var examples: String
    /// What a number without a unit counts in; nil: a unit must be written.
    public var bareScale: Int64?
    /// Digits after the point with which a value may be written.
    private var decimals: Int64

    public init(
      name: String, units: [(name: String, scale: Int64)], examples: String, bareScale: Int64? = nil,
      decimals: Int64 = 0
    ) {
      self.name = name
      self.units = units
      self.examples = examples
      self.bareScale = bareScale
      self.decimals = decimals
    }

    /// A value of the smallest unit as scenario files write it.
    public func text(_ value: Int64) -> String {
      let grain: Int64 = decimals == 0 ? 1 : decimals == 1 ? 10 : 100
      let unit = units.first { value == 0 ? $0.scale == bareScale ?? $0.scale : value % max(1, $0.scale / grain) == 0 }
      guard let unit else {
        return Self.decimal(value, bareScale ?? 1)
      }
      let isJoined = unit.name.hasSuffix("s") && !unit.name.contains("/") || ["min", "h", "%", "‰"].contains(unit.name)
      return Self.decimal(value, unit.scale) + (isJoined ? "" : " ") + unit.name
    }

    /// A number of parts of which so many, a power of ten or less, are one.
    public static func decimal(_ value: Int64, _ scale: Int64) -> String {
      var (rest, digits) = (Int64(value.magnitude) % scale, "")
      while rest > 0 {
        digits += String(rest * 10 / scale)
        rest = rest * 10 % scale
      }
      return (value < 0 ? "-" : "") + String(value.magnitude / UInt64(scale)) + (digits.isEmpty ? "" : "." + digits)
    }

    /// Nanoseconds.
    public static var time: Dimension {
      Dimension(
        name: "duration",
        units: [
          ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000), ("µs", 1_000), ("μs", 1_000), ("ns", 1),
          ("min", 60_000_000_000), ("h", 3_600_000_000_000),
        ],
        examples: "5s, 300ms, 20us or 1min")
    }
    /// Centimetres; a bare number is metres.
    static var length: Dimension {
      Dimension(
        name: "length", units: [("km", 100_000), ("m", 100), ("cm", 1)], examples: "2 m, 50 cm or 1.5 km",
        bareScale: 100)
    }
    /// Thousandths.
    public static var permille: Dimension {
      Dimension(name: "share", units: [("%", 10), ("‰", 1)], examples: "80% or 0.5%", decimals: 1)
    }
    /// Parts per million, as a probability.
    static var probability: Dimension {
      Dimension(name: "probability", units: [("%", 10_000), ("ppm", 1), ("‰", 1_000)], examples: "1%, 0.25% or 30 ppm")
    }
    /// Parts per million, as a frequency error.
    static var clock: Dimension { Dimension(name: "clock error", units: [("ppm", 1)], examples: "20 ppm or -35 ppm") }
    /// Nanoamperes.
    static var current: Dimension {
      Dimension(
        name: "current", units: [("mA", 1_000_000), ("uA", 1_000), ("µA", 1_000), ("μA", 1_000), ("nA", 1)],
        examples: "7.1 mA or 1.9 uA", decimals: 1)
    }
    /// Hundredths of dB.
    static var ratio: Dimension {
      Dimension(name: "loss", units: [("dB", 100)], examples: "6 dB or 2.5 dB", decimals: 2)
    }
    /// Hundredths of dBm.
    static var level: Dimension {
      Dimension(name: "level", units: [("dBm", 100)], examples: "0 dBm or -95.5 dBm", decimals: 2)
    }
    /// Hundredths.
    static var factor: Dimension { Dimension(name: "number", units: [], examples: "2.4 or 3", bareScale: 100) }
  }

  /// A quantity in the dimension's smallest unit, within `limits`.
  /// - Parameter limitsText: how messages call the limits; nil: as the dimension writes both.
  public func quantity(
    _ tree: YAMLTree, _ what: String, _ dimension: Dimension, _ limits: ClosedRange<Int64>, _ limitsText: String? = nil
  ) -> Int64? {
    guard let text = text(tree, what) else { return nil }
    return quantity(text, at: tree.location, what, dimension, limits, limitsText)
  }

  func quantity(
    _ text: String, at location: SourceLocation, _ what: String, _ dimension: Dimension,
    _ limits: ClosedRange<Int64>, _ limitsText: String? = nil
  ) -> Int64? {
    guard let quantity = Quantity(text) else {
      return refuse(location, "\(what) “\(shown(text))” is no \(dimension.name); write \(dimension.examples)")
    }
    let scale =
      quantity.unit.isEmpty
      ? dimension.bareScale : dimension.units.first { $0.name == quantity.unit }?.scale
    guard let scale else {
      let reason = quantity.unit.isEmpty ? "has no unit" : "has an unknown unit “\(shown(quantity.unit))”"
      return refuse(location, "\(what) “\(shown(text))” \(reason); write \(dimension.examples)")
    }
    guard let value = quantity.scaled(by: scale) else {
      return refuse(location, "\(what) “\(shown(text))” is too fine or too large; write \(dimension.examples)")
    }
    guard limits.contains(value) else {
      let ends = limitsText ?? "\(dimension.text(limits.lowerBound)) to \(dimension.text(limits.upperBound))"
      return refuse(location, "\(what) “\(shown(text))” is out of range; write \(ends)")
    }
    return value
  }

  /// Not negative, at most 1000 h: whatever a scenario adds up stays far from the end of time.
  public func duration(_ tree: YAMLTree, _ what: String, least: SimDuration = .zero) -> SimDuration? {
    guard let text = text(tree, what) else { return nil }
    return duration(text, at: tree.location, what, least: least)
  }

  func duration(_ text: String, at location: SourceLocation, _ what: String, least: SimDuration) -> SimDuration? {
    let limits = least.nanoseconds...3_600_000_000_000_000
    let limitsText = least == .zero ? "0s to 1000h" : "more than 0s, up to 1000h"
    return quantity(text, at: location, what, .time, limits, limitsText).map { SimDuration(nanoseconds: $0) }
  }

  /// `a..b`, or one value for both ends.
  public func durationRange(_ tree: YAMLTree, _ what: String) -> ClosedRange<SimDuration>? {
    guard let (first, last) = ends(tree, what) else { return nil }
    guard let low = duration(first, at: tree.location, what, least: .zero),
      let high = duration(last, at: tree.location, what, least: .zero)
    else { return nil }
    return ordered(low, high, tree, what)
  }

  public func permilleRange(_ tree: YAMLTree, _ what: String) -> ClosedRange<Int>? {
    guard let (first, last) = ends(tree, what) else { return nil }
    guard let low = quantity(first, at: tree.location, what, .permille, 0...1_000),
      let high = quantity(last, at: tree.location, what, .permille, 0...1_000)
    else { return nil }
    return ordered(Int(low), Int(high), tree, what)
  }

  func integerRange(_ tree: YAMLTree, _ what: String, _ limits: ClosedRange<Int>) -> ClosedRange<Int>? {
    guard let (first, last) = ends(tree, what) else { return nil }
    guard let low = integer(first, at: tree.location, what, limits),
      let high = integer(last, at: tree.location, what, limits)
    else { return nil }
    return ordered(low, high, tree, what)
  }

  func probability(_ tree: YAMLTree, _ what: String) -> Ratio? {
    quantity(tree, what, .probability, 0...1_000_000).map { parts in
      parts == 0 ? .never : parts == 1_000_000 ? .always : .partsPerMillion(UInt64(parts))
    }
  }

  /// A whole number within limits; nil after noting what is wrong.
  public func integer(_ tree: YAMLTree, _ what: String, _ limits: ClosedRange<Int>) -> Int? {
    guard let text = text(tree, what) else { return nil }
    return integer(text, at: tree.location, what, limits)
  }

  func integer(_ text: String, at location: SourceLocation, _ what: String, _ limits: ClosedRange<Int>) -> Int? {
    guard let quantity = Quantity(text), quantity.unit.isEmpty, quantity.decimals == 0 else {
      return refuse(
        location, "\(what) “\(shown(text))” is no whole number; write \(limits.lowerBound) to \(limits.upperBound)")
    }
    guard limits.contains(Int(quantity.digits)) else {
      return refuse(
        location, "\(what) \(quantity.digits) is out of range; write \(limits.lowerBound) to \(limits.upperBound)")
    }
    return Int(quantity.digits)
  }

  /// A seed may be any unsigned 64-bit number, decimal or `0x` hexadecimal.
  func seed(_ tree: YAMLTree) -> UInt64? {
    guard let text = text(tree, "seed") else { return nil }
    let value = text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
    if value == nil {
      note(tree.location, "seed “\(shown(text))” is no seed; write a whole number from 0 to \(UInt64.max)")
    }
    return value
  }

  /// `[x, y]` or `[x, y, z]`, each within ±10 km.
  func position(_ tree: YAMLTree, _ what: String) -> Position? {
    guard case .sequence(let items) = tree.value, (2...3).contains(items.count) else {
      return refuse(tree.location, "\(what) must be a point, not \(tree.kindName); write [x, y] or [x, y, z] in metres")
    }
    let axes = zip(items, ["x", "y", "z"]).map { item, axis in
      quantity(item, "\(axis) of \(what)", .length, Layout.limits)
    }
    guard let x = axes[0], let y = axes[1], let z = axes.count > 2 ? axes[2] : 0 else { return nil }
    return Position(x: Int(x), y: Int(y), z: Int(z))
  }

  private func ends(_ tree: YAMLTree, _ what: String) -> (String, String)? {
    guard let text = text(tree, what) else { return nil }
    let octets = Array(text.utf8)
    for index in octets.indices.dropLast() where octets[index] == 0x2E && octets[index + 1] == 0x2E {
      let (first, last) = (octets[..<index], octets[(index + 2)...])
      return (String(decoding: first, as: UTF8.self), String(decoding: last, as: UTF8.self))
    }
    return (text, text)
  }

  private func ordered<T: Comparable>(_ low: T, _ high: T, _ tree: YAMLTree, _ what: String) -> ClosedRange<T>? {
    if low <= high { return low...high }
    return refuse(tree.location, "\(what) runs backwards; write the smaller end first")
  }
}

extension SimDuration {
  /// A duration as scenario files write it (`5s`, `300ms`, `1.5min`); nil when it is none, or is longer than 1000 h.
  public init?(scenarioText text: String) {
    let decoder = ScenarioDecoder(file: "")
    guard let value = decoder.duration(text, at: SourceLocation(line: 1, column: 1), "", least: .zero) else {
      return nil
    }
    self = value
  }
}
