package import SimKernel
import VirtualRadio

extension ScenarioDecoder {
  /// A unit, how many of the smallest unit it is, and what a message suggests.
  package struct Dimension {
    package var name: String
    package var units: [(name: String, scale: Int64)]
    package var examples: String
    /// What a number without a unit counts in; nil: a unit must be written.
    package var bareScale: Int64? = nil

    package init(
      name: String, units: [(name: String, scale: Int64)], examples: String, bareScale: Int64? = nil
    ) {
      self.name = name
      self.units = units
      self.examples = examples
      self.bareScale = bareScale
    }

    /// Nanoseconds.
    static var time: Dimension {
      Dimension(
        name: "duration",
        units: [
          ("ns", 1), ("us", 1_000), ("µs", 1_000), ("μs", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000),
          ("min", 60_000_000_000), ("h", 3_600_000_000_000),
        ],
        examples: "5s, 300ms, 20us or 1min")
    }
    /// Centimetres; a bare number is metres.
    static var length: Dimension {
      Dimension(
        name: "length", units: [("m", 100), ("cm", 1), ("km", 100_000)], examples: "2 m, 50 cm or 1.5 km",
        bareScale: 100)
    }
    /// Thousandths.
    package static var permille: Dimension {
      Dimension(name: "share", units: [("%", 10), ("‰", 1)], examples: "80% or 0.5%")
    }
    /// Parts per million, as a probability.
    static var probability: Dimension {
      Dimension(name: "probability", units: [("%", 10_000), ("‰", 1_000), ("ppm", 1)], examples: "1%, 0.25% or 30 ppm")
    }
    /// Parts per million, as a frequency error.
    static var clock: Dimension { Dimension(name: "clock error", units: [("ppm", 1)], examples: "20 ppm or -35 ppm") }
    /// Nanoamperes.
    static var current: Dimension {
      Dimension(
        name: "current", units: [("mA", 1_000_000), ("uA", 1_000), ("µA", 1_000), ("μA", 1_000), ("nA", 1)],
        examples: "7.1 mA or 1.9 uA")
    }
    /// Hundredths of dB.
    static var ratio: Dimension { Dimension(name: "loss", units: [("dB", 100)], examples: "6 dB or 2.5 dB") }
    /// Hundredths of dBm.
    static var level: Dimension { Dimension(name: "level", units: [("dBm", 100)], examples: "0 dBm or -95.5 dBm") }
    /// Hundredths.
    static var factor: Dimension { Dimension(name: "number", units: [], examples: "2.4 or 3", bareScale: 100) }
  }

  /// A quantity in the dimension's smallest unit, within `limits`.
  package func quantity(
    _ tree: YAMLTree, _ what: String, _ dimension: Dimension, _ limits: ClosedRange<Int64>, _ limitsText: String
  ) -> Int64? {
    guard let text = text(tree, what) else { return nil }
    return quantity(text, at: tree.location, what, dimension, limits, limitsText)
  }

  func quantity(
    _ text: String, at location: SourceLocation, _ what: String, _ dimension: Dimension,
    _ limits: ClosedRange<Int64>, _ limitsText: String
  ) -> Int64? {
    guard let quantity = Quantity(text) else {
      note(location, "\(what) “\(shown(text))” is no \(dimension.name); write \(dimension.examples)")
      return nil
    }
    let scale =
      quantity.unit.isEmpty
      ? dimension.bareScale : dimension.units.first { $0.name == quantity.unit }?.scale
    guard let scale else {
      let reason = quantity.unit.isEmpty ? "has no unit" : "has an unknown unit “\(shown(quantity.unit))”"
      note(location, "\(what) “\(shown(text))” \(reason); write \(dimension.examples)")
      return nil
    }
    guard let value = quantity.scaled(by: scale) else {
      note(location, "\(what) “\(shown(text))” is too fine or too large; write \(dimension.examples)")
      return nil
    }
    guard limits.contains(value) else {
      note(location, "\(what) “\(shown(text))” is out of range; write \(limitsText)")
      return nil
    }
    return value
  }

  /// Not negative, at most 1000 h: whatever a scenario adds up stays far from the end of time.
  package func duration(_ tree: YAMLTree, _ what: String, least: SimDuration = .zero) -> SimDuration? {
    guard let text = text(tree, what) else { return nil }
    return duration(text, at: tree.location, what, least: least)
  }

  func duration(_ text: String, at location: SourceLocation, _ what: String, least: SimDuration) -> SimDuration? {
    let limits = least.nanoseconds...3_600_000_000_000_000
    let limitsText = least == .zero ? "0s to 1000h" : "more than 0s, up to 1000h"
    return quantity(text, at: location, what, .time, limits, limitsText).map { SimDuration(nanoseconds: $0) }
  }

  /// `a..b`, or one value for both ends.
  package func durationRange(_ tree: YAMLTree, _ what: String) -> ClosedRange<SimDuration>? {
    guard let (first, last) = ends(tree, what) else { return nil }
    guard let low = duration(first, at: tree.location, what, least: .zero),
      let high = duration(last, at: tree.location, what, least: .zero)
    else { return nil }
    return ordered(low, high, tree, what)
  }

  package func permilleRange(_ tree: YAMLTree, _ what: String) -> ClosedRange<Int>? {
    guard let (first, last) = ends(tree, what) else { return nil }
    guard let low = quantity(first, at: tree.location, what, .permille, 0...1_000, "0% to 100%"),
      let high = quantity(last, at: tree.location, what, .permille, 0...1_000, "0% to 100%")
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
    quantity(tree, what, .probability, 0...1_000_000, "0% to 100%").map { Ratio.partsPerMillion(UInt64($0)) }
  }

  package func integer(_ tree: YAMLTree, _ what: String, _ limits: ClosedRange<Int>) -> Int? {
    guard let text = text(tree, what) else { return nil }
    return integer(text, at: tree.location, what, limits)
  }

  func integer(_ text: String, at location: SourceLocation, _ what: String, _ limits: ClosedRange<Int>) -> Int? {
    guard let quantity = Quantity(text), quantity.unit.isEmpty, quantity.decimals == 0 else {
      note(location, "\(what) “\(shown(text))” is no whole number; write \(limits.lowerBound) to \(limits.upperBound)")
      return nil
    }
    guard limits.contains(Int(quantity.digits)) else {
      note(
        location, "\(what) \(quantity.digits) is out of range; write \(limits.lowerBound) to \(limits.upperBound)")
      return nil
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
      note(tree.location, "\(what) must be a point, not \(tree.kindName); write [x, y] or [x, y, z] in metres")
      return nil
    }
    let axes = zip(items, ["x", "y", "z"]).map { item, axis in
      quantity(item, "\(axis) of \(what)", .length, Layout.limits, "-10 km to 10 km")
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
    note(tree.location, "\(what) runs backwards; write the smaller end first")
    return nil
  }
}

extension SimDuration {
  /// A duration as scenario files write it (`5s`, `300ms`, `1.5min`); nil when it is none, or is longer than 1000 h.
  package init?(scenarioText text: String) {
    let decoder = ScenarioDecoder(file: "")
    guard let value = decoder.duration(text, at: SourceLocation(line: 1, column: 1), "", least: .zero) else {
      return nil
    }
    self = value
  }
}
