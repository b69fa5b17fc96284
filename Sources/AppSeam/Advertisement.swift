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
