/// Takes the octets of a record apart as its link type says.
enum LinkDecoder {
  static let monitorOpcodes: [UInt16] = [2, 3, 4, 5, 6, 7, 18, 19]

  /// Opcodes of Linux's monitor (BlueZ: `doc/btsnoop-protocol.rst`) that are HCI packets.
  static func monitorPacket(_ opcode: UInt16) -> (indicator: UInt8, isToHost: Bool)? {
    switch opcode {
    case 2: (0x01, false)
    case 3: (0x04, true)
    case 4: (0x02, false)
    case 5: (0x02, true)
    case 6: (0x03, false)
    case 7: (0x03, true)
    case 18: (0x05, false)
    case 19: (0x05, true)
    default: nil
    }
  }

  /// - Parameters:
  ///   - octets: as in the file; afterwards what the body says they are.
  ///   - flags: of the btsnoop record. 1001 and 1002: bit 0 received, bit 1 command or event; 2001: adapter, opcode.
  @inline(__always)
  static func body(_ link: CaptureLink, _ octets: inout ArraySlice<UInt8>, btsnoopFlags flags: UInt32) -> CaptureBody {
    switch link {
    case .h4:
      guard let indicator = octets.first else { return .opaque(.tooShort) }
      octets = octets.dropFirst()
      return .hci(adapter: 0, indicator: indicator, isToHost: flags & 1 != 0)
    case .hciUnencapsulated:
      let isToHost = flags & 1 != 0
      let indicator: UInt8 = flags & 2 == 0 ? 0x02 : isToHost ? 0x04 : 0x01
      return .hci(adapter: 0, indicator: indicator, isToHost: isToHost)
    case .linuxMonitor:
      return monitor(adapter: UInt16(flags >> 16), opcode: UInt16(truncatingIfNeeded: flags))
    default: return .opaque(.foreignLink)
    }
  }

  /// - Parameters:
  ///   - octets: as in the file; afterwards what the body says they are.
  ///   - isToHost: what the file says of the record beside its octets.
  ///   - isSnapped: the packet had more octets.
  ///   - name: what the file calls the interface.
  static func body(
    _ link: CaptureLink, _ octets: inout ArraySlice<UInt8>, isToHost: Bool?, isSnapped: Bool, name: String? = nil
  ) -> CaptureBody {
    if let length = link.networkHeaderLength {
      guard octets.count >= max(length, 1) else { return .opaque(isSnapped ? .snapped : .tooShort) }
      let isOutgoing = isToHost.map { !$0 } ?? NetworkLink.isOutgoing(link, octets)
      return .network(NetworkHeader(isOutgoing: isOutgoing, interfaceName: name))
    }
    return isSnapped ? .opaque(.snapped) : body(link, &octets, isToHost: isToHost)
  }

  /// As if the octets that are there were all.
  static func body(_ link: CaptureLink, _ octets: inout ArraySlice<UInt8>, isToHost: Bool?) -> CaptureBody {
    switch link {
    case .h4:
      guard let indicator = octets.first else { return .opaque(.tooShort) }
      octets = octets.dropFirst()
      return .hci(adapter: 0, indicator: indicator, isToHost: isToHost ?? direction(ofIndicator: indicator))
    case .h4WithDirection:
      guard octets.count >= 5 else { return .opaque(.tooShort) }
      let direction: UInt32 = octets.big(0)
      let indicator = octets[octets.startIndex + 4]
      octets = octets.dropFirst(5)
      return .hci(adapter: 0, indicator: indicator, isToHost: direction & 1 != 0)
    case .linuxMonitor:
      guard octets.count >= 4 else { return .opaque(.tooShort) }
      let adapter: UInt16 = octets.big(0)
      let opcode: UInt16 = octets.big(2)
      octets = octets.dropFirst(4)
      return monitor(adapter: adapter, opcode: opcode)
    case .packetLogger: return packetLogger(&octets)
    case .leLinkLayer: return air(AirHeader(accessAddress: 0), &octets)
    case .leLinkLayerWithHeader:
      guard let header = LEPseudoHeader.read(octets) else { return .opaque(.tooShort) }
      return air(header.air, &octets, prefix: LEPseudoHeader.length, isCoded: header.isCoded)
    case .nordicBLE:
      guard octets.count >= NordicHeader.length else { return .opaque(.tooShort) }
      switch NordicHeader.read(octets) {
      case .opaque(let why): return .opaque(why)
      case .pdu(let header, let hasCRC, let isCoded):
        return air(header, &octets, prefix: NordicHeader.length, hasCRC: hasCRC, isCoded: isCoded)
      }
    case .ppi:
      switch PPIHeader.read(octets) {
      case .opaque(let why): return .opaque(why)
      case .pdu(let header, let length): return air(header, &octets, prefix: length)
      }
    case .hciUnencapsulated, .ethernet, .linuxCooked, .linuxCooked2, .rawIP, .null, .loop, .other:
      return .opaque(.foreignLink)
    }
  }

  private static func direction(ofIndicator indicator: UInt8) -> Bool? {
    indicator == 0x01 ? false : indicator == 0x04 ? true : nil
  }

  private static func monitor(adapter: UInt16, opcode: UInt16) -> CaptureBody {
    guard let packet = monitorPacket(opcode) else { return .monitor(adapter: adapter, opcode: opcode) }
    return .hci(adapter: adapter, indicator: packet.indicator, isToHost: packet.isToHost)
  }

  private static func packetLogger(_ octets: inout ArraySlice<UInt8>) -> CaptureBody {
    guard let type = octets.first else { return .opaque(.tooShort) }
    if let packet = PacketLogger.packet(type) {
      octets = octets.dropFirst()
      return .hci(adapter: 0, indicator: packet.indicator, isToHost: packet.isToHost)
    }
    guard PacketLogger.isText(type) else { return .opaque(.unknownKind) }
    octets = octets.dropFirst()
    return .text
  }

  /// Access address, on LE Coded the Coding Indicator, at least the two octets of a PDU's header, CRC.
  private static func air(
    _ known: AirHeader, _ octets: inout ArraySlice<UInt8>, prefix: Int = 0, hasCRC: Bool = true, isCoded: Bool = false
  ) -> CaptureBody {
    guard octets.count >= prefix + (isCoded ? 10 : 9) else { return .opaque(isCoded ? .leCoded : .tooShort) }
    var header = known
    if isCoded {
      let indicator = octets[octets.startIndex + prefix + 4]
      guard let coding = LECoding(rawValue: indicator & 3), !header.isLE2M else { return .opaque(.leCoded) }
      header.coding = coding
    }
    header.prefix = AirHeader.Prefix(octets.prefix(prefix))
    header.accessAddress = octets.little(prefix)
    if header.stream == .periodicAdvertising, header.accessAddress == 0x8E89_BED6 { header.stream = nil }
    let crc = octets.suffix(3)
    let value =
      UInt32(crc[crc.startIndex]) | UInt32(crc[crc.startIndex + 1]) << 8 | UInt32(crc[crc.startIndex + 2]) << 16
    if hasCRC { header.crc = value } else { header.crcFiller = value }
    octets = octets.dropFirst(prefix + (isCoded ? 5 : 4)).dropLast(3)
    return .air(header)
  }
}
