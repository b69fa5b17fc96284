/// What a central manager tells its app; all methods but the first are optional.
///
/// Source: Apple, `CBCentralManagerDelegate`. Apple's protocol asks for `NSObjectProtocol`; here any class will do.
public protocol CBCentralManagerDelegate: AnyObject {
  /// The manager's state has changed; also the first thing after its making.
  func centralManagerDidUpdateState(_ central: CBCentralManager)
  /// The system has relaunched the app and kept this for it; comes before the first `centralManagerDidUpdateState`.
  func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any])
  /// A scan found a peripheral; RSSI in dBm.
  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber)
  /// A connection that the app asked for is there.
  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral)
  /// A connection that the app asked for could not be made.
  func centralManager(
    _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?)
  /// A connection has ended; the error is nil when the app cancelled it.
  func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?)
  /// As above, with more. It is called where the method above is missing: phones call that one of a class with both.
  func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, timestamp: CFAbsoluteTime,
    isReconnecting: Bool, error: (any Error)?)
  /// A peer for which the app has registered has connected or disconnected.
  func centralManager(
    _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent, for peripheral: CBPeripheral)
  /// Never called: the Apple Notification Center Service is not modelled.
  func centralManager(_ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral)
}

// Optional methods: those that an app leaves out do nothing, unless the protocol says otherwise.
extension CBCentralManagerDelegate {
  public func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
    added(OfState.self)?.call(central, dict)
  }
  public func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    added(OfDiscovery.self)?.call(central, peripheral, advertisementData, RSSI)
  }
  public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    added(OfPeripheral.self)?.call(central, peripheral)
  }
  public func centralManager(
    _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
  ) {
    added(OfError.self)?.call(central, peripheral, error)
  }
  public func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
  ) {
    if let own = added(OfError.self) { return own.call(central, peripheral, error) }
    guard let end = central.toldEnd else { return }
    centralManager(
      central, didDisconnectPeripheral: peripheral, timestamp: end.timestamp, isReconnecting: end.isReconnecting,
      error: error)
  }
  public func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, timestamp: CFAbsoluteTime,
    isReconnecting: Bool, error: (any Error)?
  ) {
    added(OfEnd.self)?.call(central, peripheral, timestamp, isReconnecting, error)
  }
  public func centralManager(
    _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent, for peripheral: CBPeripheral
  ) {
    added(OfEvent.self)?.call(central, event, peripheral)
  }
  public func centralManager(_ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral) {}

  private func added<Method: DelegateMethod>(_: Method.Type, _ method: String = #function) -> Method? {
    SubclassMethods.find(Method.self, method, of: self) { $0 is any CBCentralManagerDelegate.Type }
  }
}

private struct OfState: DelegateMethod {
  let call: (CBCentralManager, [String: Any]) -> Void
}

private struct OfDiscovery: DelegateMethod {
  let call: (CBCentralManager, CBPeripheral, [String: Any], NSNumber) -> Void
}

private struct OfPeripheral: DelegateMethod {
  let call: (CBCentralManager, CBPeripheral) -> Void
}

private struct OfError: DelegateMethod {
  let call: (CBCentralManager, CBPeripheral, (any Error)?) -> Void
}

private struct OfEnd: DelegateMethod {
  let call: (CBCentralManager, CBPeripheral, CFAbsoluteTime, Bool, (any Error)?) -> Void
}

private struct OfEvent: DelegateMethod {
  let call: (CBCentralManager, CBConnectionEvent, CBPeripheral) -> Void
}
