/// The progress line of a campaign: how many trials, how fast, how long still.
///
/// Only touched by one thread at a time.
package final class ProgressLine: @unchecked Sendable {
  private let unit: String
  /// Nil: nobody knows.
  private let total: Int?
  private var first: (done: Int, at: ContinuousClock.Instant)?
  private var last = ContinuousClock.now

  /// - Parameters:
  ///   - unit: what is counted, in the plural.
  ///   - total: how many there are; nil: nobody knows.
  package init(_ unit: String, of total: Int?) {
    self.unit = unit
    self.total = total
  }

  /// Shows how far it is, at most ten times a second; nothing where standard error is no terminal.
  /// - Parameter bad: those that did not pass.
  package func show(done: Int, bad: Int) {
    guard Console.showsProgress else { return }
    let now = ContinuousClock.now
    let first = first ?? (done, now)
    self.first = first
    if done != total, now - last < .milliseconds(100) { return }
    last = now
    let seconds = (now - first.at) / .seconds(1)
    let rate = seconds > 0 ? Double(done - first.done) / seconds : 0
    var text = total.map { "\(done) of \($0) \(unit)" } ?? "\(done) \(unit)"
    if bad > 0 { text += ", \(bad) not passed" }
    if rate > 0 {
      text += rate < 10 ? ", \(Double(Int(rate * 10)) / 10)/s" : ", \(Int(rate))/s"
      if let total { text += ", " + Self.span(Int(Double(total - done) / rate)) + " left" }
    }
    Console.progress(text)
  }

  private static func span(_ seconds: Int) -> String {
    if seconds < 100 { return "\(seconds) s" }
    if seconds < 6_000 { return "\((seconds + 30) / 60) min" }
    return "\(seconds / 3_600) h \(seconds % 3_600 / 60) min"
  }
}
