/// A length of simulated time, an integer count of nanoseconds.
///
/// Integer because rounding must never depend on the machine; nanoseconds because sleep-clock errors of a few
/// parts per million must show within one connection interval. Range: about ±292 years.
public struct SimDuration: Hashable, Comparable, Sendable {
  /// Signed count of nanoseconds.
  public var nanoseconds: Int64

  @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  // Computed, so that other modules get the constant and not a call for its address.
  @inlinable public static var zero: Self { Self(nanoseconds: 0) }

  @inlinable public static func nanoseconds(_ count: Int64) -> Self { Self(nanoseconds: count) }
  @inlinable public static func microseconds(_ count: Int64) -> Self { Self(nanoseconds: count * 1_000) }
  @inlinable public static func milliseconds(_ count: Int64) -> Self { Self(nanoseconds: count * 1_000_000) }
  @inlinable public static func seconds(_ count: Int64) -> Self { Self(nanoseconds: count * 1_000_000_000) }

  @inlinable public static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }
  @inlinable public static func + (a: Self, b: Self) -> Self { Self(nanoseconds: a.nanoseconds + b.nanoseconds) }
  @inlinable public static func - (a: Self, b: Self) -> Self { Self(nanoseconds: a.nanoseconds - b.nanoseconds) }
  @inlinable public static func * (a: Self, b: Int64) -> Self { Self(nanoseconds: a.nanoseconds * b) }
  @inlinable public static func / (a: Self, b: Int64) -> Self { Self(nanoseconds: a.nanoseconds / b) }
  @inlinable public static func / (a: Self, b: Self) -> Int64 { a.nanoseconds / b.nanoseconds }
  @inlinable public static func += (a: inout Self, b: Self) { a.nanoseconds += b.nanoseconds }
}

/// A point of simulated time, an integer count of nanoseconds since the start of the run.
public struct SimInstant: Hashable, Comparable, Sendable {
  /// Nanoseconds since the start of the run; never negative in a running world.
  public var nanoseconds: Int64

  @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The instant at which every run starts.
  @inlinable public static var zero: Self { Self(nanoseconds: 0) }
  /// Later than every instant a run can reach.
  @inlinable public static var distantFuture: Self { Self(nanoseconds: Int64.max) }

  @inlinable public static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }
  @inlinable public static func + (a: Self, b: SimDuration) -> Self { Self(nanoseconds: a.nanoseconds + b.nanoseconds) }
  @inlinable public static func - (a: Self, b: SimDuration) -> Self { Self(nanoseconds: a.nanoseconds - b.nanoseconds) }
  @inlinable public static func - (a: Self, b: Self) -> SimDuration {
    SimDuration(nanoseconds: a.nanoseconds - b.nanoseconds)
  }
}

/// As the number of nanoseconds.
extension SimInstant: Codable {
  public init(from decoder: any Decoder) throws {
    nanoseconds = try decoder.singleValueContainer().decode(Int64.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var box = encoder.singleValueContainer()
    try box.encode(nanoseconds)
  }
}

extension SimInstant: CustomStringConvertible {
  /// Seconds with nine decimals, for example `12.345000000`.
  public var description: String { SimDuration(nanoseconds: nanoseconds).description }
}

extension SimDuration {
  /// Seconds without zeros at the end, for texts: `5`, `0.3`.
  public var shortSeconds: String {
    let text = description
    let fraction = text.reversed().drop { $0 == "0" }
    return String((fraction.first == "." ? fraction.dropFirst() : fraction).reversed())
  }
}

extension SimDuration: CustomStringConvertible {
  /// Seconds with nine decimals, for example `0.030000000`.
  public var description: String {
    let magnitude = nanoseconds.magnitude
    let fraction = String(magnitude % 1_000_000_000)
    return (nanoseconds < 0 ? "-" : "") + String(magnitude / 1_000_000_000) + "."
      + String(repeating: "0", count: 9 - fraction.count) + fraction
  }
}
