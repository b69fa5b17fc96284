import BluetoothWire
import CaptureFormats
import NetworkWire
import SimKernel

/// Packets of networks in words.
extension PacketCollector {
  func observe(network event: TrafficNetworkEvent) {
    switch event.kind {
    case .packet(let packet): add(packet)
    case .streamOpened(let stream):
      let begins: StaticString = stream.isOpenerKnown ? "opens" : "came up before the capture"
      add(.note, "[stream \(stream.index) \(begins): \(stream.client.description) → \(stream.server.description)]")
      self.packet.stream = stream.index
    case .octets(let stream, let side, let offset, let octets):
      self.packet.stream = stream.index
      speak(
        PrintedOctets(octets: octets, offset: offset, stream: stream, side: side, instant: event.instant))
    case .acknowledged(let stream, _, _), .ahead(let stream, _, _): self.packet.stream = stream.index
    case .gap(let stream, let side, let offset, let missing, let why):
      self.packet.stream = stream.index
      let count: PacketText = missing.map { "\(Int($0), "octet")" } ?? "some octets"
      add(
        .note,
        "[stream \(stream.index): \(count) of the \(Self.name(side)) missing from offset \(offset): \(why.rawValue)]")
      for entry in printers { entry.printer.lose(stream: stream.index, from: side) }
    case .finished(let stream, let side):
      self.packet.stream = stream.index
      add(.note, "[stream \(stream.index): the \(Self.name(side)) has sent all]")
    case .streamEnded(let stream, let ending):
      add(.note, "[stream \(stream.index) ends: \(ending.description)]")
      spokenStreams[stream.index] = nil
      for entry in printers { entry.printer.lose(stream: stream.index, from: nil) }
    case .serviceAnnounced(let service): add(.note, "[\(Self.words(service)) is announced]")
    case .serviceWithdrawn(let service): add(.note, "[\(Self.words(service)) is taken back]")
    }
  }

  private static func name(_ side: TrafficStream.Side) -> StaticString { side == .client ? "client" : "server" }

  private static func words(_ service: TrafficService) -> PacketText {
    "service \(service.name.description) at \(service.host.description), port \(service.port)"
  }

  /// Asks the printer of the stream's protocol; all, in their order, while that is not known.
  private func speak(_ octets: PrintedOctets) {
    let known = spokenStreams[octets.stream.index]
    for index in known.map({ $0..<$0 + 1 }) ?? printers.indices {
      guard let words = printers[index].printer.packets(in: octets) else { continue }
      if known == nil, spokenStreams.count < TrafficLimits.liveStreams { spokenStreams[octets.stream.index] = index }
      for packet in words {
        self.packet.add(.init(kind: printers[index].layer, text: "\(packet.text)", details: packet.details))
      }
      self.packet.spoken += words
      return
    }
  }

  private func add(_ packet: NetworkPacket) {
    switch packet.isOutgoing {
    case true?: self.packet.direction = .out
    case false?: self.packet.direction = .in
    case nil: break
    }
    if let stations = packet.stations {
      self.packet.addresses += [stations.source.bits, stations.destination.bits]
    }
    if depth != .headline, packet.addresses != nil {
      add(.ip, "\(Self.place(packet))IP \(Self.ends(packet, ports: nil))") { Self.fields(packet) }
    }
    let cut: PacketText = packet.missing > 0 ? ", \(packet.missing) more cut off by the capturer" : ""
    let damage: StaticString = packet.checksum == .wrong ? ", checksum wrong" : ""
    switch packet.content {
    case .tcp(let segment):
      let ends = Self.ends(packet, ports: (segment.sourcePort, segment.destinationPort))
      var text: PacketText = "\(Self.place(packet))TCP \(ends) [\(Self.flags(segment.flags))] seq \(segment.sequence)"
      if segment.flags.contains(.ack) { text.append(", ack \(segment.acknowledgement)") }
      text.append(", window \(segment.window), \(packet.payload.count, "octet")\(cut)\(damage)")
      add(.tcp, text) { Self.fields(packet, segment) }
    case .udp(let source, let destination):
      let ends = Self.ends(packet, ports: (source, destination))
      if packet.message == nil || depth != .headline {
        let error: PacketText = packet.messageError.map { ", no message of DNS: \($0.description)" } ?? ""
        add(.udp, "\(Self.place(packet))UDP \(ends), \(packet.payload.count, "octet")\(cut)\(damage)\(error)") {
          Self.octets(packet.payload)
        }
      }
      if let message = packet.message {
        add(.dns, "\(Self.place(packet))mDNS \(ends) \(Self.words(message))") { Self.lines(message) }
      }
    case .transport(let number):
      add(
        .ip,
        "\(Self.place(packet))IP \(Self.ends(packet, ports: nil)), protocol \(number), \(packet.payload.count, "octet")\(cut)"
      ) {
        Self.octets(packet.payload)
      }
    case .fragment: add(.ip, "\(Self.place(packet))IP \(Self.ends(packet, ports: nil)), a fragment")
    case .foreign(let type):
      let kind: PacketText = type.map { "type \(hex: $0, digits: 4)" } ?? "no type of Ethernet"
      add(.ip, "\(Self.place(packet))frame of \(kind), \(record.octets.count, "octet")") { Self.octets(record.octets) }
    case .broken(let why):
      add(.ip, "\(Self.place(packet))\(record.octets.count, "octet"): \(why)") { Self.octets(record.octets) }
    }
  }

  /// The interface, where it has a name.
  private static func place(_ packet: NetworkPacket) -> PacketText { packet.interfaceName.map { "\($0): " } ?? "" }

  private static func ends(_ packet: NetworkPacket, ports: (UInt16, UInt16)?) -> PacketText {
    guard let addresses = packet.addresses else { return "" }
    guard let ports else { return "\(addresses.source.description) → \(addresses.destination.description)" }
    let source = StreamEnd(address: addresses.source, port: ports.0)
    let destination = StreamEnd(address: addresses.destination, port: ports.1)
    return "\(source.description) → \(destination.description)"
  }

  private static func flags(_ flags: TCPSegment.Flags) -> PacketText {
    let names: [(UInt8, StaticString)] = [
      (0x02, "SYN"), (0x01, "FIN"), (0x04, "RST"), (0x08, "PSH"), (0x10, "ACK"), (0x20, "URG"), (0x40, "ECE"),
      (0x80, "CWR"),
    ]
    var text: PacketText = ""
    for (bit, name) in names where flags.rawValue & bit != 0 {
      if !text.octets.isEmpty { text.appendLiteral(" ") }
      text.appendLiteral(name)
    }
    return text
  }

  private static func octets(_ octets: ArraySlice<UInt8>) -> [String] {
    octets.isEmpty ? [] : [FieldValue.octets(octets)]
  }

  private static func fields(_ packet: NetworkPacket) -> [String] {
    var lines: [String] = []
    if let stations = packet.stations {
      lines += ["Source station: \(stations.source)", "Destination station: \(stations.destination)"]
    }
    return lines + ["Hop limit: \(packet.hopLimit)"]
  }

  private static func fields(_ packet: NetworkPacket, _ segment: NetworkPacket.TCP) -> [String] {
    var lines: [String] = []
    if let addresses = packet.addresses,
      let whole = try? TCPSegment(
        decoding: Array(segment.octets), from: addresses.source, to: addresses.destination, checksChecksum: false)
    {
      if let size = whole.options.maximumSegmentSize { lines.append("Maximum segment size: \(size) octets") }
      if let scale = whole.options.windowScale { lines.append("Window scale: \(scale)") }
      if whole.options.permitsSACK { lines.append("SACK permitted") }
    }
    switch packet.checksum {
    case .right: lines.append("Checksum: right")
    case .leftToNetworkCard: lines.append("Checksum: left to the network card")
    case .wrong: lines.append("Checksum: wrong")
    case .unknown: lines.append("Checksum: cannot be checked, the segment is not whole")
    }
    return lines + octets(packet.payload)
  }

  private static func words(_ message: DNSMessage) -> PacketText {
    var parts: [String] = message.questions.map { "\($0.name) \(name($0.kind))?" }
    parts += (message.isResponse ? message.answers + message.additionals : message.authorities).map(words)
    let shown = parts.prefix(4).joined(separator: ", ")
    let more = parts.count > 4 ? " and \(parts.count - 4) more" : ""
    return "\(message.isResponse ? "answers" : "asks") \(shown)\(more)"
  }

  private static func lines(_ message: DNSMessage) -> [String] {
    message.questions.map { "Question: \($0.name) \(name($0.kind))\($0.wantsUnicast ? ", to the asker alone" : "")" }
      + message.answers.map { "Answer: \(words($0))" } + message.authorities.map { "Authority: \(words($0))" }
      + message.additionals.map { "Additional: \(words($0))" }
  }

  private static func words(_ record: DNSRecord) -> String {
    let content: String
    switch record.content {
    case .address(let address): content = address.description
    case .pointer(let name): content = name.description
    case .service(let port, let target): content = "\(target) port \(port)"
    case .text(let strings): content = CountedNoun.text(strings.count, "string")
    case .other(_, let octets): content = CountedNoun.text(octets.count, "octet")
    }
    let withdrawn = record.timeToLive == 0 ? ", taken back" : ""
    return "\(record.name) \(name(record.kind)) \(content)\(withdrawn)"
  }

  private static func name(_ kind: DNSRecord.Kind) -> String {
    switch kind {
    case .a: "A"
    case .aaaa: "AAAA"
    case .pointer: "PTR"
    case .service: "SRV"
    case .text: "TXT"
    case .any: "ANY"
    default: "type \(kind.rawValue)"
    }
  }
}
