import AppSeam
import BluetoothWire

extension HeardAdvertiser {
  /// As an app sees it.
  var dictionary: [String: Any] {
    var data: [String: Any] = [CBAdvertisementDataIsConnectable: NSNumber(value: isConnectable)]
    if let name = advertisement.localName { data[CBAdvertisementDataLocalNameKey] = name }
    let hidden = overflowServices
    let plain = advertisement.serviceUUIDs.filter { !hidden.contains($0) }
    if !plain.isEmpty { data[CBAdvertisementDataServiceUUIDsKey] = plain.map { CBUUID($0) } }
    if !hidden.isEmpty { data[CBAdvertisementDataOverflowServiceUUIDsKey] = hidden.map { CBUUID($0) } }
    if let transmitPower { data[CBAdvertisementDataTxPowerLevelKey] = NSNumber(value: transmitPower) }
    if let shown = shownManufacturerData { data[CBAdvertisementDataManufacturerDataKey] = Data(shown) }
    let services = serviceData
    if !services.isEmpty {
      data[CBAdvertisementDataServiceDataKey] = Dictionary(
        services.map { (CBUUID($0.service), Data($0.octets)) }, uniquingKeysWith: { $1 })
    }
    let solicited = solicitedServices
    if !solicited.isEmpty { data[CBAdvertisementDataSolicitedServiceUUIDsKey] = solicited.map { CBUUID($0) } }
    return data
  }

  /// Whether a scan without duplicates reports it again: a name, a service or a kind of data is new.
  func hasNews(since before: HeardAdvertiser) -> Bool {
    let name = advertisement.localName
    return name != nil && name != before.advertisement.localName
      || advertisement.serviceUUIDs.contains { !before.advertisement.serviceUUIDs.contains($0) }
      || transmitPower != nil && before.transmitPower == nil
      || shownManufacturerData != nil && before.shownManufacturerData == nil
      || serviceData.contains { new in !before.serviceData.contains { $0.service == new.service } }
  }

  /// Services that the platform has found in Apple's overflow area: those that no list of services has.
  private var overflowServices: [BluetoothUUID] {
    guard manufacturerData.contains(where: { $0.starts(with: [0x4C, 0x00, 0x01]) }) else { return [] }
    let listed = Advertisement(
      address: advertisement.address, data: self.data, scanResponse: scanResponse, rssi: advertisement.rssi
    ).serviceUUIDs
    return advertisement.serviceUUIDs.filter { !listed.contains($0) }
  }

  /// Apple's overflow area and iBeacons are the system's own, and are not shown.
  private var shownManufacturerData: [UInt8]? {
    manufacturerData.last { octets in
      !(octets.prefix(2) == [0x4C, 0x00] && (octets.dropFirst(2).first == 0x01 || octets.dropFirst(2).first == 0x02))
    }
  }
}
