import BluetoothWire

/// What the other end has answered, or sent.
extension CBPeripheral {
  func valueRead(_ handle: ATT.Handle, _ octets: [UInt8], _ error: UInt8?) {
    if let characteristic = characteristic(handle) {
      tell(
        "peripheral(_:didUpdateValueFor:error:)",
        with: [CallText.of(characteristic, octets), CallText.of(CBATTError.from(error))],
        change: { _ in if error == nil { characteristic.cachedValue = Data(octets) } }
      ) {
        $0.peripheral($1, didUpdateValueFor: characteristic, error: CBATTError.from(error))
      }
    } else if let descriptor = descriptor(handle) {
      tell(
        "peripheral(_:didUpdateValueFor:error:)",
        with: [CallText.of(descriptor, octets), CallText.of(CBATTError.from(error))],
        change: { _ in
          if error == nil { descriptor.cachedValue = CBDescriptor.value(of: descriptor.uuid, octets: octets) }
        }
      ) { $0.peripheral($1, didUpdateValueFor: descriptor, error: CBATTError.from(error)) }
    }
  }

  func valueWritten(_ handle: ATT.Handle, _ error: UInt8?) {
    if let characteristic = characteristic(handle) {
      tell(
        "peripheral(_:didWriteValueFor:error:)",
        with: [CallText.of(characteristic), CallText.of(CBATTError.from(error))]
      ) {
        $0.peripheral($1, didWriteValueFor: characteristic, error: CBATTError.from(error))
      }
    } else if let descriptor = descriptor(handle) {
      tell(
        "peripheral(_:didWriteValueFor:error:)",
        with: [CallText.of(descriptor), CallText.of(CBATTError.from(error))]
      ) {
        $0.peripheral($1, didWriteValueFor: descriptor, error: CBATTError.from(error))
      }
    }
  }

  func configured(_ handle: ATT.Handle, _ isOn: Bool, _ error: UInt8?) {
    guard let characteristic = characteristic(handle) else { return }
    tell(
      "peripheral(_:didUpdateNotificationStateFor:error:)",
      with: ["\(CallText.of(characteristic)) \(isOn ? "on" : "off")", CallText.of(CBATTError.from(error))],
      change: { _ in if error == nil { characteristic.notifies = isOn } }
    ) {
      $0.peripheral($1, didUpdateNotificationStateFor: characteristic, error: CBATTError.from(error))
    }
  }

  func notified(_ handle: ATT.Handle, _ octets: [UInt8]) {
    guard let characteristic = characteristic(handle) else { return }
    tell(
      "peripheral(_:didUpdateValueFor:error:)", with: [CallText.of(characteristic, octets), "nil"],
      change: { _ in characteristic.cachedValue = Data(octets) }
    ) {
      $0.peripheral($1, didUpdateValueFor: characteristic, error: nil)
    }
  }

  func rssiRead(_ level: Int?) {
    let error = level == nil ? CBError.with(.operationNotSupported) : nil
    tell("peripheral(_:didReadRSSI:error:)", with: [level.map { "\($0) dBm" } ?? "none", CallText.of(error)]) {
      $0.peripheral($1, didReadRSSI: NSNumber(value: level ?? 0), error: error)
    }
  }

  func channelOpened(_ channel: CBL2CAPChannel?) {
    let error = channel == nil ? CBError.with(.operationNotSupported) : nil
    tell("peripheral(_:didOpen:error:)", with: [CallText.of(channel), CallText.of(error)]) {
      $0.peripheral($1, didOpen: channel, error: error)
    }
  }
}
