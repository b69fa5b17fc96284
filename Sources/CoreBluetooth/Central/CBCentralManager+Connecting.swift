import BluetoothWire
import SimKernel

extension CBCentralManager {
  func beginConnection(_ peripheral: CBPeripheral, _ options: [String: Any]?) {
    guard isReady(for: "connect(_:options:)", peripheral, with: ["peripheral", options == nil ? "nil" : "options"]),
      let phone, isOwn(peripheral)
    else { return }
    for key in [
      CBConnectPeripheralOptionStartDelayKey, CBConnectPeripheralOptionEnableTransportBridgingKey,
      CBConnectPeripheralOptionRequiresANCS,
    ] where options?[key] != nil {
      phone.remark(.limit, .connectOption, "the connect option \(key) is not modelled")
    }
    phone.locked {
      if CBOption.isOn(options?[CBConnectPeripheralOptionEnableAutoReconnect]) {
        reconnecting.append(peripheral.address)
      }
      if peripheral.shownState != .connected { peripheral.shownState = .connecting }
      phone.connect(peripheral.address, for: self)
    }
  }

  func endConnection(_ peripheral: CBPeripheral) {
    guard isReady(for: "cancelPeripheralConnection(_:)", peripheral, with: ["peripheral"]), let phone, isOwn(peripheral)
    else { return }
    phone.locked {
      guard peripheral.shownState != .disconnected else {
        return phone.remark(.note, .cancelIdle, "cancelPeripheralConnection of a peripheral that is not connected")
      }
      reconnecting.removeAll { $0 == peripheral.address }
      peripheral.shownState = .disconnecting
      if phone.cancel(peripheral.address, manager: number) { disconnected(peripheral.address, nil) }
    }
  }

  func retrieve(_ identifiers: [UUID]) -> [CBPeripheral] {
    let arguments = [CallText.count(identifiers, "identifier")]
    guard isReady(for: "retrievePeripherals(withIdentifiers:)", with: arguments), let phone else { return [] }
    return phone.locked {
      identifiers.compactMap { identifier in
        let entry = phone.book.entries.first { phone.identifier(of: $0.address) == identifier }
        return entry.map { peripheral($0.address) }
      }
    }
  }

  func retrieveConnected(_ serviceUUIDs: [CBUUID]) -> [CBPeripheral] {
    let arguments = [CallText.of(serviceUUIDs)]
    guard isReady(for: "retrieveConnectedPeripherals(withServices:)", with: arguments), let phone else { return [] }
    let wanted = serviceUUIDs.map(\.wire)
    return phone.locked {
      phone.links.filter { link in
        let known = link.foundServices + (phone.book[link.peer]?.services ?? [])
        return known.contains(where: wanted.contains)
      }.map { peripheral($0.peer) }
    }
  }

  private func isOwn(_ peripheral: CBPeripheral) -> Bool {
    if peripheral.manager === self { return true }
    phone?.remark(
      .misuse, .foreignPeripheral, "a peripheral of another manager was given to this one; the call is ignored")
    return false
  }

  // MARK: What the phone tells

  func connected(_ link: PhoneLink) {
    guard let object = known(link.peer) else { return }
    object.link = link
    call { [weak self, weak object] in
      guard let self, let object else { return }
      object.shownState = .connected
      tell("centralManager(_:didConnect:)", object, with: ["peripheral"]) {
        $0.centralManager(self, didConnect: object)
      }
    }
  }

  func connectFailed(_ address: BluetoothAddress, _ error: any Error) {
    guard let object = known(address) else { return }
    call { [weak self, weak object] in
      guard let self, let object else { return }
      object.ended()
      tell("centralManager(_:didFailToConnect:error:)", object, with: ["peripheral", CallText.of(error)]) {
        $0.centralManager(self, didFailToConnect: object, error: error)
      }
    }
  }

  func disconnected(_ address: BluetoothAddress, _ error: (any Error)?) {
    guard let phone, let object = known(address) else { return }
    object.linkIsGone()
    let isReconnecting = error != nil && reconnecting.contains(address)
    if isReconnecting { phone.connect(address, for: self) }
    let isWaiting = phone.isAttempted(address, by: number)
    let seconds = Date().timeIntervalSinceReferenceDate
    call { [weak self, weak object] in
      guard let self, let object else { return }
      object.ended()
      if isWaiting { object.shownState = .connecting }
      tell(
        "centralManager(_:didDisconnectPeripheral:timestamp:isReconnecting:error:)", object,
        with: ["peripheral", "now", "\(isReconnecting)", CallText.of(error)]
      ) {
        toldEnd = (seconds, isReconnecting)
        $0.centralManager(self, didDisconnectPeripheral: object, error: error)
        toldEnd = nil
      }
    }
  }

  func readyToWrite(_ address: BluetoothAddress) {
    known(address)?.tell("peripheralIsReady(toSendWriteWithoutResponse:)") {
      $0.peripheralIsReady(toSendWriteWithoutResponse: $1)
    }
  }
}
