import Foundation

/// One deadline at a time, on the main queue. A cancelled one leaves nothing, which an item of `asyncAfter` does.
final class Alarm {
  private var source: DispatchSourceTimer?

  /// - Parameter delay: `.never`: nothing is set.
  func set(after delay: DispatchTimeInterval, _ action: @escaping () -> Void) {
    cancel()
    if delay == .never { return }
    let source = DispatchSource.makeTimerSource(queue: .main)
    source.setEventHandler { [weak self] in
      self?.cancel()
      action()
    }
    source.schedule(deadline: .now() + delay)
    source.resume()
    self.source = source
  }

  func cancel() {
    source?.cancel()
    source = nil
  }
}
