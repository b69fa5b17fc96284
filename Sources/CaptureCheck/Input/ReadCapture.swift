public import CaptureFormats

/// What has been read of one capture.
public struct ReadCapture: Sendable {
  public var path: String
  public var format: CaptureFormat?
  public var records: Int
  /// Records by what they are, in the order of first appearance.
  public var links: [(link: CaptureLink, records: Int)] = []
  public var ending: CaptureEnding
  /// Since 1970; nil when it has no records.
  public var firstNanoseconds: Int64?
  public var lastNanoseconds: Int64?
  /// What was added to its times to bring it onto the common clock, with how sure that is; nil for a single one.
  public var clock: ClockOffset?
  /// Records that another capture has too, because both were taken at one place.
  var shared = 0
  /// Records that it should have, because others of that place have them, and has not.
  var lacking = 0
  /// As the capturer counted them; nil when the format does not say.
  public var drops: UInt32?
  /// Records that could not be taken apart, by reason, with the first one of each.
  public var opaque: [(why: CaptureOpacity, first: Int, records: Int)] = []
}
