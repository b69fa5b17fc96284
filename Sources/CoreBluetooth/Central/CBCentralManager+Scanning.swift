import AppSeam
import BluetoothWire

/// What a manager scans for.
struct ScanWish {
  /// Nil: everything.
  var services: [BluetoothUUID]?
  var allowsDuplicates = false

  func fits(_ advertisement: Advertisement) -> Bool {
    guard let services, !services.isEmpty else { return true }
    // Advertising that is directed at this device has no data.
    let isDirected = advertisement.serviceUUIDs.isEmpty && advertisement.localName == nil
    return isDirected || advertisement.serviceUUIDs.contains(where: services.contains)
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
      // The option is ignored in background.
      let allowsDuplicates =
        options?[CBCentralManagerScanOptionAllowDuplicatesKey] as? Bool ?? false && !phone.isInBackground
      if allowsDuplicates {
        phone.remarkLimit(
          .seamDuplicates, "the seam reports an advertiser when its data change, not every packet")
      }
      if options?[CBCentralManagerScanOptionSolicitedServiceUUIDsKey] != nil {
        phone.remarkLimit(.seamSolicited, "the seam has no solicited services: the option has no effect")
      }
      scan = ScanWish(services: serviceUUIDs?.map(\.wire), allowsDuplicates: allowsDuplicates)
      reported = [:]
      phone.refreshScan(isNew: true)
    }
  }

  func endScan() {
    guard let phone else { return }
    note("stopScan()")
    phone.locked {
      guard scan != nil else { return }
      scan = nil
      phone.refreshScan()
    }
  }

  func discovered(_ advertisement: Advertisement) {
    guard let phone, let scan, scan.fits(advertisement) else { return }
    if !scan.allowsDuplicates, let before = reported[advertisement.address] {
      let isNew =
        advertisement.localName != nil && advertisement.localName != before.localName
        || advertisement.serviceUUIDs.contains { !before.serviceUUIDs.contains($0) }
      guard isNew else { return }
    }
    reported[advertisement.address] = advertisement
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
          self, didDiscover: peripheral, advertisementData: advertisement.dictionary,
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

extension Advertisement {
  /// As an app sees it. Not modelled: transmit power, manufacturer and service data, overflow and solicited services.
  fileprivate var dictionary: [String: Any] {
    var data: [String: Any] = [CBAdvertisementDataIsConnectable: NSNumber(value: true)]
    if let localName { data[CBAdvertisementDataLocalNameKey] = localName }
    if !serviceUUIDs.isEmpty { data[CBAdvertisementDataServiceUUIDsKey] = serviceUUIDs.map { CBUUID($0) } }
    return data
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
    var union: [BluetoothUUID] = []
    for wish in wishes {
      for uuid in wish.services ?? [] where !union.contains(uuid) { union.append(uuid) }
    }
    if wishes.contains(where: { $0.services?.isEmpty ?? true }) { union = [] }
    guard isNew || union != lastScan else { return }
    // A scan that continues does not report again what it has reported.
    if lastScan != nil { ask(.stopScanning) }
    lastScan = union
    ask(.scan(services: union))
  }
}
