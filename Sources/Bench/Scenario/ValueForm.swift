public import SimKernel
import VirtualRadio

/// How a value of a scenario is written: what the schema says of it, and how it is read and written.
public struct ValueForm<Value> {
  public typealias Dimension = ScenarioDecoder.Dimension

  let kind: ValueKind
  /// - Parameter what: how messages call the value.
  let read: (_ decoder: ScenarioDecoder, _ tree: YAMLTree, _ what: String) -> Value?
  let write: (Value) -> YAMLTree

  init(
    _ kind: ValueKind, _ write: @escaping (Value) -> YAMLTree,
    _ read: @escaping (ScenarioDecoder, YAMLTree, String) -> Value?
  ) {
    (self.kind, self.read, self.write) = (kind, read, write)
  }

  /// “none”, or a value.
  public var orNone: ValueForm<Value?> {
    ValueForm<Value?>(.either([.word(["none"]), kind]), { $0.map(write) ?? .scalar("none") }) { decoder, tree, what in
      if case .scalar("none", _) = tree.value { return .some(nil) }
      return read(decoder, tree, what).map { .some($0) }
    }
  }

  /// “no”, “yes”, which means a value, or a value.
  public func orBoolean(yes: Value) -> ValueForm<Value?> {
    ValueForm<Value?>(.either([.boolean, kind]), { $0.map(write) ?? .flag(false) }) { decoder, tree, what in
      guard case .scalar = tree.value, !tree.isEmpty else { return read(decoder, tree, what).map { .some($0) } }
      return decoder.boolean(tree, what).map { $0 ? yes : nil }
    }
  }

  public static func list<Item>(_ item: ValueForm<Item>) -> Self where Value == [Item] {
    Self(.list(item.kind), { .list($0.map(item.write)) }) { decoder, tree, what in
      decoder.items(tree, what)?.compactMap { item.read(decoder, $0, what) }
    }
  }
}

extension ValueForm where Value == Bool {
  public static var boolean: Self { Self(.boolean, YAMLTree.flag) { $0.boolean($1, $2) } }
}

extension ValueForm where Value == String {
  public static var text: Self { Self(.text, YAMLTree.scalar) { $0.text($1, $2) } }

  /// - Parameter what: how messages call the word; nil: by its key.
  public static func word(_ words: [String], _ what: String? = nil) -> Self {
    Self(.word(words), YAMLTree.scalar) { $0.choice($1, what ?? $2, from: words) }
  }
}

extension ValueForm where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// The raw value of a case.
  static func word(_ what: String) -> Self {
    let word = ValueForm<String>.word(Value.allCases.map(\.rawValue), what)
    return Self(word.kind, { .scalar($0.rawValue) }) { word.read($0, $1, $2).flatMap { Value(rawValue: $0) } }
  }
}

extension ValueForm where Value: FixedWidthInteger {
  public static func whole(_ limits: ClosedRange<Int>) -> Self {
    let kind = ValueKind.integer(limits.lowerBound, limits.upperBound)
    return Self(kind, { .scalar("\($0)") }) { $0.integer($1, $2, limits).map { Value($0) } }
  }

  /// A number in the smallest unit of a dimension.
  static func quantity(_ kind: ValueKind, _ dimension: Dimension, _ limits: ClosedRange<Int64>) -> Self {
    Self(kind, { .scalar(dimension.text(Int64($0))) }) { $0.quantity($1, $2, dimension, limits).map { Value($0) } }
  }

  /// Hundredths of dB.
  static func decibel(_ limits: ClosedRange<Int64>) -> Self { quantity(.decibel, .ratio, limits) }
  /// Hundredths of dBm.
  static func level(_ limits: ClosedRange<Int64>) -> Self { quantity(.level, .level, limits) }
  /// Hundredths.
  static func factor(_ limits: ClosedRange<Int64>) -> Self { quantity(.factor, .factor, limits) }
  /// Thousandths.
  public static func share(_ limits: ClosedRange<Int64> = 0...1_000) -> Self { quantity(.share, .permille, limits) }
  /// Nanoamperes, up to an ampere.
  static var current: Self { quantity(.current, .current, 0...1_000_000_000) }

  /// A duration in whole units of so many microseconds; the limits are numbers of units.
  static func units(of microseconds: Int64, _ limits: ClosedRange<Int64>) -> Self {
    func text(_ count: Int64, _ unit: String = "ms", _ size: Int64 = 1_000) -> String {
      Dimension.decimal(count * microseconds, size) + unit
    }
    let ends = text(limits.lowerBound) + " to " + text(limits.upperBound, "s", 1_000_000)
    return Self(.duration, { .scalar(text(Int64($0))) }) { decoder, tree, what in
      guard let value = decoder.duration(tree, what)?.nanoseconds else { return nil }
      let unit = microseconds * 1_000
      if value % unit == 0, limits.contains(value / unit) { return Value(value / unit) }
      return decoder.refuse(tree.location, "\(what) cannot be that; write \(ends) in steps of \(text(1))")
    }
  }

  /// Units of 1.25 ms (Vol 4, Part E, 7.8.18).
  static var connectionInterval: Self { units(of: 1_250, 6...3_200) }
  /// Units of 10 ms (Vol 4, Part E, 7.8.18).
  static var supervisionTimeout: Self { units(of: 10_000, 10...3_200) }
  /// Connection events (Vol 4, Part E, 7.8.18).
  static var peripheralLatency: Self { whole(0...499) }
}

extension ValueForm where Value == Ratio {
  static var probability: Self {
    Self(.loss, { .scalar(Dimension.probability.text(Int64($0.numerator * 1_000_000 / $0.denominator))) }) {
      $0.probability($1, $2)
    }
  }
}

extension ValueForm where Value == SimDuration {
  public static func duration(least: SimDuration = .zero) -> Self {
    Self(.duration, { .scalar($0.scenarioText) }) { $0.duration($1, $2, least: least) }
  }
}

extension ValueForm where Value == ClosedRange<SimDuration> {
  public static var durations: Self {
    Self(.durationRange, { .scalar($0.lowerBound.scenarioText + ".." + $0.upperBound.scenarioText) }) {
      $0.durationRange($1, $2)
    }
  }
}

extension ValueForm where Value == ClosedRange<Int> {
  static func range(_ limits: ClosedRange<Int>) -> Self {
    Self(.integerRange, { .scalar("\($0.lowerBound)..\($0.upperBound)") }) { $0.integerRange($1, $2, limits) }
  }

  /// Thousandths.
  public static var shares: Self {
    let text = { (share: Int) in Dimension.permille.text(Int64(share)) }
    return Self(.shareRange, { .scalar(text($0.lowerBound) + ".." + text($0.upperBound)) }) { $0.permilleRange($1, $2) }
  }
}

extension ValueForm where Value == Position {
  static var point: Self {
    let text = { (axis: Int) in YAMLTree.scalar(Dimension.decimal(Int64(axis), 100)) }
    return Self(.point, { .list([text($0.x), text($0.y), text($0.z)]) }) { $0.position($1, $2) }
  }
}

extension SimDuration {
  /// As scenario files write it; not negative.
  public var scenarioText: String { ScenarioDecoder.Dimension.time.text(nanoseconds) }
}
