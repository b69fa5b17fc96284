import AppSeam
import Bench
import Judging
import SimKernel

/// Timers of apps: what an app asks for when one of them fires, it asks for because of that.
extension CircumstanceBook {
  struct AppTimer: Sendable {
    var id: TimerID
    var set: SimInstant
    var due: SimInstant
    /// What the app was told when it set it; nil: values, or another timer.
    var told: AppInput?
  }

  /// Shorter ones are steps of what an app does.
  private static let shortest = SimDuration.milliseconds(20)

  /// An app is told something; only the timer that it is told of is the one that has fired.
  mutating func fires(_ input: AppInput, _ record: TraceRecord) {
    let device = record.device
    devices[device].fired = nil
    guard case .timer(let id) = input, let place = devices[device].timers.firstIndex(where: { $0.id == id }) else {
      return
    }
    devices[device].fired = devices[device].timers.remove(at: place)
  }

  mutating func sets(_ id: TimerID, _ due: SimInstant, _ record: TraceRecord) {
    let device = record.device
    cancels(id, record)
    let told = devices[device].toldAt == record.instant ? devices[device].told : nil
    devices[device].timers.append(AppTimer(id: id, set: record.instant, due: due, told: told))
  }

  mutating func cancels(_ id: TimerID, _ record: TraceRecord) {
    devices[record.device].timers.removeAll { $0.id == id }
  }

  /// `a timer of it fired, set at 0.326 s for 15.326 s (15 s later), when it was told: …`; nil: an app does something
  /// for another reason.
  /// - Parameter told: what the reader is told already.
  func firedTimer(of device: Int, but told: AppInput? = nil) -> String? {
    guard let timer = devices[device].fired, timer.due - timer.set >= Self.shortest else { return nil }
    let span = SimDuration.milliseconds((timer.due - timer.set).nanoseconds / 1_000_000)
    let then = timer.told.flatMap { $0 == told ? nil : ", when it was told: \(words($0))" } ?? ""
    return "a timer of it fired, set at \(timer.set.milliseconds) s for \(timer.due.milliseconds) s"
      + " (\(span.shortSeconds) s later)\(then)"
  }

  private func words(_ told: AppInput) -> String {
    if case .connected(let link, let address) = told, let peer = index(of: address) {
      return "link \(link.rawValue) with \(name(peer)) is up"
    }
    return EventWords.of(told)
  }
}
