import AppSeam

/// What central and peripheral managers have in common: a state, and a queue for the delegate's methods.
///
/// Source: Apple, `CBManager`. Not `Sendable`, as Apple's class is not.
open class CBManager: NSObject, KeyValueObserved {
  package let phone: VirtualPhone?
  /// The manager's place among those of its phone, in the order in which they were made; from 0.
  let number: Int
  let queue: DispatchQueue
  let restoreIdentifier: String?
  let observers = KeyValueObservers()
  var shownState = CBManagerState.unknown { didSet { if shownState != oldValue { changed() } } }

  init(queue: DispatchQueue?, restoreIdentifier: String?) {
    phone = VirtualPhone.current
    self.queue = queue ?? .main
    self.restoreIdentifier = restoreIdentifier
    number = phone?.nextManagerNumber() ?? 0
    super.init()
    phone?.know(self.queue)
    if restoreIdentifier != nil { phone?.ask(.gap(.preserve(true))) }
    if phone == nil {
      shownState = .unsupported
      VirtualPhone.remarkWithoutPhone(
        .misuse, .noPhone,
        "a manager was made while VirtualPhone.current is nil: its state is “unsupported”"
      )
    }
  }

  /// What can be asked of Bluetooth now; as the delegate was last told, and `.unknown` before.
  open var state: CBManagerState { shownState }

  /// Whether the app may use Bluetooth; that of the current virtual phone.
  open class var authorization: CBManagerAuthorization {
    VirtualPhone.current?.settings.authorization ?? .notDetermined
  }

  /// Whether the app may use Bluetooth. Deprecated by Apple in favour of the type property; kept for old code.
  open var authorization: CBManagerAuthorization { phone?.settings.authorization ?? .notDetermined }

  /// A property has another value: observers are told as soon as the phone's lock is free.
  func changed() { phone?.changed(self) }

  /// Calls the app on the manager's queue, after everything that was put there before.
  func call(_ body: @escaping () -> Void) {
    if let phone { return phone.call(on: queue, body) }
    let job = UncheckedBox(value: body)
    queue.async { job.value() }
  }

  /// Whether commands are accepted; if not, the remark that a phone logs.
  func isReady(for command: String, _ peer: CBPeer? = nil, with arguments: @autoclosure () -> [String] = []) -> Bool {
    note(command, peer, with: arguments())
    return isReady(after: command)
  }

  /// As above, for a call that is in the trace already.
  func isReady(after command: String) -> Bool {
    if let phone, phone.isOver { return false }
    if shownState == .poweredOn { return true }
    phone?.remark(
      .misuse, .notPoweredOn,
      "\(command.methodName) while the manager's state is \(shownState), not poweredOn; the call is ignored")
    return false
  }
}

extension CBManager {
  /// Puts a call into the trace.
  func note(_ command: String, _ peer: CBPeer? = nil, with arguments: @autoclosure () -> [String] = []) {
    phone?.note(.call(method: traced(command), peer: peer.map { CallText.of($0) }, arguments: arguments()))
  }

  /// A method's name with its class.
  func traced(_ command: String) -> String {
    (self is CBCentralManager ? "CBCentralManager." : "CBPeripheralManager.") + command
  }
}

/// Carries what is not `Sendable` to a queue on which nothing else uses it.
struct UncheckedBox<Value>: @unchecked Sendable {
  var value: Value
}
