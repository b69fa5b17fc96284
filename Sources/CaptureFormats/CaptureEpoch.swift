/// The date that capture files give to the start of a run.
///
/// A run has no date; files must have one. Every run starts at 2000-01-01 00:00:00 UTC, so that the same run gives the
/// same file and a reader of the file sees immediately that the time is simulated.
public enum CaptureEpoch {
  /// Seconds from 1970-01-01 to the start of a run.
  public static let unixSeconds: Int64 = 946_684_800
  /// Microseconds from 0000-01-01 to the start of a run, as every btsnoop reader and writer counts; the calendar would
  /// have twelve days less.
  public static let btsnoopMicroseconds: Int64 = 0x00E0_3AB4_4A67_6000
}
