/// The progress line of many worlds: how many, how fast, how long still.
///
/// Only touched by one thread at a time.
final class RateMeter {
  /// Nil: nobody knows.
  private let total: Int?
  private var first: (done: Int, at: ContinuousClock.Instant)?
  private var last = ContinuousClock.now

  init(total: Int?) { self.total = total }

  func show(done: Int, failed: Int) {
    guard Console.showsProgress else { return }
    let now = ContinuousClock.now
    let first = first ?? (done, now)
    self.first = first
    if done != total, now - last < .milliseconds(100) { return }
    last = now
    let seconds = (now - first.at) / .seconds(1)
    let rate = seconds > 0 ? Double(done - first.done) / seconds : 0
    var text = total.map { "\(done) of \($0) worlds" } ?? "\(done) worlds"
    if failed > 0 { text += ", \(failed) not passed" }
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
