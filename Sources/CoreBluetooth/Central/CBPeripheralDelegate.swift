/// What a peripheral tells its app; all methods are optional.
///
/// Source: Apple, `CBPeripheralDelegate`. Errors are of `CBATTError` where the peripheral answered with one, and of
/// `CBError` otherwise.
public protocol CBPeripheralDelegate: AnyObject {
  /// The peripheral has another name now.
  func peripheralDidUpdateName(_ peripheral: CBPeripheral)
  /// Services have changed: these objects are void, and have to be discovered again.
  func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService])
  /// Answer to `readRSSI`, dBm.
  func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?)
  /// Answer to `discoverServices`.
  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?)
  /// Answer to `discoverIncludedServices`.
  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService, error: (any Error)?)
  /// Answer to `discoverCharacteristics`.
  func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?)
  /// Answer to `readValue`, and each notification and indication.
  func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?)
  /// Answer to `writeValue` with response.
  func peripheral(_ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?)
  /// Answer to `setNotifyValue`.
  func peripheral(
    _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
    error: (any Error)?)
  /// Answer to `discoverDescriptors`.
  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic, error: (any Error)?)
  /// Answer to `readValue` of a descriptor.
  func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?)
  /// Answer to `writeValue` of a descriptor.
  func peripheral(_ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?)
  /// There is room again, after `canSendWriteWithoutResponse` was false.
  func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral)
  /// Answer to `openL2CAPChannel`.
  func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?)
}

// Optional methods: those that an app leaves out do nothing, unless the protocol says otherwise.
extension CBPeripheralDelegate {
  public func peripheralDidUpdateName(_ peripheral: CBPeripheral) {
    added(Alone.self)?.call(peripheral)
  }
  public func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
    added(OfServices.self)?.call(peripheral, invalidatedServices)
  }
  public func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {
    added(OfNumber.self)?.call(peripheral, RSSI, error)
  }
  public func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    added(OfError.self)?.call(peripheral, error)
  }
  public func peripheral(
    _ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService, error: (any Error)?
  ) {
    added(OfService.self)?.call(peripheral, service, error)
  }
  public func peripheral(
    _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
  ) {
    added(OfService.self)?.call(peripheral, service, error)
  }
  public func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
  ) {
    added(OfCharacteristic.self)?.call(peripheral, characteristic, error)
  }
  public func peripheral(
    _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
  ) {
    added(OfCharacteristic.self)?.call(peripheral, characteristic, error)
  }
  public func peripheral(
    _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic, error: (any Error)?
  ) {
    added(OfCharacteristic.self)?.call(peripheral, characteristic, error)
  }
  public func peripheral(
    _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic, error: (any Error)?
  ) {
    added(OfCharacteristic.self)?.call(peripheral, characteristic, error)
  }
  public func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?) {
    added(OfDescriptor.self)?.call(peripheral, descriptor, error)
  }
  public func peripheral(_ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?) {
    added(OfDescriptor.self)?.call(peripheral, descriptor, error)
  }
  public func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) {
    added(Alone.self)?.call(peripheral)
  }
  public func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
    added(OfChannel.self)?.call(peripheral, channel, error)
  }

  private func added<Method: DelegateMethod>(_: Method.Type, _ method: String = #function) -> Method? {
    SubclassMethods.find(Method.self, method, of: self) { $0 is any CBPeripheralDelegate.Type }
  }
}

private struct Alone: DelegateMethod {
  let call: (CBPeripheral) -> Void
}

private struct OfServices: DelegateMethod {
  let call: (CBPeripheral, [CBService]) -> Void
}

private struct OfNumber: DelegateMethod {
  let call: (CBPeripheral, NSNumber, (any Error)?) -> Void
}

private struct OfError: DelegateMethod {
  let call: (CBPeripheral, (any Error)?) -> Void
}

private struct OfService: DelegateMethod {
  let call: (CBPeripheral, CBService, (any Error)?) -> Void
}

private struct OfCharacteristic: DelegateMethod {
  let call: (CBPeripheral, CBCharacteristic, (any Error)?) -> Void
}

private struct OfDescriptor: DelegateMethod {
  let call: (CBPeripheral, CBDescriptor, (any Error)?) -> Void
}

private struct OfChannel: DelegateMethod {
  let call: (CBPeripheral, CBL2CAPChannel?, (any Error)?) -> Void
}
