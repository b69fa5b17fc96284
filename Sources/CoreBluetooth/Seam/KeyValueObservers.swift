/// An object of the classes whose properties may be observed.
protocol KeyValueObserved: AnyObject {
  var observers: KeyValueObservers { get }
}

/// Who observes an object, in the order in which they began.
final class KeyValueObservers: @unchecked Sendable {
  private let lock = NSLock()
  private var all: [WeakReference<NSKeyValueObservation>] = []

  func add(_ observation: NSKeyValueObservation) {
    lock.withLock { all.append(WeakReference(value: observation)) }
  }

  /// One that is being released is not there any more.
  func remove(_ observation: NSKeyValueObservation) {
    lock.withLock { all.removeAll { $0.value == nil || $0.value === observation } }
  }

  func look() {
    for observation in lock.withLock({ all.compactMap(\.value) }) { observation.look() }
  }
}

extension KeyValueObserved {
  /// Tells observers, and whoever listens to the notification: publishers of another module, for example.
  func tellObservers() {
    observers.look()
    NotificationCenter.default.post(name: .keyValueChanged, object: self)
  }
}

extension Notification.Name {
  /// A property of an object of CoreBluetooth may have changed; the shim of Combine listens to it.
  static let keyValueChanged = Notification.Name("CoreBluetooth.keyValueChanged")
}
