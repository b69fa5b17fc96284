import BluetoothWire

/// Two links of one radio with one connection interval, whose clocks differ: how their events drift through each other.
///
/// The first exchanges of both links are as long as each other. Events overlap while the anchors are less than that
/// apart, on either side.
struct LinkOverlap {
  /// Milliseconds.
  var interval: Double
  /// Relative drift of the two clocks, microseconds a second.
  var drift: Double

  /// An idle exchange on LE 1M, microseconds.
  static let exchange = Double(Exchange.time(payload: 0, phy: .le1M) - Exchange.interFrameSpace)

  /// From one meeting to the next, seconds.
  var period: Double { interval * 1_000 / drift }
  /// How long a meeting lasts, seconds.
  var duration: Double { 2 * Self.exchange / drift }
  /// From the start of a link at a phase that nobody chose to its first meeting, at most, seconds. A link that starts
  /// within a meeting is not established.
  private var longestWait: Double { period - duration }

  /// The share of links that are lost within a time, seconds, where the meeting outlasts the supervision timeout.
  func losses(within time: Double, timeout: Double) -> Double { min(1, max(0, time - timeout) / longestWait) }

  /// Mean and standard deviation of the life of such a link, seconds.
  func life(timeout: Double) -> (mean: Double, deviation: Double) {
    (longestWait / 2 + timeout, longestWait / Double(12).squareRoot())
  }
}
