public import BluetoothWire

/// What an engine asks the platform to advertise; the phone preset decides what fits (31 octets).
public struct AdvertisementRequest: Hashable, Sendable {
  public var localName: String
  public var serviceUUIDs: [BluetoothUUID]
  public init(localName: String, serviceUUIDs: [BluetoothUUID]) {
    self.localName = localName
    self.serviceUUIDs = serviceUUIDs
  }
}

/// One advertiser as a scan shows it to an app (merged from advertising data and scan response).
public struct Advertisement: Hashable, Sendable {
  public var address: BluetoothAddress
  public var localName: String?
  /// Empty, as is the name, when the advertiser directs its advertising at this device (ADV_DIRECT_IND has no data);
  /// a scan for services finds it nevertheless.
  public var serviceUUIDs: [BluetoothUUID]
  /// dBm.
  public var rssi: Int
  public init(address: BluetoothAddress, localName: String?, serviceUUIDs: [BluetoothUUID], rssi: Int) {
    self.address = address
    self.localName = localName
    self.serviceUUIDs = serviceUUIDs
    self.rssi = rssi
  }
}

extension Advertisement {
  /// Merges advertising data and scan response as platforms do; what cannot be read is left out.
  package init(address: BluetoothAddress, data: [UInt8], scanResponse: [UInt8], rssi: Int) {
    self.init(address: address, localName: nil, serviceUUIDs: [], rssi: rssi)
    for structure in ADStructure.readable(in: data) + ADStructure.readable(in: scanResponse) {
      switch structure {
      case .serviceUUIDs16(let list, _): serviceUUIDs += list.map { BluetoothUUID($0) }
      case .serviceUUIDs128(let list, _): serviceUUIDs += list
      case .localName(let name, let isComplete):
        if isComplete || localName == nil { localName = name }
      default: break
      }
    }
  }
}
