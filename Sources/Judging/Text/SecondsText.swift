package import SimKernel

extension SimInstant {
  /// Seconds with three decimals.
  package var milliseconds: String { String(description.dropLast(6)) }
  /// Seconds with six decimals.
  package var microseconds: String { String(description.dropLast(3)) }
}

extension SimDuration {
  /// Seconds with six decimals.
  package var microseconds: String { String(description.dropLast(3)) }
}
