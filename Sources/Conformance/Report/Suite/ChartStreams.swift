import AppSeam
import Bench
import SimKernel

/// Puts the octets of streams together to packets with a sender and a receiver.
///
/// A stream is reliable and keeps its order: what comes is what the other end was allowed to send, and a packet is
/// there once as many octets have come. The two ends of a stream find each other by the name of the device that opened
/// it, the interface, and the order of their opening.
struct ChartStreams {
  /// Octets up to a place in a direction, and the record that shows them.
  private struct Piece {
    var end: Int
    var instant: SimInstant
    var record: Int
    /// The record with the platform's answer; nil: there is none.
    var answer: Int?
  }

  /// What an app hands over and its platform has not answered for.
  private struct Offer {
    var octets: [UInt8]
    var instant: SimInstant
    var record: Int
  }

  private struct UnderWay {
    var unit: ChartWords.Unit
    var start: Int
  }

  /// One end of a stream.
  private struct End {
    let device: Int
    let connection: ConnectionID
    let interface: NetworkInterface
    let openedAt: SimInstant
    /// The device at the other end; −1: not known.
    var peer: Int
    /// Place of the other end in `ends`; nil: not found.
    var other: Int?
    var isUp = true
    var cutter: any ChartWords.StreamCutter
    var offers: [Offer] = []
    /// What the platform took.
    var sent: [Piece] = []
    var underWay: [UnderWay] = []
    var unitEnd = 0
    /// What the app was given.
    var received: [Piece] = []
    var place: Int
  }

  private let names: [String]
  private let dialects: [DialectName]
  private let makeCutter: @Sendable (DialectName) -> any ChartWords.StreamCutter
  private var ends: [End] = []
  /// Streams of which both ends are known, in the order in which that was.
  private(set) var streams: [Chart.Stream] = []

  /// Nil: nobody knows what streams of this app carry.
  init?(_ header: TraceHeader, _ words: ChartWords) {
    guard let makeCutter = words.makeCutter else { return nil }
    self.makeCutter = makeCutter
    names = header.devices.map(\.name)
    dialects = header.devices.map { DialectName(rawValue: $0.dialect) }
  }

  /// - Returns: packets that are known now; those that never came belong further up.
  mutating func read(_ record: TraceRecord) -> [Chart.Entry] {
    switch record.event {
    case .input(.launched): return close(record) { $0.device == record.device }
    case .input(.network(let input)): return read(input, record)
    case .effect(.network(.send(let connection, let octets))):
      if let place = end(record.device, connection) {
        ends[place].offers.append(Offer(octets: octets, instant: record.instant, record: record.sequence))
      }
    default: break
    }
    return []
  }

  private mutating func read(_ input: NetworkInput, _ record: TraceRecord) -> [Chart.Entry] {
    switch input {
    case .ready(let connection, let interface): open(record, connection, interface, peer: nil)
    case .incoming(let connection, let interface, let peer): open(record, connection, interface, peer: peer)
    case .submitted(let connection, let isAccepted): return answered(record, connection, isAccepted)
    case .received(let connection, let octets):
      guard let place = end(record.device, connection) else { return [] }
      ends[place].received.append(
        Piece(
          end: (ends[place].received.last?.end ?? 0) + octets.count, instant: record.instant, record: record.sequence))
      return ends[place].other.map { arrivals(from: $0) } ?? []
    case .failed(let connection, _), .cancelled(let connection):
      return close(record) { $0.device == record.device && $0.connection == connection }
    default: break
    }
    return []
  }

  private func end(_ device: Int, _ connection: ConnectionID) -> Int? {
    ends.lastIndex { $0.device == device && $0.connection == connection && $0.isUp }
  }

  // MARK: Ends

  private mutating func open(
    _ record: TraceRecord, _ connection: ConnectionID, _ interface: NetworkInterface, peer: String?
  ) {
    guard dialects.indices.contains(record.device) else { return }
    let peerDevice = peer.flatMap { names.firstIndex(of: $0) } ?? -1
    let isOpener = peer == nil
    let candidates = ends.indices.filter { place in
      let end = ends[place]
      guard end.other == nil, end.interface == interface, (end.peer >= 0) == isOpener else { return false }
      return isOpener ? end.peer == record.device : end.device == peerDevice
    }
    let other = candidates.last { ends[$0].isUp } ?? candidates.last
    ends.append(
      End(
        device: record.device, connection: connection, interface: interface, openedAt: record.instant,
        peer: peerDevice, other: other, cutter: makeCutter(dialects[record.device]), place: ends.count))
    guard let other else { return }
    let new = ends.count - 1
    ends[other].other = new
    let (opener, accepter) = isOpener ? (new, other) : (other, new)
    for (place, peer) in [(opener, accepter), (accepter, opener)] { ends[place].peer = ends[peer].device }
    streams.append(
      Chart.Stream(
        opener: ends[opener].device, accepter: ends[accepter].device,
        openerConnection: ends[opener].connection.rawValue, accepterConnection: ends[accepter].connection.rawValue,
        interface: interface, readyAt: ends[opener].openedAt, acceptedAt: ends[accepter].openedAt))
    for place in [opener, accepter] { ends[place].place = streams.count - 1 }
  }

  /// Ends that are over get nothing more, and what they have sent may still come.
  private mutating func close(_ record: TraceRecord, _ isMeant: (End) -> Bool) -> [Chart.Entry] {
    var entries: [Chart.Entry] = []
    for place in ends.indices where ends[place].isUp && isMeant(ends[place]) {
      ends[place].isUp = false
      ends[place].offers = []
      if let other = ends[place].other {
        streams[ends[place].place].endedAt = streams[ends[place].place].endedAt ?? record.instant
        entries += losses(from: other)
      }
    }
    return entries
  }

  /// What never came when the run is over.
  mutating func finish() -> [Chart.Entry] {
    for place in ends.indices {
      if let rest = ends[place].cutter.finish() { add(rest, to: place) }
    }
    return ends.indices.flatMap { losses(from: $0) }
  }

  // MARK: Packets

  private mutating func answered(
    _ record: TraceRecord, _ connection: ConnectionID, _ isAccepted: Bool
  ) -> [Chart.Entry] {
    guard let place = end(record.device, connection), let offer = ends[place].offers.first else { return [] }
    ends[place].offers.removeFirst()
    if !isAccepted {
      let kind = Chart.Kind.action(record.device, "no room on connection \(connection.rawValue)")
      return [Chart.Entry(instant: record.instant, record: record.sequence, kind: kind)]
    }
    let count = (ends[place].sent.last?.end ?? 0) + offer.octets.count
    ends[place].sent.append(Piece(end: count, instant: offer.instant, record: offer.record, answer: record.sequence))
    for unit in ends[place].cutter.receive(offer.octets) { add(unit, to: place) }
    return arrivals(from: place)
  }

  private mutating func add(_ unit: ChartWords.Unit, to place: Int) {
    ends[place].underWay.append(UnderWay(unit: unit, start: ends[place].unitEnd))
    ends[place].unitEnd = unit.end
  }

  /// What has come whole of what an end has sent.
  private mutating func arrivals(from place: Int) -> [Chart.Entry] {
    guard let other = ends[place].other, let got = ends[other].received.last?.end else { return [] }
    let count = ends[place].underWay.prefix { $0.unit.end <= got }.count
    let here = ends[place].underWay.prefix(count)
    ends[place].underWay.removeFirst(count)
    return here.compactMap { item in
      let pieces = Self.pieces(ends[other].received, item)
      guard let last = pieces.last else { return nil }
      let packet = packet(item, place, isWhole: true, receipts: pieces)
      return Chart.Entry(instant: last.instant, record: last.record, kind: .packet(packet))
    }
  }

  /// What an end has sent and its other end did not get whole, when that gets nothing more.
  private mutating func losses(from place: Int) -> [Chart.Entry] {
    let lost = ends[place].underWay
    ends[place].underWay = []
    let got = ends[place].other.flatMap { ends[$0].received.last?.end } ?? 0
    return lost.compactMap { item in
      guard let first = Self.pieces(ends[place].sent, item).first else { return nil }
      let receipts = ends[place].other.map { Self.pieces(ends[$0].received, item) } ?? ArraySlice()
      var packet = packet(item, place, isWhole: false, receipts: receipts)
      if !receipts.isEmpty {
        let part = "only \(got - item.start) of \(item.unit.end - item.start) octets came"
        packet.note = packet.note.isEmpty ? part : "\(packet.note), \(part)"
      }
      return Chart.Entry(instant: first.instant, record: first.record, kind: .packet(packet))
    }
  }

  private func packet(
    _ item: UnderWay, _ place: Int, isWhole: Bool, receipts: ArraySlice<Piece>
  ) -> Chart.Packet {
    let sends = Self.pieces(ends[place].sent, item)
    let end = ends[place]
    var packet = Chart.Packet(
      from: end.device, to: end.peer, label: item.unit.label, fragments: sends.count, octets: item.unit.octets,
      isPacket: item.unit.isPacket, sentAt: sends.first?.instant ?? .zero,
      receivedAt: isWhole ? receipts.last?.instant : nil,
      records: sends.flatMap { [$0.record] + ($0.answer.map { [$0] } ?? []) } + receipts.map(\.record))
    packet.note = item.unit.note
    if end.other != nil {
      packet.stream = Chart.StreamPlace(
        stream: end.place, isOfOpener: streams[end.place].opener == end.device, octets: item.start..<item.unit.end,
        head: item.unit.head)
    }
    return packet
  }

  /// Those that have octets of a unit.
  private static func pieces(_ all: [Piece], _ item: UnderWay) -> ArraySlice<Piece> {
    var (low, high) = (0, all.count)
    while low < high {
      let middle = (low + high) / 2
      if all[middle].end <= item.start { low = middle + 1 } else { high = middle }
    }
    var last = low
    while last < all.count, all[last].end < item.unit.end { last += 1 }
    return all[low..<min(all.count, last + 1)]
  }
}
