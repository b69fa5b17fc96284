public import BluetoothWire

/// What an app scans for that wants advertisements whole (`GAPEffect.scan`).
public struct ScanRequest: Hashable, Sendable {
  /// Advertisers of one of these services are told; with no services at all, every advertiser is.
  public var services: [BluetoothUUID]
  /// So are advertisers that look for one of these, where there is a filter (Core Specification Supplement, Part A,
  /// 1.10).
  public var solicited: [BluetoothUUID]
  /// Every packet that is received, and not only those with something new; ignored in background.
  public var everyPacket: Bool

  public init(services: [BluetoothUUID], solicited: [BluetoothUUID] = [], everyPacket: Bool = false) {
    self.services = services
    self.solicited = solicited
    self.everyPacket = everyPacket
  }

  /// Whether the filter lets an advertiser through.
  public func fits(_ heard: HeardAdvertiser) -> Bool {
    if services.isEmpty && solicited.isEmpty { return true }
    return heard.advertisement.serviceUUIDs.contains(where: services.contains)
      || heard.solicitedServices.contains(where: solicited.contains)
  }
}
