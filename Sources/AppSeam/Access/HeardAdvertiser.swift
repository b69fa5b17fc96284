public import BluetoothWire

/// An advertiser as it was heard: what a scan shows to every app, and the octets for those that want more.
public struct HeardAdvertiser: Hashable, Sendable {
  /// Merged from advertising data and scan response.
  public var advertisement: Advertisement
  /// Advertising data, at most 31 octets; empty as long as none was heard, and where it is directed at this device.
  public var data: [UInt8]
  /// Scan response data; empty as long as none was heard.
  public var scanResponse: [UInt8]

  public init(_ advertisement: Advertisement, data: [UInt8] = [], scanResponse: [UInt8] = []) {
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
  public var manufacturerData: [[UInt8]] { octets(of: 0xFF).filter { $0.count >= 2 } }

  /// Data of services, by their types of 16, 32 and 128 bits (1.11).
  public var serviceData: [(service: BluetoothUUID, octets: [UInt8])] {
    [(UInt8(0x16), 2), (0x20, 4), (0x21, 16)].flatMap { type, width in
      octets(of: type).compactMap { octets in
        Self.uuids(octets.prefix(width), width: width).first.map { ($0, Array(octets.dropFirst(width))) }
      }
    }
  }

  /// Services that the advertiser looks for (1.10).
  public var solicitedServices: [BluetoothUUID] {
    [(UInt8(0x14), 2), (0x1F, 4), (0x15, 16)].flatMap { type, width in
      octets(of: type).flatMap { Self.uuids($0[...], width: width) }
    }
  }

  private func octets(of type: UInt8) -> [[UInt8]] {
    structures.compactMap { if case .other(type, let data) = $0 { data } else { nil } }
  }

  /// UUIDs in a row, little endian; a rest that is no whole one is left out.
  private static func uuids(_ octets: ArraySlice<UInt8>, width: Int) -> [BluetoothUUID] {
    stride(from: octets.startIndex, through: octets.endIndex - width, by: width).compactMap {
      try? BluetoothUUID(decoding: octets[$0..<$0 + width])
    }
  }
}
