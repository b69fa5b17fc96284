/// What a peripheral manager tells its app; all methods but the first are optional.
///
/// Source: Apple, `CBPeripheralManagerDelegate`.
public protocol CBPeripheralManagerDelegate: AnyObject {
  /// The manager's state has changed; also the first thing after its making.
  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager)
  /// The system has relaunched the app and kept this for it; comes before the first state.
  func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any])
  /// Answer to `startAdvertising`.
  func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?)
  /// Answer to `add(_:)`.
  func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?)
  /// A central has switched notifications or indications on.
  func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic)
  /// A central has switched them off, or its connection has ended.
  func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral, didUnsubscribeFrom characteristic: CBCharacteristic)
  /// A central reads a dynamic value: answer by `respond(to:withResult:)`, once. The default answers “not supported”.
  func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest)
  /// A central writes: answer once, with the first request. The default answers “not supported”.
  func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest])
  /// There is room again, after `updateValue` returned false.
  func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager)
  /// Answer to `publishL2CAPChannel`.
  func peripheralManager(
    _ peripheral: CBPeripheralManager, didPublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?)
  /// Answer to `unpublishL2CAPChannel`.
  func peripheralManager(
    _ peripheral: CBPeripheralManager, didUnpublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?)
  /// A central has opened a channel on a published PSM.
  func peripheralManager(_ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: (any Error)?)
}

// Optional methods: those that an app leaves out do nothing, unless the protocol says otherwise.
extension CBPeripheralManagerDelegate {
  public func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]) {
    added(OfState.self)?.call(peripheral, dict)
  }
  public func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
    added(OfError.self)?.call(peripheral, error)
  }
  public func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?) {
    added(OfService.self)?.call(peripheral, service, error)
  }
  public func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
  ) {
    added(OfSubscription.self)?.call(peripheral, central, characteristic)
  }
  public func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral, didUnsubscribeFrom characteristic: CBCharacteristic
  ) {
    added(OfSubscription.self)?.call(peripheral, central, characteristic)
  }
  public func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
    if let own = added(OfRead.self) { return own.call(peripheral, request) }
    peripheral.refuseUnhandled(request, "didReceiveRead")
  }
  public func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
    if let own = added(OfWrites.self) { return own.call(peripheral, requests) }
    if let first = requests.first { peripheral.refuseUnhandled(first, "didReceiveWrite") }
  }
  public func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
    added(Alone.self)?.call(peripheral)
  }
  public func peripheralManager(
    _ peripheral: CBPeripheralManager, didPublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?
  ) {
    added(OfPSM.self)?.call(peripheral, PSM, error)
  }
  public func peripheralManager(
    _ peripheral: CBPeripheralManager, didUnpublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?
  ) {
    added(OfPSM.self)?.call(peripheral, PSM, error)
  }
  public func peripheralManager(
    _ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: (any Error)?
  ) {
    added(OfChannel.self)?.call(peripheral, channel, error)
  }

  private func added<Method: DelegateMethod>(_: Method.Type, _ method: String = #function) -> Method? {
    SubclassMethods.find(Method.self, method, of: self) { $0 is any CBPeripheralManagerDelegate.Type }
  }
}

private struct Alone: DelegateMethod {
  let call: (CBPeripheralManager) -> Void
}

private struct OfState: DelegateMethod {
  let call: (CBPeripheralManager, [String: Any]) -> Void
}

private struct OfError: DelegateMethod {
  let call: (CBPeripheralManager, (any Error)?) -> Void
}

private struct OfService: DelegateMethod {
  let call: (CBPeripheralManager, CBService, (any Error)?) -> Void
}

private struct OfSubscription: DelegateMethod {
  let call: (CBPeripheralManager, CBCentral, CBCharacteristic) -> Void
}

private struct OfRead: DelegateMethod {
  let call: (CBPeripheralManager, CBATTRequest) -> Void
}

private struct OfWrites: DelegateMethod {
  let call: (CBPeripheralManager, [CBATTRequest]) -> Void
}

private struct OfPSM: DelegateMethod {
  let call: (CBPeripheralManager, CBL2CAPPSM, (any Error)?) -> Void
}

private struct OfChannel: DelegateMethod {
  let call: (CBPeripheralManager, CBL2CAPChannel?, (any Error)?) -> Void
}
