import CoreBluetooth

/// Every name of CoreBluetooth that the four repositories of the independent check use; that it compiles is the test.
public enum NamesUsed {
  /// Keys, by the texts that they have.
  public static let keys: [String] = [
    CBAdvertisementDataIsConnectable, CBAdvertisementDataLocalNameKey, CBAdvertisementDataManufacturerDataKey,
    CBAdvertisementDataOverflowServiceUUIDsKey, CBAdvertisementDataServiceDataKey,
    CBAdvertisementDataServiceUUIDsKey, CBAdvertisementDataSolicitedServiceUUIDsKey,
    CBAdvertisementDataTxPowerLevelKey, CBCentralManagerOptionRestoreIdentifierKey,
    CBCentralManagerOptionShowPowerAlertKey, CBCentralManagerRestoredStatePeripheralsKey,
    CBCentralManagerRestoredStateScanOptionsKey, CBCentralManagerRestoredStateScanServicesKey,
    CBCentralManagerScanOptionAllowDuplicatesKey, CBCentralManagerScanOptionSolicitedServiceUUIDsKey,
    CBConnectPeripheralOptionNotifyOnConnectionKey, CBConnectPeripheralOptionNotifyOnDisconnectionKey,
    CBConnectPeripheralOptionNotifyOnNotificationKey, CBConnectPeripheralOptionRequiresANCS,
    CBConnectPeripheralOptionStartDelayKey, CBPeripheralManagerOptionRestoreIdentifierKey,
    CBPeripheralManagerRestoredStateAdvertisementDataKey, CBPeripheralManagerRestoredStateServicesKey,
  ]

  /// Types.
  public static let types: [Any.Type] = [
    CBATTError.self, CBATTRequest.self, CBAttribute.self, CBAttributePermissions.self, CBCentral.self,
    CBCentralManager.self, CBCharacteristic.self, CBCharacteristicProperties.self, CBCharacteristicWriteType.self,
    CBConnectionEvent.self, CBConnectionEventMatchingOption.self, CBDescriptor.self, CBError.self, CBL2CAPChannel.self,
    CBL2CAPPSM.self, CBManager.self, CBManagerAuthorization.self, CBManagerState.self, CBMutableCharacteristic.self,
    CBMutableDescriptor.self, CBMutableService.self, CBPeer.self, CBPeripheral.self, CBPeripheralManager.self,
    CBPeripheralState.self, CBService.self, CBUUID.self,
  ]

  /// An old way to ask a central, with everything that it has.
  static func central(_ manager: CBCentralManager, _ peripheral: CBPeripheral, _ characteristic: CBCharacteristic) {
    switch manager.state {
    case .unknown, .resetting, .unsupported, .unauthorized, .poweredOff: break
    case .poweredOn where !manager.isScanning: manager.scanForPeripherals(withServices: nil, options: nil)
    case .poweredOn: manager.stopScan()
    @unknown default: break
    }
    _ = CBCentralManager.authorization == .allowedAlways && manager.authorization == .notDetermined
    manager.connect(peripheral, options: [CBConnectPeripheralOptionNotifyOnDisconnectionKey: NSNumber(value: true)])
    manager.registerForConnectionEvents(options: [.serviceUUIDs: [CBUUID(string: "180D")]])
    _ = manager.retrievePeripherals(withIdentifiers: [peripheral.identifier])
    _ = manager.retrieveConnectedPeripherals(withServices: [CBUUID(nsuuid: peripheral.identifier)])
    if peripheral.state == .connected, peripheral.ancsAuthorized { peripheral.readRSSI() }
    peripheral.discoverServices(nil)
    for service in peripheral.services ?? [] {
      peripheral.discoverIncludedServices(nil, for: service)
      peripheral.discoverCharacteristics([characteristic.uuid], for: service)
    }
    peripheral.discoverDescriptors(for: characteristic)
    peripheral.readValue(for: characteristic)
    if let descriptor = characteristic.descriptors?.first {
      peripheral.readValue(for: descriptor)
      peripheral.writeValue(Data(), for: descriptor)
    }
    let length = peripheral.maximumWriteValueLength(for: .withoutResponse)
    let type: CBCharacteristicWriteType = characteristic.properties.contains(.write) ? .withResponse : .withoutResponse
    if peripheral.canSendWriteWithoutResponse {
      peripheral.writeValue(Data(count: length), for: characteristic, type: type)
    }
    peripheral.setNotifyValue(!characteristic.isNotifying, for: characteristic)
    peripheral.openL2CAPChannel(CBL2CAPPSM(128))
    manager.cancelPeripheralConnection(peripheral)
  }

  /// The same for a peripheral.
  static func peripheral(_ manager: CBPeripheralManager, _ central: CBCentral, _ request: CBATTRequest) {
    let characteristic = CBMutableCharacteristic(
      type: CBUUID(string: "2A37"), properties: [.read, .notify, .write, .writeWithoutResponse, .indicate],
      value: nil, permissions: CBAttributePermissions([.readable, .writeable]))
    let service = CBMutableService(type: CBUUID(data: Data([0x18, 0x0D])), primary: true)
    service.characteristics = [characteristic]
    manager.removeAllServices()
    manager.add(service)
    if !manager.isAdvertising {
      manager.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [service.uuid]])
    }
    let size = central.maximumUpdateValueLength
    _ = manager.updateValue(Data(count: size), for: characteristic, onSubscribedCentrals: [central])
    request.value = characteristic.value?.dropFirst(request.offset)
    manager.respond(
      to: request, withResult: request.characteristic.uuid == characteristic.uuid ? .success : .invalidHandle)
    manager.setDesiredConnectionLatency(.low, for: request.central)
    manager.stopAdvertising()
    manager.remove(service)
  }

  /// Errors, in the ways in which they are looked at.
  public static func reason(_ error: Error?) -> String {
    switch error {
    case nil: return "none"
    case let error as CBError where error.code == .peripheralDisconnected: return "disconnected"
    case let error as CBError: return "\(error.code.rawValue) \(error.errorCode)"
    case let error as CBATTError: return "\(error.code) \(error.localizedDescription)"
    case CBError.connectionTimeout?: return "never here"
    default: return (error as NSError?)?.domain ?? ""
    }
  }
}
