import BluetoothWire

/// What the other end has answered, or sent.
extension CBPeripheral {
  func valueRead(_ handle: ATT.Handle, _ octets: [UInt8], _ error: UInt8?) {
    if let characteristic = characteristic(handle) {
      tell(
        "peripheral(_:didUpdateValueFor:error:)",
        change: { _ in if error == nil { characteristic.cachedValue = Data(octets) } }
      ) {
        $0.peripheral($1, didUpdateValueFor: characteristic, error: CBATTError.from(error))
      }
    } else if let descriptor = descriptor(handle) {
      tell(
        "peripheral(_:didUpdateValueFor:error:)",
        change: { _ in
          if error == nil { descriptor.cachedValue = CBDescriptor.value(of: descriptor.uuid, octets: octets) }
        }
      ) { $0.peripheral($1, didUpdateValueFor: descriptor, error: CBATTError.from(error)) }
    }
  }

  func valueWritten(_ handle: ATT.Handle, _ error: UInt8?) {
    if let characteristic = characteristic(handle) {
      tell("peripheral(_:didWriteValueFor:error:)") {
        $0.peripheral($1, didWriteValueFor: characteristic, error: CBATTError.from(error))
      }
    } else if let descriptor = descriptor(handle) {
      tell("peripheral(_:didWriteValueFor:error:)") {
        $0.peripheral($1, didWriteValueFor: descriptor, error: CBATTError.from(error))
      }
    }
  }

  func configured(_ handle: ATT.Handle, _ isOn: Bool, _ error: UInt8?) {
    guard let characteristic = characteristic(handle) else { return }
    tell(
      "peripheral(_:didUpdateNotificationStateFor:error:)",
      change: { _ in if error == nil { characteristic.notifies = isOn } }
    ) {
      $0.peripheral($1, didUpdateNotificationStateFor: characteristic, error: CBATTError.from(error))
    }
  }

  func notified(_ handle: ATT.Handle, _ octets: [UInt8]) {
    guard let characteristic = characteristic(handle) else { return }
    tell("peripheral(_:didUpdateValueFor:error:)", change: { _ in characteristic.cachedValue = Data(octets) }) {
      $0.peripheral($1, didUpdateValueFor: characteristic, error: nil)
    }
  }

  func rssiRead(_ level: Int?) {
    let error = level == nil ? CBError.with(.operationNotSupported) : nil
    tell("peripheral(_:didReadRSSI:error:)") {
      $0.peripheral($1, didReadRSSI: NSNumber(value: level ?? 0), error: error)
    }
  }

  func channelOpened(_ channel: CBL2CAPChannel?) {
    let error = channel == nil ? CBError.with(.operationNotSupported) : nil
    tell("peripheral(_:didOpen:error:)") { $0.peripheral($1, didOpen: channel, error: error) }
  }
}
