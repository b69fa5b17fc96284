import BluetoothWire
import CaptureFormats
import SimKernel

/// Collects what one record shows into layers, the lowest first.
final class PacketCollector: TrafficObserver {
  /// How much of a packet is put into words.
  enum Depth {
    /// The layers that one line shows.
    case headline
    /// All layers.
    case layers
    /// All layers with their fields.
    case fields
  }

  var depth: Depth
  var isVerbose: Bool { depth == .fields }
  let printers: [(layer: InspectLayer, printer: any PacketPrinter)]
  private let names: AttributeNames
  /// For links whose protocol is known, the index of its printer.
  private var spoken: [(link: Int, printer: Int)] = []
  /// The same for streams of networks. Looked up only, never gone through.
  var spokenStreams: [Int: Int] = [:]
  let packet = InspectedPacket()
  /// Requests whose answer is waited for.
  var pending = PendingExchanges()
  /// ACL data that is put into words only if nothing above it is.
  @exclusivity(unchecked) private var unsaid:
    (handle: HCI.ConnectionHandle, boundary: UInt8, octets: ArraySlice<UInt8>)?
  @exclusivity(unchecked) private(set) var record = CaptureRecord(
    number: 0, link: .h4, nanoseconds: 0, originalLength: 0, body: .text, octets: [])

  /// - Parameter protocols: whose packets are looked for; of several that know a link's values, the first one's.
  init(protocols: [SpokenProtocol], depth: Depth) {
    printers = protocols.map { (.app($0.name), $0.makePrinter()) }
    names = AttributeNames(printers.map(\.printer))
    self.depth = depth
  }

  let interests: TrafficEvent.Interests = [
    .links, .att, .frames, .fragments, .gaps, .commands, .events, .advertisements, .air, .asides,
    .foreign, .network, .packets,
  ]

  func begin(_ record: CaptureRecord) {
    self.record = record
    packet.clear()
    unsaid = nil
    if case .hci(_, _, let isToHost?) = record.body { packet.direction = isToHost ? .in : .out }
  }

  /// The packet is valid until the next `begin`.
  func end() -> InspectedPacket {
    if let unsaid, packet.layers.first.map({ $0.kind == .note }) ?? true {
      add(acl: unsaid.octets, unsaid.handle, unsaid.boundary)
    }
    if packet.layers.isEmpty { addBody() }
    return packet
  }

  func observe(event: TrafficHCIEvent) {
    let parameters = event.parameters
    add(event: event.code, parameters, event.adapter)
    if event.code == 0x0E, parameters.count >= 3 {
      exchange(completed: parameters.word(at: 1), event.adapter, at: event.instant)
    } else if event.code == 0x0F, parameters.count >= 4 {
      exchange(completed: parameters.word(at: 2), event.adapter, at: event.instant)
    }
  }

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .command(let adapter, let opcode, let parameters):
      add(command: opcode, parameters, adapter)
      exchange(command: opcode.rawValue, adapter, at: event.instant)
    case .frame(let link, let fromCentral, let channel, let octets):
      touch(link)
      direct(link, fromCentral)
      add(frame: octets, channel)
      if channel == .signalling { exchange(signal: octets, link, fromCentral: fromCentral, at: event.instant) }
    case .air(let link, let header, let octets): add(air: octets, header, link)
    case .advertisement(let advertisement): add(advertisement)
    case .linkOpened(let link):
      touch(link)
      let begins: StaticString = link.isFromStart ? "opens" : "came up before the capture"
      let ends: PacketText = "central \(Self.text(link.central)), peripheral \(Self.text(link.peripheral))"
      add(.note, "[link \(link.index) \(begins): \(ends)]")
    case .linkClosed(let link, let reason):
      touch(link)
      let why: PacketText = reason.map { ", reason \(hex: $0.rawValue, digits: 2)" } ?? ""
      add(.note, "[link \(link.index) closes\(why)]")
      spoken.removeAll { $0.link == link.index }
      for entry in printers { entry.printer.close(link: link.index) }
    case .linkChanged(let link, let change):
      touch(link)
      add(.note, "[link \(link.index): \(Self.text(link, change))]")
    case .gap(let link, _, let gap):
      touch(link)
      add(.note, "[link \(link.index): \(gap.rawValue)]")
    case .aside(let body, let octets): add(aside: body, octets)
    case .foreign(_, let handle, let why, let octets):
      add(.hci, "ACL data on handle \(hex: handle, digits: 4), \(octets.count, "octet"): \(why.rawValue)") {
        [FieldValue.octets(octets)]
      }
    }
  }

  func observe(att pdu: TrafficPDU) {
    touch(pdu.link)
    direct(pdu.link, pdu.fromCentral)
    // The ATT layer covers it.
    if depth != .headline { add(.l2cap, "L2CAP channel 0x0004, \(pdu.octets.count, "octet")") }
    add(att: pdu.octets, pdu.link, fromCentral: pdu.fromCentral, at: pdu.instant)
  }

  func observe(fragment pdu: TrafficPDU, _ header: LinkFragment) {
    touch(pdu.link)
    direct(pdu.link, pdu.fromCentral)
    add(header, pdu.octets, pdu.link)
    guard case .linkLayer(3, false) = header, case .air(let air) = record.body else { return }
    let payload = pdu.octets.dropFirst(2)
    if let opcode = payload.first, !pdu.link.isCiphertext(payload, llid: 3, air) {
      exchange(control: opcode, pdu.link, fromCentral: pdu.fromCentral, at: pdu.instant)
    }
  }

  // MARK: Parts

  func add(_ kind: InspectLayer, _ text: PacketText, details: () -> [String] = { [] }) {
    packet.add(.init(kind: kind, text: text, details: isVerbose ? details().map(PacketText.shown) : []))
  }

  func index(_ code: InspectFilter.Code) { packet.codes.append(code) }
  func index(_ handle: ATT.Handle) { packet.handles.append(handle) }
  func index(_ address: BluetoothAddress?) { if let address { packet.addresses.append(address.bits) } }

  private func touch(_ link: TrafficLink) {
    if !packet.links.contains(link.index) { packet.links.append(link.index) }
    index(link.central)
    index(link.peripheral)
  }

  private func direct(_ link: TrafficLink, _ fromCentral: Bool) {
    if link.viewpoint == .air { packet.direction = fromCentral ? .fromCentral : .fromPeripheral }
  }

  private func add(_ fragment: LinkFragment, _ octets: ArraySlice<UInt8>, _ link: TrafficLink) {
    switch fragment {
    case .acl(let boundary, _):
      let handle = link.handle ?? 0
      if depth == .headline { unsaid = (handle, boundary, octets) } else { add(acl: octets, handle, boundary) }
    case .linkLayer(let llid, let isRepeat):
      let again: StaticString = isRepeat ? ", repeated" : ""
      let payload = octets.dropFirst(2)
      let header = { ControlFields.header(octets) }
      if case .air(let air) = record.body, link.isCiphertext(payload, llid: llid, air) {
        // Its first octet is no opcode.
        let kind: StaticString = llid == 3 ? "control PDU" : "data"
        add(.ll, "LL encrypted \(kind), \(payload.count, "octet") with MIC\(again)") {
          header() + ["Ciphertext: \(FieldValue.octets(payload))"]
        }
      } else if llid == 3, let opcode = payload.first {
        index(.control(opcode))
        add(.ll, "\(PDUNames.name(PDUNames.control, opcode, "LL control"))\(again)") {
          header() + ControlFields.lines(payload)
        }
      } else if payload.isEmpty {
        add(.ll, "LL empty PDU\(again)", details: header)
      } else {
        let words: StaticString = llid == 1 ? "continuing" : "starting"
        add(.ll, "LL data, \(words) a frame, \(payload.count, "octet")\(again)") {
          header() + [FieldValue.octets(payload)]
        }
      }
    }
  }

  private func add(acl octets: ArraySlice<UInt8>, _ handle: HCI.ConnectionHandle, _ boundary: UInt8) {
    let words: StaticString = boundary == 1 ? "continuing" : "starting"
    add(.hci, "ACL data on handle \(hex: handle, digits: 4), \(words) a frame, \(octets.count, "octet")") {
      [FieldValue.octets(octets)]
    }
  }

  private func add(frame octets: ArraySlice<UInt8>, _ channel: L2CAP.ChannelID) {
    let code = octets.first ?? 0
    switch channel {
    case .signalling where !octets.isEmpty:
      index(.signalling(code))
      add(.l2cap, "\(PDUNames.name(PDUNames.signalling, code, "L2CAP signalling"))") {
        SignallingFields.lines(octets)
      }
    case .securityManager where !octets.isEmpty:
      index(.security(code))
      add(
        .l2cap, "\(PDUNames.name(PDUNames.security, code, "SMP")), \(octets.count, "octet")"
      ) { SecurityFields.table.lines(UInt16(code), octets.dropFirst()) }
    default:
      add(.l2cap, "L2CAP channel \(hex: channel.rawValue, digits: 4), \(octets.count, "octet")") {
        [FieldValue.octets(octets)]
      }
    }
  }

  private func add(air octets: ArraySlice<UInt8>, _ header: AirHeader, _ link: TrafficLink?) {
    if let link { touch(link) }
    var remarks: PacketText = ""
    if let channel = header.rfChannel { remarks.append(", channel \(LL.channelIndex(rfChannel: channel))") }
    if let power = header.signalPower { remarks.append(", \(power) dBm") }
    if header.isCRCValid == false { remarks.appendLiteral(", CRC wrong") }
    if AdvertisingCode.isAdvertising(header), let first = octets.first {
      let code = AdvertisingCode.code(first, header)
      index(.advertising(code))
      noteAddresses(octets)
      let name = PDUNames.name(PDUNames.advertising, code, "advertising PDU")
      add(.ll, "\(name), \(octets.count, "octet")\(remarks)") { AdvertisingFields.lines(octets) }
    } else if link == nil {
      let address: PacketText = "\(hex: header.accessAddress, digits: 8)"
      add(.ll, "LL PDU of access address \(address), \(octets.count, "octet")\(remarks)")
    } else if !remarks.octets.isEmpty, isVerbose {
      add(.ll, "on the air\(remarks)")
    }
  }

  /// The addresses of legacy advertising PDUs: one, or two where the PDU is for somebody.
  private func noteAddresses(_ octets: ArraySlice<UInt8>) {
    guard let first = octets.first, first & 0x0F <= 0x06 else { return }
    let count = [0x01, 0x03, 0x05].contains(first & 0x0F) ? 2 : 1
    for index in 0..<count where octets.count >= 8 + 6 * index {
      let start = octets.startIndex + 2 + 6 * index
      packet.addresses.append(octets[start..<start + 6].reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }
  }

  private func add(_ advertisement: TrafficAdvertisement) {
    index(advertisement.address)
    let power: PacketText = advertisement.rssi.map { ", \($0) dBm" } ?? ""
    add(
      .note, "[\(advertisement.address) says \(advertisement.data.count, "octet")\(power)]"
    ) {
      // Data of one PDU are among its fields; those of several are put together here only.
      advertisement.isExtended ? ADFields.lines(advertisement.data) : []
    }
  }

  private func add(att octets: ArraySlice<UInt8>, _ link: TrafficLink, fromCentral: Bool, at instant: SimInstant) {
    let words = ATTWords(octets, link, fromCentral: fromCentral, names: names)
    if let code = words.opcode { index(.att(code)) }
    packet.handles += words.handles
    exchange(att: words.opcode, words.handles, link, fromCentral: fromCentral, at: instant)
    add(.att, words.text) {
      guard let code = words.opcode else { return [] }
      return AttributeFields.table.lines(UInt16(code), octets.dropFirst()) {
        words.meaning(of: $0)?.description
      }
    }
    guard !printers.isEmpty, let handle = words.handles.first, let value = words.value else { return }
    add(
      PrintedValue(
        octets: Array(value), uuid: words.uuid, handle: handle, link: link.index, isFromCentral: fromCentral,
        instant: instant))
  }

  /// Asks the printer of the link's protocol; all, in their order, while that is not known.
  private func add(_ value: PrintedValue) {
    let known = spoken.first { $0.link == value.link }?.printer
    for index in known.map({ $0...$0 }) ?? 0...printers.count - 1 {
      guard let words = printers[index].printer.packet(in: value) else { continue }
      if known == nil { spoken.append((value.link, index)) }
      packet.add(.init(kind: printers[index].layer, text: "\(words.text)", details: words.details))
      packet.spoken.append(words)
      return
    }
  }

  private func add(aside body: CaptureBody, _ octets: ArraySlice<UInt8>) {
    switch body {
    case .text: add(.note, "\(Self.line(octets))")
    // System Note, User Logging.
    case .monitor(_, 12): add(.note, "monitor note: \(Self.line(octets))")
    case .monitor(_, 13): add(.note, "monitor log: \(Self.line(octets.dropFirst(2)))")
    case .monitor(let adapter, let opcode):
      let name: PacketText = PDUNames.monitor.name(opcode).map { "monitor \($0)" } ?? "monitor opcode \(opcode)"
      add(
        .note, "\(name) of adapter \(adapter), \(octets.count, "octet")"
      ) { [FieldValue.octets(octets)] }
    case .opaque(let why):
      add(.note, "\(octets.count, "octet") \(why.description)") { [FieldValue.octets(octets)] }
    case .hci, .air, .network: break
    }
  }

  /// Text of a capturer, without the zero and the line feed after it.
  private static func line(_ octets: ArraySlice<UInt8>) -> String {
    let text = octets.prefix(400).prefix { $0 != 0 && $0 != 0x0A }
    return String(decoding: text, as: UTF8.self)
  }

  /// A packet that no follower said anything of.
  private func addBody() {
    let octets = record.octets
    switch record.body {
    case .hci(_, HCI.PacketIndicator.isochronousData, _) where octets.count >= ISOFields.headerLength: add(iso: octets)
    case .hci(_, let indicator, _):
      let name: PacketText =
        switch indicator {
        case HCI.PacketIndicator.command: "HCI command"
        case HCI.PacketIndicator.event: "HCI event"
        case HCI.PacketIndicator.acl: "ACL data"
        case HCI.PacketIndicator.synchronousData: "synchronous data"
        case HCI.PacketIndicator.isochronousData: "isochronous data"
        default: "packet indicator \(hex: indicator, digits: 2)"
        }
      add(.hci, "\(name), \(octets.count, "octet")") { [FieldValue.octets(octets)] }
    case .air(let header): add(air: octets, header, nil)
    case .network: break
    case .monitor, .text, .opaque: add(aside: record.body, octets)
    }
  }

  private static func text(_ address: BluetoothAddress?) -> PacketText { address.map { "\($0)" } ?? "unknown" }

  private static func text(_ number: (some BinaryInteger)?, unknown: PacketText = "–") -> PacketText {
    number.map { "\($0)" } ?? unknown
  }

  private static func text(_ link: TrafficLink, _ change: TrafficLink.Change) -> PacketText {
    switch change {
    case .attMTU: "ATT_MTU is \(text(link.attMTU, unknown: "unknown"))"
    case .encryption: link.isEncrypted ? "encrypted" : "not encrypted"
    case .parameters:
      """
      interval \(text(link.interval)) × 1.25 ms, latency \(text(link.peripheralLatency)), \
      timeout \(text(link.supervisionTimeout)) × 10 ms
      """
    case .phy: "PHY \(text(link.phy))"
    case .dataLength: "data length \(text(link.maxTxOctets)) octets"
    case .role, .addresses: "central \(text(link.central)), peripheral \(text(link.peripheral))"
    }
  }
}
