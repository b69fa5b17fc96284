import Dispatch

/// Something that is due after some seconds, on the main queue.
final class Alarm {
  private var item: DispatchWorkItem?

  var isSet: Bool { item != nil }

  func set(after seconds: Double, _ body: @escaping () -> Void) {
    cancel()
    let item = DispatchWorkItem { [weak self] in
      self?.item = nil
      body()
    }
    self.item = item
    DispatchQueue.main.asyncAfter(
      deadline: .now() + .nanoseconds(Int((seconds * 1_000_000_000).rounded())), execute: item)
  }

  func cancel() {
    item?.cancel()
    item = nil
  }

  deinit { item?.cancel() }
}

/// Seconds on a clock that never goes back.
func uptime() -> Double { Double(DispatchTime.now().uptimeNanoseconds) / 1_000_000_000 }
