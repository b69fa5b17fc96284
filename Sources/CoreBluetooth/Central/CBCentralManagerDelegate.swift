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
  /// As above, where the app has asked for automatic reconnection. Its default calls the method above.
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
  public func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {}
  public func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {}
  public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {}
  public func centralManager(
    _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
  ) {}
  public func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
  ) {}
  public func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, timestamp: CFAbsoluteTime,
    isReconnecting: Bool, error: (any Error)?
  ) {
    centralManager(central, didDisconnectPeripheral: peripheral, error: error)
  }
  public func centralManager(
    _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent, for peripheral: CBPeripheral
  ) {}
  public func centralManager(_ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral) {}
}
