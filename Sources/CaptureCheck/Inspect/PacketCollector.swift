import BluetoothWire
import CaptureFormats
import SimKernel

/// Collects what one record shows into layers, the lowest first.
final class PacketCollector: TrafficObserver {
  let isVerbose: Bool
  private let printers: [(layer: InspectLayer, printer: any PacketPrinter)]
  /// For links whose protocol is known, the index of its printer.
  private var spoken: [(link: Int, printer: Int)] = []
  var packet = InspectedPacket()
  /// Requests whose answer is waited for.
  var pending = PendingExchanges()
  private(set) var record = CaptureRecord(
    number: 0, link: .h4, nanoseconds: 0, originalLength: 0, body: .text, octets: [])

  /// - Parameter protocols: whose packets are looked for; of several that know a link's values, the first one's.
  init(protocols: [any TrafficProtocol.Type], isVerbose: Bool) {
    printers = protocols.map { (.app($0.name), $0.makePrinter()) }
    self.isVerbose = isVerbose
  }

  let interests: TrafficEvent.Interests = [
    .links, .att, .frames, .fragments, .gaps, .commands, .events, .advertisements, .air, .asides,
    .foreign,
  ]

  func finish(at end: SimInstant) {}

  func begin(_ record: CaptureRecord) {
    self.record = record
    packet = InspectedPacket()
    if case .hci(_, _, let isToHost) = record.body { packet.direction = isToHost.map { $0 ? "in" : "out" } ?? "" }
  }

  func end() -> InspectedPacket {
    if packet.layers.isEmpty { addBody() }
    let layers = packet.layers
    packet.layers = (0...InspectLayer.highest).flatMap { height in layers.filter { $0.kind.height == height } }
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
      let begins = link.isFromStart ? "opens" : "came up before the capture"
      let ends = "central \(Self.text(link.central)), peripheral \(Self.text(link.peripheral))"
      add(.note, "[link \(link.index) \(begins): \(ends)]")
    case .linkClosed(let link, let reason):
      touch(link)
      let why = reason.map { ", reason \(hexNumber($0.rawValue, digits: 2))" } ?? ""
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
      let number = hexNumber(handle, digits: 4)
      add(.hci, "ACL data on handle \(number), \(octets.count) octets: \(why.rawValue)") {
        [FieldValue.octets(octets)]
      }
    }
  }

  func observe(att pdu: TrafficPDU) {
    touch(pdu.link)
    direct(pdu.link, pdu.fromCentral)
    add(.l2cap, "L2CAP channel 0x0004, \(pdu.octets.count) octets")
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

  func add(_ kind: InspectLayer, _ text: String, details: () -> [String] = { [] }) {
    packet.layers.append(.init(kind: kind, text: text, details: isVerbose ? details() : []))
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
    if link.viewpoint == .air { packet.direction = fromCentral ? "C→P" : "P→C" }
  }

  private func add(_ fragment: LinkFragment, _ octets: ArraySlice<UInt8>, _ link: TrafficLink) {
    switch fragment {
    case .acl(let boundary, _):
      let handle = hexNumber(link.handle ?? 0, digits: 4)
      let words = boundary == 1 ? "continuing" : "starting"
      add(
        .hci, "ACL data on handle \(handle), \(words) a frame, \(octets.count) octets"
      ) { [FieldValue.octets(octets)] }
    case .linkLayer(let llid, let isRepeat):
      let again = isRepeat ? ", repeated" : ""
      let payload = octets.dropFirst(2)
      let header = { ControlFields.header(octets) }
      if case .air(let air) = record.body, link.isCiphertext(payload, llid: llid, air) {
        // Its first octet is no opcode.
        let kind = llid == 3 ? "control PDU" : "data"
        add(.ll, "LL encrypted \(kind), \(payload.count) octets with MIC\(again)") {
          header() + ["Ciphertext: \(FieldValue.octets(payload))"]
        }
      } else if llid == 3, let opcode = payload.first {
        index(.control(opcode))
        add(.ll, PDUNames.name(PDUNames.control, opcode, "LL control") + again) {
          header() + ControlFields.lines(payload)
        }
      } else if payload.isEmpty {
        add(.ll, "LL empty PDU\(again)", details: header)
      } else {
        let words = llid == 1 ? "continuing" : "starting"
        add(.ll, "LL data, \(words) a frame, \(payload.count) octets\(again)") {
          header() + [FieldValue.octets(payload)]
        }
      }
    }
  }

  private func add(frame octets: ArraySlice<UInt8>, _ channel: L2CAP.ChannelID) {
    let number = hexNumber(channel.rawValue, digits: 4)
    let code = octets.first ?? 0
    switch channel {
    case .signalling where !octets.isEmpty:
      index(.signalling(code))
      add(.l2cap, PDUNames.name(PDUNames.signalling, code, "L2CAP signalling")) {
        SignallingFields.lines(octets)
      }
    case .securityManager where !octets.isEmpty:
      index(.security(code))
      add(
        .l2cap, PDUNames.name(PDUNames.security, code, "SMP") + ", \(octets.count) octets"
      ) { SecurityFields.table.lines(UInt16(code), octets.dropFirst()) }
    default:
      add(.l2cap, "L2CAP channel \(number), \(octets.count) octets") { [FieldValue.octets(octets)] }
    }
  }

  private func add(air octets: ArraySlice<UInt8>, _ header: AirHeader, _ link: TrafficLink?) {
    if let link { touch(link) }
    let channel = header.rfChannel.map { ", channel \(LL.channelIndex(rfChannel: $0))" } ?? ""
    let power = header.signalPower.map { ", \($0) dBm" } ?? ""
    let crc = header.isCRCValid == false ? ", CRC wrong" : ""
    let remarks = channel + power + crc
    if header.accessAddress == LL.advertisingAccessAddress, let first = octets.first {
      index(.advertising(first & 0x0F))
      noteAddresses(octets)
      let name = PDUNames.name(PDUNames.advertising, first & 0x0F, "advertising PDU")
      add(.ll, "\(name), \(octets.count) octets\(remarks)") { AdvertisingFields.lines(octets) }
    } else if link == nil {
      let address = hexNumber(header.accessAddress, digits: 8)
      add(.ll, "LL PDU of access address \(address), \(octets.count) octets\(remarks)")
    } else if !remarks.isEmpty, isVerbose {
      add(.ll, "on the air" + remarks)
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
    let power = advertisement.rssi.map { ", \($0) dBm" } ?? ""
    add(
      .note, "[\(advertisement.address) says \(advertisement.data.count) octets\(power)]"
    ) {
      // Data of one PDU are among its fields; those of several are put together here only.
      advertisement.isExtended ? ADFields.lines(advertisement.data) : []
    }
  }

  private func add(att octets: ArraySlice<UInt8>, _ link: TrafficLink, fromCentral: Bool, at instant: SimInstant) {
    let words = ATTWords(octets, link, fromCentral: fromCentral) { [printers] uuid in
      printers.lazy.compactMap { $0.printer.name(of: uuid) }.first
    }
    if let code = words.opcode { index(.att(code)) }
    packet.handles += words.handles
    exchange(att: words, link, fromCentral: fromCentral, at: instant)
    add(.att, words.text) {
      guard let code = words.opcode else { return [] }
      return AttributeFields.table.lines(UInt16(code), octets.dropFirst()) { words.meaning(of: $0) }
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
      packet.layers.append(.init(kind: printers[index].layer, text: words.text, details: words.details))
      return
    }
  }

  private func add(aside body: CaptureBody, _ octets: ArraySlice<UInt8>) {
    switch body {
    case .text: add(.note, Self.line(octets))
    // System Note, User Logging.
    case .monitor(_, 12): add(.note, "monitor note: " + Self.line(octets))
    case .monitor(_, 13): add(.note, "monitor log: " + Self.line(octets.dropFirst(2)))
    case .monitor(let adapter, let opcode):
      let name = PDUNames.monitor.name(opcode).map { "monitor " + $0 }
      add(
        .note, "\(name ?? "monitor opcode \(opcode)") of adapter \(adapter), \(octets.count) octets"
      ) { [FieldValue.octets(octets)] }
    case .opaque(let why):
      add(.note, "\(octets.count) octets \(why)") { [FieldValue.octets(octets)] }
    case .hci, .air: break
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
    case .hci(_, let indicator, _):
      let name =
        switch indicator {
        case HCI.PacketIndicator.command: "HCI command"
        case HCI.PacketIndicator.event: "HCI event"
        case HCI.PacketIndicator.acl: "ACL data"
        case HCI.PacketIndicator.synchronousData: "synchronous data"
        case HCI.PacketIndicator.isochronousData: "isochronous data"
        default: "packet indicator \(hexNumber(indicator, digits: 2))"
        }
      add(.hci, "\(name), \(octets.count) octets") { [FieldValue.octets(octets)] }
    case .air(let header): add(air: octets, header, nil)
    case .monitor, .text, .opaque: add(aside: record.body, octets)
    }
  }

  private static func text(_ address: BluetoothAddress?) -> String { address?.description ?? "unknown" }

  private static func text(_ link: TrafficLink, _ change: TrafficLink.Change) -> String {
    switch change {
    case .attMTU: "ATT_MTU is \(link.attMTU.map(String.init) ?? "unknown")"
    case .encryption: link.isEncrypted ? "encrypted" : "not encrypted"
    case .parameters:
      "interval \(link.interval.map(String.init) ?? "–") × 1.25 ms, latency "
        + "\(link.peripheralLatency.map(String.init) ?? "–"), timeout "
        + "\(link.supervisionTimeout.map(String.init) ?? "–") × 10 ms"
    case .phy: "PHY \(link.phy.map(String.init) ?? "–")"
    case .dataLength: "data length \(link.maxTxOctets.map(String.init) ?? "–") octets"
    case .role, .addresses: "central \(text(link.central)), peripheral \(text(link.peripheral))"
    }
  }
}
