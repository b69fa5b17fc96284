/// Counts pieces of work for the progress line.
///
/// Only touched by one thread at a time: `Workers` calls back under its lock.
final class ProgressCounter: @unchecked Sendable {
  private let total: Int
  private let noun: String
  private var done = 0
  private var bad = 0

  /// - Parameter noun: what is counted, in the plural.
  init(total: Int, _ noun: String) {
    self.total = total
    self.noun = noun
  }

  func count(isBad: Bool = false) {
    done += 1
    if isBad { bad += 1 }
    guard Console.showsProgress else { return }
    Console.progress("\(done) of \(total) \(noun)" + (bad > 0 ? ", \(bad) not passed" : ""))
  }
}
