import BluetoothWire

/// Advertising as a controller reports it; fragments of extended advertising are put together.
///
/// Spec: Core v5.4, Vol 4, Part E, 7.7.65.2, 7.7.65.11 and 7.7.65.13. A report that does not fit its event ends it.
struct AdvertisingReports {
  private struct Open {
    var address: BluetoothAddress
    var set: UInt8
    var data: [UInt8]
  }

  /// The oldest first.
  private var open: [Open] = []

  /// `Num_Reports | (Event_Type: 1 | Address_Type: 1 | Address: 6 | Data_Length: 1 | Data | RSSI: 1) × Num_Reports`.
  func readLegacy(_ fields: OctetFields, _ adapter: TrafficAdapter, _ output: TrafficOutput) {
    guard output.wants(.advertisements) else { return }
    var offset = 2
    for _ in 0..<fields.u8(1) {
      guard fields.count >= offset + 10 else { return }
      let length = Int(fields.u8(offset + 8))
      guard fields.count >= offset + 10 + length else { return }
      let kind = fields.u8(offset)
      if let address = address(fields, offset + 1) {
        let advertisement = TrafficAdvertisement(
          address: address, heardBy: adapter, isConnectable: kind <= 1, isScanResponse: kind == 4,
          data: fields.piece(offset + 9, length), rssi: rssi(fields.u8(offset + 9 + length)))
        output.emit(.advertisements) { .advertisement(advertisement) }
      }
      offset += 10 + length
    }
  }

  /// `… (Event_Type: 1 | Address_Type: 1 | Address: 6 | Direct_Address_Type: 1 | Direct_Address: 6 | RSSI: 1) × …`.
  func readDirected(_ fields: OctetFields, _ adapter: TrafficAdapter, _ output: TrafficOutput) {
    guard output.wants(.advertisements) else { return }
    var offset = 2
    for _ in 0..<fields.u8(1) {
      guard fields.count >= offset + 16 else { return }
      if let address = address(fields, offset + 1) {
        let advertisement = TrafficAdvertisement(
          address: address, heardBy: adapter, isConnectable: true, isScanResponse: false, data: [],
          rssi: rssi(fields.u8(offset + 15)))
        output.emit(.advertisements) { .advertisement(advertisement) }
      }
      offset += 16
    }
  }

  /// `… (Event_Type: 2 | Address_Type: 1 | Address: 6 | PHYs: 2 | SID: 1 | TX_Power: 1 | RSSI: 1 | Interval: 2 |
  /// Direct_Address_Type: 1 | Direct_Address: 6 | Data_Length: 1 | Data) × …`.
  mutating func readExtended(_ fields: OctetFields, _ adapter: TrafficAdapter, _ output: TrafficOutput) {
    guard output.wants(.advertisements) else { return }
    var offset = 2
    for _ in 0..<fields.u8(1) {
      guard fields.count >= offset + 24 else { return }
      let length = Int(fields.u8(offset + 23))
      guard fields.count >= offset + 24 + length else { return }
      readExtended(fields, at: offset, length, adapter, output)
      offset += 24 + length
    }
  }

  private mutating func readExtended(
    _ fields: OctetFields, at offset: Int, _ length: Int, _ adapter: TrafficAdapter, _ output: TrafficOutput
  ) {
    let kind = fields.u16(offset)
    guard let address = address(fields, offset + 2) else { return }
    let piece = fields.piece(offset + 24, length)
    let status = kind >> 5 & 3
    let data = join(piece, address, fields.u8(offset + 11), isLast: status != 1)
    guard let data else { return }
    let advertisement = TrafficAdvertisement(
      address: address, heardBy: adapter, isConnectable: kind & 1 != 0, isScanResponse: kind & 8 != 0, data: data,
      rssi: rssi(fields.u8(offset + 13)), isExtended: kind & 0x10 == 0,
      isTruncated: status >= 2 || data.count >= TrafficLimits.advertisingOctets)
    output.emit(.advertisements) { .advertisement(advertisement) }
  }

  /// The whole data, nil while more is to come. What came in one piece is not copied.
  private mutating func join(
    _ piece: ArraySlice<UInt8>, _ address: BluetoothAddress, _ set: UInt8, isLast: Bool
  ) -> ArraySlice<UInt8>? {
    let place = open.firstIndex { $0.address == address && $0.set == set }
    if isLast {
      guard let place else { return piece }
      let held = open.remove(at: place).data
      return (held + piece.prefix(TrafficLimits.advertisingOctets - held.count))[...]
    }
    if let place {
      open[place].data += piece.prefix(TrafficLimits.advertisingOctets - open[place].data.count)
    } else {
      if open.count == TrafficLimits.openAdvertisements { open.removeFirst() }
      open.append(Open(address: address, set: set, data: Array(piece)))
    }
    return nil
  }

  private func address(_ fields: OctetFields, _ offset: Int) -> BluetoothAddress? {
    HCI.PeerAddress(kind: HCI.PeerAddress.Kind(fields.u8(offset)), bits: fields.u48(offset + 1)).device
  }

  /// 127 stands for "not available".
  private func rssi(_ octet: UInt8) -> Int8? { octet == 127 ? nil : Int8(bitPattern: octet) }
}
