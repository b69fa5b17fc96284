public import BluetoothWire

/// An advertiser as it was heard: what a scan shows to every app, and the octets for those that want more.
public struct HeardAdvertiser: Hashable, Sendable {
  /// Merged from advertising data and scan response.
  public var advertisement: Advertisement
  /// Advertising data, at most 31 octets; empty as long as none was heard, and where it is directed at this device.
  public var data: [UInt8]
  /// Scan response data; empty as long as none was heard.
  public var scanResponse: [UInt8]
  /// Whether its newest advertisement takes connections: ADV_IND or ADV_DIRECT_IND.
  public var isConnectable: Bool

  public init(
    _ advertisement: Advertisement, data: [UInt8] = [], scanResponse: [UInt8] = [], isConnectable: Bool = true
  ) {
    self.isConnectable = isConnectable
    self.advertisement = advertisement
    self.data = data
    self.scanResponse = scanResponse
  }

  /// The structures of both, in front of the first defect of each.
  private var structures: [ADStructure] { ADStructure.readable(in: data) + ADStructure.readable(in: scanResponse) }

  /// dBm at the advertiser's antenna; the last one that it says.
  public var transmitPower: Int? {
    structures.compactMap { if case .txPowerLevel(let level) = $0 { Int(level) } else { nil } }.last
  }

  /// Two octets of company, little endian, then its own, each structure for itself (Supplement, Part A, 1.4).
  public var manufacturerData: [[UInt8]] {
    structures.compactMap { if case .other(0xFF, let data) = $0, data.count >= 2 { data } else { nil } }
  }

  /// Data of services: those with types of 16 bits, of 32 and of 128 (1.11).
  public var serviceData: [(service: BluetoothUUID, octets: [UInt8])] {
    var short: [(BluetoothUUID, [UInt8])] = []
    var wide: [(BluetoothUUID, [UInt8])] = []
    var long: [(BluetoothUUID, [UInt8])] = []
    for structure in structures {
      switch structure {
      case .serviceData16(let uuid, let octets): short.append((BluetoothUUID(uuid), octets))
      case .serviceData32(let uuid, let octets): wide.append((BluetoothUUID(wide: uuid), octets))
      case .serviceData128(let uuid, let octets): long.append((uuid, octets))
      default: break
      }
    }
    return short + wide + long
  }

  /// Services that the advertiser looks for, in the same order (1.10).
  public var solicitedServices: [BluetoothUUID] {
    var short: [BluetoothUUID] = []
    var wide: [BluetoothUUID] = []
    var long: [BluetoothUUID] = []
    for structure in structures {
      switch structure {
      case .solicitedUUIDs16(let uuids): short += uuids.map { BluetoothUUID($0) }
      case .solicitedUUIDs32(let uuids): wide += uuids.map { BluetoothUUID(wide: $0) }
      case .solicitedUUIDs128(let uuids): long += uuids
      default: break
      }
    }
    return short + wide + long
  }
}
