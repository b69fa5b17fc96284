import CaptureFormats
import NetworkWire
import SimKernel

@testable import CaptureCheck

/// Writes down what a reader tells of networks: lines for people, and the octets of each side.
final class NetworkRecorder: TrafficObserver {
  struct Direction: Hashable {
    var stream: Int
    var side: TrafficStream.Side
  }

  struct Piece {
    var offset: Int
    var octets: [UInt8]
  }

  let interests: TrafficEvent.Interests = [.network]
  private(set) var lines: [String] = []
  /// By stream and side, with the offset of each piece.
  private(set) var pieces: [Direction: [Piece]] = [:]
  private(set) var gaps: [(stream: Int, side: TrafficStream.Side, offset: Int, missing: Int?, why: StreamGap)] = []
  private(set) var streams: [TrafficStream] = []
  private(set) var services: [TrafficService] = []

  func observe(network event: TrafficNetworkEvent) {
    let number = event.place.number
    switch event.kind {
    case .packet, .ahead: break
    case .streamOpened(let stream):
      streams.append(stream)
      lines.append("\(number) opened \(stream.index)\(stream.isOpenerKnown ? "" : " midway")")
    case .octets(let stream, let side, let offset, let octets):
      pieces[Direction(stream: stream.index, side: side), default: []].append(
        Piece(offset: offset, octets: Array(octets)))
      lines.append("\(number) \(side) \(offset): \(String(decoding: octets, as: UTF8.self))")
    case .acknowledged(let stream, let side, let upTo): lines.append("\(number) acked \(stream.index) \(side) \(upTo)")
    case .gap(let stream, let side, let offset, let missing, let why):
      gaps.append((stream.index, side, offset, missing, why))
      lines.append("\(number) gap \(side) \(offset)+\(missing.map { "\($0)" } ?? "?") \(why)")
    case .finished(_, let side): lines.append("\(number) fin \(side)")
    case .streamEnded(let stream, let ending): lines.append("\(number) ended \(stream.index) \(ending)")
    case .serviceAnnounced(let service):
      services.append(service)
      lines.append("\(number) announced \(service.instance)")
    case .serviceWithdrawn(let service): lines.append("\(number) withdrawn \(service.instance)")
    }
  }

  /// Without acknowledgements.
  var story: [String] { lines.filter { !$0.contains(" acked ") } }

  func octets(_ stream: Int, _ side: TrafficStream.Side) -> [UInt8] {
    (pieces[Direction(stream: stream, side: side)] ?? []).flatMap { $0.octets }
  }

  /// What a reader makes of records.
  static func read(_ records: [CaptureRecord]) -> NetworkRecorder {
    let recorder = NetworkRecorder()
    let reader = TrafficReader(observers: [recorder])
    let start = records.first?.nanoseconds ?? 0
    for record in records {
      let since = record.nanoseconds.subtractingReportingOverflow(start).partialValue
      reader.read(record, file: 0, at: SimInstant(nanoseconds: since))
    }
    reader.finish()
    return recorder
  }

  static func read(file: [UInt8]) throws -> NetworkRecorder { read(try NetworkScript.records(file)) }
}

/// A conversation of TCP, segment by segment as a capture has it, one millisecond apart.
struct NetworkScript {
  private(set) var records: [CaptureRecord] = []
  var client: (address: IPAddress, port: UInt16) = (.v4(0x0A00_0001), 50_000)
  var server: (address: IPAddress, port: UInt16) = (.v4(0x0A00_0002), 80)
  /// The sequence numbers of the SYNs.
  var initial: (client: UInt32, server: UInt32) = (1_000, 9_000)
  var interfaceName: String?
  var isOutgoing: Bool?
  var nanoseconds: Int64 = 0
  var step: Int64 = 1_000_000

  static func records(_ file: [UInt8]) throws -> [CaptureRecord] {
    var reader = CaptureReader()
    reader.append(file)
    var records: [CaptureRecord] = []
    while let record = try reader.next() { records.append(record) }
    return records
  }

  mutating func add(frame: [UInt8], isOutgoing: Bool? = nil) {
    records.append(
      CaptureRecord(
        number: records.count + 1, link: .ethernet, nanoseconds: nanoseconds, originalLength: frame.count,
        body: .network(NetworkHeader(isOutgoing: isOutgoing, interfaceName: interfaceName)), octets: frame[...]))
    nanoseconds += step
  }

  /// - Parameters:
  ///   - offset: of the first octet of `text` in what the side sends; −1 is its SYN.
  ///   - acknowledges: so many octets of the other side; nil: no acknowledgement.
  mutating func segment(
    _ side: TrafficStream.Side, _ offset: Int, _ payload: [UInt8], acknowledges: Int? = 0,
    flags: TCPSegment.Flags = []
  ) {
    add(frame: frame(side, offset, payload, acknowledges: acknowledges, flags: flags), isOutgoing: isOutgoing)
  }

  mutating func segment(
    _ side: TrafficStream.Side, _ offset: Int, _ text: String, acknowledges: Int? = 0, flags: TCPSegment.Flags = []
  ) {
    segment(side, offset, Array(text.utf8), acknowledges: acknowledges, flags: flags)
  }

  func frame(
    _ side: TrafficStream.Side, _ offset: Int, _ payload: [UInt8], acknowledges: Int?, flags: TCPSegment.Flags
  ) -> [UInt8] {
    let (from, to) = side == .client ? (client, server) : (server, client)
    let (own, other) = side == .client ? (initial.client, initial.server) : (initial.server, initial.client)
    let segment = TCPSegment(
      sourcePort: from.port, destinationPort: to.port, sequence: own &+ UInt32(truncatingIfNeeded: offset + 1),
      acknowledgement: acknowledges.map { other &+ UInt32(truncatingIfNeeded: $0 + 1) } ?? 0,
      flags: acknowledges == nil ? flags : flags.union(.ack), window: 1_000, payload: payload)
    let packet = IPPacket(
      source: from.address, destination: to.address, transport: .tcp,
      payload: segment.octets(from: from.address, to: to.address))
    return EthernetFrame(
      destination: MACAddress(locallyAdministered: 2), source: MACAddress(locallyAdministered: 1), kind: packet.kind,
      payload: packet.octets
    ).octets
  }

  /// The three segments that open a connection.
  mutating func open() {
    segment(.client, -1, "", acknowledges: nil, flags: .syn)
    segment(.server, -1, "", flags: .syn)
    segment(.client, 0, "")
  }

  func without(first count: Int) -> NetworkScript {
    var script = self
    script.records.removeFirst(count)
    return script
  }

  mutating func damageNewest(_ change: (inout [UInt8]) -> Void) {
    var octets = Array(records[records.count - 1].octets)
    change(&octets)
    records[records.count - 1].octets = octets[...]
  }
}
