import SimKernel

/// How much time has passed between the packets of one capture, whatever its clock was set to meanwhile.
///
/// A clock that is set forth cannot be told from silence. So no silence counts for more than ten seconds, and time that
/// steps back counts for nothing: to have waited 30 s takes packets in between.
struct WitnessedTime {
  private static let longest = SimDuration.seconds(10)

  private(set) var passed = SimInstant.zero
  private var newest: SimInstant?

  @inline(__always)
  mutating func see(_ instant: SimInstant) {
    if let newest, instant > newest {
      let (step, isTooLong) = instant.nanoseconds.subtractingReportingOverflow(newest.nanoseconds)
      passed = passed + (isTooLong ? Self.longest : min(.nanoseconds(step), Self.longest))
    }
    newest = instant
  }
}
