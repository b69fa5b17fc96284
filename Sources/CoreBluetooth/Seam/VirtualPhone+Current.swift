import Dispatch
import SimKernel

/// Which phone a manager that is being made belongs to.
extension VirtualPhone {
  /// What a thread has under it is not retained: a phone outlives the code that runs for it.
  private static let threadKey: pthread_key_t = {
    var key = pthread_key_t()
    guard pthread_key_create(&key, nil) == 0 else { fatalError("CoreBluetooth: the process has no thread key left") }
    return key
  }()
  private static let queueKey = DispatchSpecificKey<UncheckedBox<WeakReference<VirtualPhone>>>()

  /// The phone of the running code: that of the thread, else of the queue; nil: there is none.
  ///
  /// It is set in everything that runs on a phone of a room or a program, in tasks and queues of its own as well. With
  /// real queues it is set while a phone tells its app something, on queues of its managers, and where somebody sets
  /// it, which counts for the thread; code that hops to a queue of its own finds it there only if that queue's target
  /// is a queue of a manager.
  public static var current: VirtualPhone? {
    get {
      if let place = pthread_getspecific(threadKey) {
        return Unmanaged<VirtualPhone>.fromOpaque(place).takeUnretainedValue()
      }
      if let phone = DispatchQueue.getSpecific(key: queueKey)?.value.value { return phone }
      return nil
    }
    set { pthread_setspecific(threadKey, newValue.map { Unmanaged.passUnretained($0).toOpaque() }) }
  }

  /// Runs a body with this phone as the current one.
  public func whileCurrent<Result>(_ body: () throws -> Result) rethrows -> Result {
    let before = pthread_getspecific(Self.threadKey)
    pthread_setspecific(Self.threadKey, Unmanaged.passUnretained(self).toOpaque())
    defer { pthread_setspecific(Self.threadKey, before) }
    return try body()
  }

  static func mark(_ queue: DispatchQueue, _ phone: VirtualPhone) {
    queue.setSpecific(key: queueKey, value: UncheckedBox(value: WeakReference(value: phone)))
  }

  // MARK: Misuse without, and beyond, a phone

  package static func remarkWithoutPhone(_ kind: CBRemark.Kind, _ name: CBRemark.Name, _ text: String) {
    let remark = CBRemark(kind, name, text, at: .zero)
    FileHandle.standardError.write(Data("CoreBluetooth: \(remark)\n".utf8))
  }

  /// What raises an exception on phones.
  static func raise(_ name: CBRemark.Name, _ text: String) {
    guard let phone = current, phone.settings.exceptions == .record else {
      fatalError("CoreBluetooth: \(name.rawValue): \(text)")
    }
    phone.remark(.exception, name, text)
  }
}
