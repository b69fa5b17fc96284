import AppSeam
import BluetoothWire

extension CBPeripheralManager {
  func beginAdvertising(_ advertisementData: [String: Any]?) {
    guard isReady(for: "startAdvertising(_:)", with: [CallText.of(advertisement: advertisementData)]), let phone else {
      return
    }
    phone.locked {
      let used = [CBAdvertisementDataLocalNameKey, CBAdvertisementDataServiceUUIDsKey]
      for key in (advertisementData ?? [:]).keys.sorted() where !used.contains(key) {
        phone.remark(.misuse, .advertisementKey, "an app cannot advertise \(key); it is left out")
      }
      guard advertising == .off else {
        phone.remark(.misuse, .advertisingTwice, "startAdvertising while the manager advertises")
        startAnswered(CBError.with(.alreadyAdvertising))
        return
      }
      let services = advertisementData?[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] ?? []
      advertised = AdvertisementRequest(
        localName: advertisementData?[CBAdvertisementDataLocalNameKey] as? String ?? "",
        serviceUUIDs: services.map(\.wire))
      advertising = .starting
      phone.refreshAdvertising(startedBy: self)
    }
  }

  func endAdvertising() {
    guard let phone else { return }
    note("stopAdvertising()")
    phone.locked {
      guard advertising != .off else { return }
      advertising = .off
      advertised = nil
      phone.refreshAdvertising(startedBy: nil)
    }
  }

  /// The platform has answered, or continues by itself after a connection.
  func advertisingAnswered(_ isStarted: Bool) {
    if isStarted {
      guard advertising != .off else { return }
      let wasStarting = advertising == .starting
      advertising = .on
      if wasStarting { startAnswered(nil) }
    } else {
      guard advertising != .off else { return }
      let wasStarting = advertising == .starting
      advertising = .off
      advertised = nil
      if wasStarting { startAnswered(CBError.with(.unknown)) }
    }
  }

  func startAnswered(_ error: (any Error)?) {
    call { [weak self] in
      guard let self else { return }
      tell("peripheralManagerDidStartAdvertising(_:error:)", with: [CallText.of(error)]) {
        $0.peripheralManagerDidStartAdvertising(self, error: error)
      }
    }
  }
}

extension CBPeripheralManager {
  /// That of `CBManager.authorization`, under its older name.
  public class func authorizationStatus() -> CBPeripheralManagerAuthorizationStatus {
    CBPeripheralManagerAuthorizationStatus(rawValue: authorization.rawValue) ?? .notDetermined
  }
}

extension VirtualPhone {
  /// Asks for the union of what managers advertise; the first name counts.
  func refreshAdvertising(startedBy manager: CBPeripheralManager?) {
    guard isPoweredOn else { return }
    var union: AdvertisementRequest?
    for request in liveServers.compactMap(\.advertised) {
      guard var sum = union else {
        union = request
        continue
      }
      if sum.localName.isEmpty { sum.localName = request.localName }
      sum.serviceUUIDs += request.serviceUUIDs.filter { !sum.serviceUUIDs.contains($0) }
      union = sum
    }
    guard let union else {
      if lastAdvertisement != nil { ask(.stopAdvertising) }
      lastAdvertisement = nil
      return
    }
    if union != lastAdvertisement {
      lastAdvertisement = union
      ask(.advertise(union))
    } else if let manager {
      manager.advertisingAnswered(true)
    }
  }
}
