/// What surrounds a record's octets in a file of a link type.
struct LinkEncoding {
  /// Before them and after the format's own record header.
  var head = AirHeader.Prefix()
  /// After them.
  var tail = AirHeader.Prefix()
  /// btsnoop's flags; 0 in other formats.
  var flags: UInt32 = 0
  /// For pcapng's direction flags; nil where the link type tells the direction, or nobody does.
  var isToHost: Bool?
  /// Octets that the packet had beyond those that are written.
  var missing = 0
}

/// Puts records into the form of a link type.
enum LinkEncoder {
  typealias Mismatch = CaptureWriter.Mismatch

  /// The link type of a record when the caller names none: what it was, if the format has a number for it and the
  /// direction has a place.
  static func link(of record: CaptureRecord, in format: CaptureFormat) -> CaptureLink {
    switch (record.body, format) {
    case (_, .packetLogger): .packetLogger
    case (.opaque, _): record.link
    case (.hci, .btsnoop): record.link.fits(.btsnoop) ? record.link : .h4
    case (.hci(_, _, let isToHost), _):
      switch record.link {
      case .linuxMonitor: .linuxMonitor
      // Only pcap's own packets do without a direction.
      case .h4: isToHost == nil || record.mark == nil ? .h4 : .h4WithDirection
      default: .h4WithDirection
      }
    case (.monitor, _): .linuxMonitor
    case (.network, _): record.link
    case (.air, .btsnoop), (.text, _): record.link
    case (.air, _): record.link.fits(format) ? record.link : .leLinkLayerWithHeader
    }
  }

  /// - Throws: why the link type has no place for the record.
  static func encode(
    _ record: CaptureRecord, as link: CaptureLink, in format: CaptureFormat
  ) throws(Mismatch) -> LinkEncoding {
    switch record.body {
    case .hci(let adapter, let indicator, let isToHost):
      return try packet(
        record, as: link, in: format, adapter: adapter, indicator: indicator, isToHost: isToHost)
    case .air(let header): return try air(record, header, as: link)
    case .monitor(let adapter, let opcode):
      guard link == .linuxMonitor else { throw misplaced("what Linux's monitor says beside packets", link) }
      return monitor(adapter: adapter, opcode: opcode, in: format)
    case .text:
      guard link == .packetLogger else { throw misplaced("a line of PacketLogger's text", link) }
      var encoding = LinkEncoding()
      encoding.head.append(UInt8(truncatingIfNeeded: record.mark ?? UInt32(PacketLogger.note)))
      return encoding
    case .network(let header):
      guard record.link == link else { throw misplaced("a packet of \(record.link.name)", link) }
      var encoding = LinkEncoding()
      if header.isOutgoing != NetworkLink.isOutgoing(link, record.octets) {
        encoding.isToHost = header.isOutgoing.map { !$0 }
      }
      encoding.missing = max(0, record.originalLength - record.octets.count)
      return encoding
    case .opaque(let why):
      // Numbers of btsnoop datalinks and of link types overlap; records of btsnoop have a mark.
      guard record.link == link, (record.mark != nil) == (format == .btsnoop) || link == .packetLogger else {
        if why == .foreignLink { throw Mismatch("a record of \(record.link.name) has no place in \(format.rawValue)") }
        throw misplaced("a record that is \(why)", link)
      }
      var encoding = LinkEncoding()
      if format == .btsnoop { encoding.flags = record.mark ?? 0 }
      encoding.missing = max(0, record.originalLength - record.octets.count)
      return encoding
    }
  }

  private static func misplaced(_ what: String, _ link: CaptureLink) -> Mismatch {
    Mismatch("\(what) has no place in \(link.name)")
  }

  private static func packet(
    _ record: CaptureRecord, as link: CaptureLink, in format: CaptureFormat, adapter: UInt16, indicator: UInt8,
    isToHost: Bool?
  ) throws(Mismatch) -> LinkEncoding {
    var encoding = LinkEncoding()
    if link == .h4 {
      encoding.isToHost = isToHost
      encoding.head.append(indicator)
      if format != .btsnoop { return encoding }
    }
    guard let isToHost else { throw Mismatch("a packet of unknown direction has no place in \(link.name)") }
    let isCommandOrEvent = indicator == 0x01 || indicator == 0x04
    let flags: UInt32 = (isToHost ? 1 : 0) | (isCommandOrEvent ? 2 : 0)
    func refusal() -> Mismatch {
      let way = isToHost ? "to" : "from"
      return Mismatch("a packet with indicator \(hex(indicator)) \(way) the host has no place in \(link.name)")
    }
    switch link {
    case .h4:
      // The very flags of the file that it comes from, if that was of a kind that has the same ones.
      encoding.flags = record.link == .h4 ? record.mark ?? flags : flags
    case .h4WithDirection:
      encoding.head.append(big: isToHost ? 1 : 0)
      encoding.head.append(indicator)
    case .hciUnencapsulated:
      guard indicator == 0x02 || indicator == (isToHost ? 0x04 : 0x01) else { throw refusal() }
      encoding.flags = record.link == .hciUnencapsulated ? record.mark ?? flags : flags
    case .linuxMonitor:
      guard
        let opcode = LinkDecoder.monitorOpcodes.first(where: {
          LinkDecoder.monitorPacket($0).map { $0 == (indicator, isToHost) } ?? false
        })
      else { throw refusal() }
      return monitor(adapter: adapter, opcode: opcode, in: format)
    case .packetLogger:
      guard
        let type = PacketLogger.packetTypes.first(where: {
          PacketLogger.packet($0).map { $0 == (indicator, isToHost) } ?? false
        })
      else { throw refusal() }
      encoding.head.append(type)
    case .leLinkLayer, .leLinkLayerWithHeader, .nordicBLE, .ppi, .other:
      throw Mismatch("an HCI packet has no place in \(link.name), which holds PDUs on the air")
    case .ethernet, .linuxCooked, .linuxCooked2, .rawIP, .null, .loop:
      throw Mismatch("an HCI packet has no place in \(link.name), which holds packets of networks")
    }
    return encoding
  }

  private static func hex(_ octet: UInt8) -> String {
    let digits = String(octet, radix: 16, uppercase: true)
    return digits.count == 1 ? "0" + digits : digits
  }

  private static func monitor(adapter: UInt16, opcode: UInt16, in format: CaptureFormat) -> LinkEncoding {
    var encoding = LinkEncoding()
    let word = UInt32(adapter) << 16 | UInt32(opcode)
    if format == .btsnoop { encoding.flags = word } else { encoding.head.append(big: word) }
    return encoding
  }

  private static func air(
    _ record: CaptureRecord, _ header: AirHeader, as link: CaptureLink
  ) throws(Mismatch) -> LinkEncoding {
    var encoding = LinkEncoding()
    switch link {
    case .leLinkLayer:
      if header.coding != nil { throw Mismatch("a PDU on LE Coded has no place in \(link.name); write le-phdr") }
    case .leLinkLayerWithHeader:
      if record.link == link, header.prefix.count == LEPseudoHeader.length {
        encoding.head = header.prefix
      } else {
        LEPseudoHeader(header).append(to: &encoding.head)
      }
    case .nordicBLE:
      guard record.link == link, header.prefix.count == NordicHeader.length else {
        throw Mismatch("only what Nordic's sniffer wrote has its header; write le-phdr instead of \(link.name)")
      }
      encoding.head = header.prefix
    case .ppi:
      guard record.link == link, header.prefix.count >= PPIHeader.least else {
        throw Mismatch("only a record that has a PPI header keeps it; write le-phdr instead of \(link.name)")
      }
      encoding.head = header.prefix
    case .ethernet, .linuxCooked, .linuxCooked2, .rawIP, .null, .loop:
      throw Mismatch("a PDU on the air has no place in \(link.name), which holds packets of networks")
    default: throw Mismatch("a PDU on the air has no place in \(link.name), which holds HCI packets")
    }
    guard let crc = header.crc ?? header.crcFiller else {
      throw Mismatch("a PDU without its CRC has no place in \(link.name)")
    }
    encoding.head.append(little: header.accessAddress)
    if let coding = header.coding { encoding.head.append(coding.rawValue) }
    encoding.tail.append(little: crc, 3)
    return encoding
  }
}
