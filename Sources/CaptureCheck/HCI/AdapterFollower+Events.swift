import BluetoothWire
import CaptureFormats

extension AdapterFollower {
  func readEvent(_ octets: ArraySlice<UInt8>) {
    guard octets.count >= 2 else {
      return output.emit(.asides) {
        .aside(.hci(adapter: adapter.number, indicator: HCI.PacketIndicator.event, isToHost: true), octets)
      }
    }
    let code = octets[octets.startIndex]
    output.emit(event: code, octets[(octets.startIndex + 2)...], adapter)
    // By far the most frequent.
    if code == 0x13 { return adapter.flow.complete(OctetFields(octets.dropFirst(2))) }
    readParameters(code, OctetFields(octets.dropFirst(2)))
  }

  private func readParameters(_ code: UInt8, _ fields: OctetFields) {
    switch code {
    case 0x3E where fields.count >= 2: readMeta(fields.u8(0), fields)
    case 0x0E where fields.count >= 4: readComplete(HCI.Opcode(rawValue: fields.u16(1)), fields)
    case 0x03 where fields.count >= 11:
      // Synchronous connections (link types 0 and 2) have no ACL data.
      if fields.u8(0) == 0, fields.u8(9) == 1 { markClassic(fields.u16(1) & 0x0FFF) }
    case 0x05 where fields.count >= 4:
      if fields.u8(0) == 0 { close(fields.u16(1) & 0x0FFF, reason: HCI.ErrorCode(fields.u8(3))) }
    // Encryption Change in both versions: BR/EDR has it as well, so it opens nothing.
    case 0x08 where fields.count >= 4, 0x59 where fields.count >= 5:
      if fields.u8(0) == 0, let link = link(Int(fields.u16(1) & 0x0FFF)) { encrypt(link, fields.u8(3) != 0) }
    case 0x30 where fields.count >= 3:
      if fields.u8(0) == 0, let link = link(Int(fields.u16(1) & 0x0FFF)) { encrypt(link, true) }
    default: break
    }
  }

  private func encrypt(_ link: TrafficLink, _ isOn: Bool) {
    link.isEncrypted = isOn
    output.changed(link, .encryption)
  }

  private func readComplete(_ opcode: HCI.Opcode, _ fields: OctetFields) {
    guard fields.u8(3) == 0 else { return }
    switch opcode.rawValue {
    case 0x0C03: forgetConnections()
    case 0x2002 where fields.count >= 7, 0x2060 where fields.count >= 7:
      adapter.flow.learnBuffers(octets: Int(fields.u16(4)), packets: Int(fields.u8(6)))
    case 0x1009 where fields.count >= 10: learnPublic(fields.u48(4))
    case 0x2005:
      guard let random = addresses.pendingRandom else { return }
      adapter.randomAddress = random
      adapter.learn(random)
    // Role Discovery, which knows LE connections as well (Vol 4, Part E, 7.2.7).
    case 0x0809 where fields.count >= 7:
      guard let role = HCI.Role(rawValue: fields.u8(6)), let link = link(Int(fields.u16(4) & 0x0FFF)) else { return }
      learnRole(role, link)
    case 0x2030 where fields.count >= 8:
      if let link = linkOfEvent(fields.u16(4) & 0x0FFF) { usePHY(link, fields.u8(6), fields.u8(7)) }
    default: break
    }
  }

  private func usePHY(_ link: TrafficLink, _ tx: UInt8, _ rx: UInt8) {
    link.phy = tx == rx && (1...3).contains(tx) ? tx : nil
    output.changed(link, .phy)
  }

  private func readMeta(_ subevent: UInt8, _ fields: OctetFields) {
    switch subevent {
    case 0x01 where fields.count >= 19: readConnection(fields, isEnhanced: false)
    case 0x0A where fields.count >= 31, 0x29 where fields.count >= 31: readConnection(fields, isEnhanced: true)
    case 0x02: reports.readLegacy(fields, adapter, output)
    case 0x0B: reports.readDirected(fields, adapter, output)
    case 0x0D: reports.readExtended(fields, adapter, output)
    case 0x03 where fields.count >= 10:
      guard let link = linkOfSuccess(fields) else { return }
      (link.interval, link.peripheralLatency) = (fields.u16(4), fields.u16(6))
      link.supervisionTimeout = fields.u16(8)
      output.changed(link, .parameters)
    case 0x04 where fields.count >= 4: _ = linkOfSuccess(fields)
    // Only a peripheral is asked for its key (7.7.65.5).
    case 0x05 where fields.count >= 3:
      if let link = linkOfEvent(fields.u16(1) & 0x0FFF) { learnRole(.peripheral, link) }
    case 0x07 where fields.count >= 11:
      guard let link = linkOfEvent(fields.u16(1) & 0x0FFF) else { return }
      (link.maxTxOctets, link.maxRxOctets) = (fields.u16(3), fields.u16(7))
      output.changed(link, .dataLength)
    case 0x0C where fields.count >= 6:
      if let link = linkOfSuccess(fields) { usePHY(link, fields.u8(4), fields.u8(5)) }
    // LE Subrate Change (7.7.65.35).
    case 0x23 where fields.count >= 12:
      guard let link = linkOfSuccess(fields) else { return }
      (link.peripheralLatency, link.supervisionTimeout) = (fields.u16(6), fields.u16(10))
      output.changed(link, .parameters)
    // An advertising set that a connection ended: so this side is its peripheral, by that set's address.
    case 0x12 where fields.count >= 6:
      guard fields.u8(1) == 0, let link = link(Int(fields.u16(3) & 0x0FFF)) else { return }
      learnRole(.peripheral, link)
      useSet(fields.u8(2), link)
    default: break
    }
  }

  /// The link of an event with its status first, then the handle.
  private func linkOfSuccess(_ fields: OctetFields) -> TrafficLink? {
    fields.u8(1) == 0 ? linkOfEvent(fields.u16(2) & 0x0FFF) : nil
  }

  private func useSet(_ set: UInt8, _ link: TrafficLink) {
    guard link.viewpoint == .host(.peripheral), let own = addresses.address(ofSet: set, adapter) else { return }
    if link.peripheral == own { return }
    link.peripheral = own
    adapter.learn(own)
    output.changed(link, .addresses)
  }

  /// LE Connection Complete, and the enhanced one of both versions. Layout: `Subevent: 1 | Status: 1 | Handle: 2 |
  /// Role: 1 | Peer address type: 1 | Peer address: 6 | [Local private: 6 | Peer private: 6] | Interval: 2 |
  /// Latency: 2 | Timeout: 2 | …`.
  private func readConnection(_ fields: OctetFields, isEnhanced: Bool) {
    guard fields.u8(1) == 0 else { return }
    let handle = fields.u16(2) & 0x0FFF
    let role = HCI.Role(rawValue: fields.u8(4))
    let peer = HCI.PeerAddress(kind: HCI.PeerAddress.Kind(fields.u8(5)), bits: fields.u48(6)).device
    let parameters = isEnhanced ? 24 : 12
    let own = role.flatMap { addresses.address(as: $0, adapter) }
    let isPeripheral = role == .peripheral
    open(handle) { index in
      let server = output.servers.map(of: peer)
      let link = TrafficLink(
        index: index, file: adapter.file, handle: handle, adapter: adapter, accessAddress: nil,
        viewpoint: role.map { .host($0) } ?? .hostOfUnknownRole, central: isPeripheral ? peer : own,
        peripheral: isPeripheral ? own : peer, isFromStart: true, openedAt: output.instant, openedBy: output.place,
        attributesOfPeripheral: isPeripheral ? attributes : server,
        attributesOfCentral: isPeripheral ? server : attributes)
      link.interval = fields.u16(parameters)
      link.peripheralLatency = fields.u16(parameters + 2)
      link.supervisionTimeout = fields.u16(parameters + 4)
      if isEnhanced {
        let ownPrivate = privateAddress(fields.u48(12))
        let peerPrivate = privateAddress(fields.u48(18))
        link.centralPrivate = isPeripheral ? peerPrivate : ownPrivate
        link.peripheralPrivate = isPeripheral ? ownPrivate : peerPrivate
      }
      return link
    }
  }

  /// Zeros are no address; some controllers fill in ones (0xFF…) instead.
  private func privateAddress(_ bits: UInt64) -> BluetoothAddress? {
    bits == 0 || bits == 0xFFFF_FFFF_FFFF ? nil : BluetoothAddress(kind: .random, bits: bits)
  }
}
