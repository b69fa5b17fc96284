import AppSeam
import BluetoothWire

/// What a manager scans for.
struct ScanWish {
  /// Nil: everything.
  var services: [BluetoothUUID]?
  /// Advertisers that look for one of these are found, too.
  var solicited: [BluetoothUUID] = []
  var allowsDuplicates = false

  func fits(_ heard: HeardAdvertiser) -> Bool {
    guard let services, !services.isEmpty else { return true }
    // Advertising that is directed at this device has no data.
    let isSilent = heard.advertisement.serviceUUIDs.isEmpty && heard.advertisement.localName == nil
    return isSilent && heard.data.isEmpty || ScanRequest(services: services, solicited: solicited).fits(heard)
  }
}

extension CBCentralManager {
  func beginScan(_ serviceUUIDs: [CBUUID]?, _ options: [String: Any]?) {
    guard isReady(for: "scanForPeripherals(withServices:options:)", with: CallText.scan(serviceUUIDs, options)),
      let phone
    else { return }
    phone.locked {
      if scan != nil {
        phone.remark(.note, .scanTwice, "scanForPeripherals during a scan: the new one replaces it")
      }
      if phone.isInBackground, serviceUUIDs?.isEmpty ?? true {
        phone.remark(
          .misuse, .unfilteredInBackground, "a scan in background without services finds nothing on phones")
      }
      let solicited = options?[CBCentralManagerScanOptionSolicitedServiceUUIDsKey] as? [CBUUID] ?? []
      scan = ScanWish(
        services: serviceUUIDs?.map(\.wire), solicited: solicited.map(\.wire),
        allowsDuplicates: CBOption.isOn(options?[CBCentralManagerScanOptionAllowDuplicatesKey]))
      reported = [:]
      phone.refreshScan(isNew: true)
    }
  }

  func endScan() {
    guard isReady(for: "stopScan()"), let phone else { return }
    phone.locked {
      guard scan != nil else { return }
      scan = nil
      phone.refreshScan()
    }
  }

  func discovered(_ heard: HeardAdvertiser) {
    guard let phone, let scan, scan.fits(heard) else { return }
    let advertisement = heard.advertisement
    // The option is ignored in background.
    if !scan.allowsDuplicates || phone.isInBackground, let before = reported[advertisement.address] {
      guard heard.hasNews(since: before) else { return }
    }
    reported[advertisement.address] = heard
    let name = phone.book[advertisement.address]?.name
    let address = advertisement.address
    call { [weak self] in
      // A scan that was stopped meanwhile reports nothing more.
      guard let self, isScanning else { return }
      let peripheral = phone.locked { self.peripheral(address) }
      peripheral.shownName = name ?? peripheral.shownName
      tell(
        "centralManager(_:didDiscover:advertisementData:rssi:)", peripheral,
        with: ["peripheral"] + CallText.of(advertisement)
      ) {
        $0.centralManager(
          self, didDiscover: peripheral, advertisementData: heard.dictionary,
          rssi: NSNumber(value: advertisement.rssi))
      }
    }
  }

  /// The peer has another name than before.
  func renamed(_ address: BluetoothAddress) {
    guard let phone, let peripheral = known(address) else { return }
    let name = phone.book[address]?.name
    call { [weak peripheral] in
      guard let peripheral, peripheral.shownName != name else { return }
      peripheral.shownName = name
      guard let delegate = peripheral.delegate else { return }
      phone.note(
        .callback(
          method: "peripheralDidUpdateName(_:)", peer: CallText.of(peripheral), arguments: [CallText.quoted(name)]))
      delegate.peripheralDidUpdateName(peripheral)
    }
  }
}

extension VirtualPhone {
  /// Asks for the union of what managers scan for.
  func refreshScan(isNew: Bool = false) {
    let wishes = liveCentrals.compactMap(\.scan)
    guard !wishes.isEmpty else {
      if lastScan != nil { ask(.stopScanning) }
      lastScan = nil
      return
    }
    var union = ScanRequest(services: [])
    for wish in wishes {
      for uuid in wish.services ?? [] where !union.services.contains(uuid) { union.services.append(uuid) }
      for uuid in wish.solicited where !union.solicited.contains(uuid) { union.solicited.append(uuid) }
      if wish.allowsDuplicates { union.everyPacket = true }
    }
    if wishes.contains(where: { $0.services?.isEmpty ?? true }) {
      union.services = []
      union.solicited = []
    }
    guard isNew || union != lastScan else { return }
    // A scan that continues does not report again what it has reported.
    if lastScan != nil { ask(.stopScanning) }
    lastScan = union
    ask(.gap(.scan(union)))
  }
}
