import AppSeam
import Bench
import BluetoothWire
import Platform
import SimKernel

/// Puts values of the app seam together to packets with a sender and a receiver.
///
/// Links are reliable and keep their order, so the values one side hands over are those the other side gets; a value is
/// looked for among those that are under way, because a broken stack of the bench may drop or swap some.
struct ChartBuilder {
  let lanes: [Chart.Lane]
  private(set) var entries: [Chart.Entry] = []
  private let words: ChartWords
  private let header: TraceHeader
  private let text: ChartText
  private var ends: [LinkEnd] = []
  private var book: ChartStreams?

  /// One side of a link.
  private struct LinkEnd {
    var device: Int
    var link: LinkID
    /// −1: nobody of this world.
    var peer: Int
    var openedAt: SimInstant
    /// Nil: it is up.
    var closedAt: SimInstant?
    var isUp: Bool { closedAt == nil }
    /// Handed to the platform and not seen at the other side.
    var underWay: [Value] = []
    /// How many of those the platform has yet to take or refuse, by their records.
    var unanswered: [Int] = []
    var assembler: any ChartWords.Assembler
    /// Received, and part of no packet so far.
    var partial: [Value] = []
  }

  private struct Value {
    var octets: [UInt8]
    var sentAt: SimInstant
    var instant: SimInstant
    var records: [Int]
    /// The packet it carries a part of.
    var packetID: Int?
  }

  init(_ header: TraceHeader, _ words: ChartWords) {
    self.words = words
    lanes = header.devices.map {
      Chart.Lane(name: $0.name, role: $0.role, isUnderTest: $0.engine == CaseRunner.underTest)
    }
    self.header = header
    text = ChartText(words: words, header)
    book = ChartStreams(header, words)
  }

  /// In the order in which both ends were known.
  var streams: [Chart.Stream] { book?.streams ?? [] }

  mutating func read(_ record: TraceRecord) {
    if let entries = book?.read(record) { for entry in entries { insert(entry) } }
    switch record.event {
    case .step(let text): note(record, .step(text))
    case .expectation(let text, let holds, let detail, _):
      let holds = holds == true
      note(record, .check(holds || detail.isEmpty ? text : "\(text): \(detail)", holds: holds))
    case .input(.connected(let link, let peer)): connected(record, link, peer)
    case .input(.disconnected(let link, let reason)): disconnected(record, link, EventWords.of(reason))
    case .effect(.notify(let link, _, let octets)), .effect(.writeWithoutResponse(let link, _, let octets)):
      sent(record, link, octets, isAnswered: true)
    case .effect(.write(let link, _, let octets)): sent(record, link, octets, isAnswered: false)
    case .input(.submitted(let link, _, let isAccepted)): submitted(record, link, isAccepted)
    case .input(.writeCompleted(let link, _, .some(let error))): refused(record, link, error)
    case .input(.valueReceived(let link, _, let octets)): received(record, link, octets)
    default:
      if case .input(.launched) = record.event { forget(record.device, at: record.instant) }
      let isUnderTest = lanes.indices.contains(record.device) && lanes[record.device].isUnderTest
      guard let words = text.action(record.event, isUnderTest: isUnderTest) else { return }
      note(record, .action(record.device, words))
    }
  }

  /// What is still under way or incomplete when the run ends.
  mutating func finish() {
    for index in ends.indices { flush(index) }
    if let entries = book?.finish() { for entry in entries { insert(entry) } }
  }

  private mutating func note(_ record: TraceRecord, _ kind: Chart.Kind) {
    entries.append(Chart.Entry(instant: record.instant, record: record.sequence, kind: kind))
  }

  private func end(_ device: Int, _ link: LinkID) -> Int? {
    ends.lastIndex { $0.device == device && $0.link == link }
  }

  // MARK: Links

  private mutating func connected(_ record: TraceRecord, _ link: LinkID, _ address: BluetoothAddress) {
    let peer = header.device(at: address) ?? -1
    ends.append(
      LinkEnd(
        device: record.device, link: link, peer: peer, openedAt: record.instant, assembler: words.makeAssembler()))
    // Both sides are told; the central's line is drawn.
    let isCentral = lanes.indices.contains(record.device) && lanes[record.device].role == words.central
    if isCentral || peer < 0 { note(record, .connected(record.device, peer)) }
  }

  private mutating func disconnected(_ record: TraceRecord, _ link: LinkID, _ reason: String) {
    guard let index = end(record.device, link), ends[index].isUp else { return }
    ends[index].closedAt = record.instant
    flush(index)
    let peer = ends[index].peer
    let other = otherSide(of: index)
    let isFirst = other.map { ends[$0].isUp } ?? true
    note(
      record,
      isFirst ? .disconnected(record.device, peer, reason) : .action(record.device, "sees the link end: \(reason)"))
  }

  /// A new launch of the app has no links.
  private mutating func forget(_ device: Int, at instant: SimInstant) {
    for index in ends.indices where ends[index].device == device && ends[index].isUp {
      flush(index)
      ends[index].closedAt = instant
    }
  }

  /// The other side of the same link: of those of the peer that were up at the same time, the one that came up next to
  /// it. A central may have links that its peer never had: those that failed to be established.
  private func otherSide(of index: Int) -> Int? {
    let end = ends[index]
    let theirs = ends.indices.filter { place in
      let other = ends[place]
      return other.device == end.peer && other.peer == end.device
        && other.openedAt <= end.closedAt ?? .distantFuture && end.openedAt <= other.closedAt ?? .distantFuture
    }
    return theirs.min { a, b in
      (ends[a].openedAt - end.openedAt).nanoseconds.magnitude < (ends[b].openedAt - end.openedAt).nanoseconds.magnitude
    }
  }

  // MARK: Values

  private func value(_ octets: [UInt8], _ record: TraceRecord) -> Value {
    Value(
      octets: octets, sentAt: record.instant, instant: record.instant, records: [record.sequence],
      packetID: words.fragment(octets)?.packetID)
  }

  private mutating func sent(_ record: TraceRecord, _ link: LinkID, _ octets: [UInt8], isAnswered: Bool) {
    guard let index = end(record.device, link) else {
      return note(record, .action(record.device, "sends \(CountedNoun.text(octets.count, "octet")) on no link"))
    }
    ends[index].underWay.append(
      value(octets, record))
    if isAnswered { ends[index].unanswered.append(record.sequence) }
  }

  private mutating func submitted(_ record: TraceRecord, _ link: LinkID, _ isAccepted: Bool) {
    guard let index = end(record.device, link), let first = ends[index].unanswered.first else { return }
    ends[index].unanswered.removeFirst()
    if isAccepted { return }
    ends[index].underWay.removeAll { $0.records == [first] }
    note(record, .action(record.device, "transmit queue full"))
  }

  private mutating func refused(_ record: TraceRecord, _ link: LinkID, _ error: UInt8) {
    if let index = end(record.device, link), !ends[index].underWay.isEmpty { ends[index].underWay.removeFirst() }
    note(record, .action(record.device, "write answered with error 0x\(String(error, radix: 16))"))
  }

  private mutating func received(_ record: TraceRecord, _ link: LinkID, _ octets: [UInt8]) {
    guard let index = end(record.device, link) else { return }
    var value = value(octets, record)
    if let sender = otherSide(of: index), let place = ends[sender].underWay.firstIndex(where: { $0.octets == octets }) {
      let found = ends[sender].underWay.remove(at: place)
      value.sentAt = found.sentAt
      value.records = found.records + value.records
    }
    let reception = ends[index].assembler.receive(octets, at: record.instant)
    var isUsed = false
    for drop in reception.drops {
      var lost = ends[index].partial.filter { $0.packetID == drop.packetID }
      ends[index].partial.removeAll { $0.packetID == drop.packetID }
      if drop.packetID == value.packetID, !drop.isOfItself {
        lost.append(value)
        isUsed = true
      }
      add(index, lost, at: record, octets: lost.last?.octets ?? [], label: "no packet: \(drop.reason)")
    }
    if let packet = reception.packet {
      let parts = ends[index].partial.filter { $0.packetID == reception.packetID } + [value]
      ends[index].partial.removeAll { $0.packetID == reception.packetID }
      add(index, parts, at: record, octets: packet, label: nil)
    } else if reception.isRepeat {
      add(index, [value], at: record, octets: octets, label: "a fragment once more")
    } else if !isUsed {
      ends[index].partial.append(value)
    }
  }

  /// An arrow to the side at `index`; without a label the octets are a whole text.
  private mutating func add(
    _ index: Int, _ values: [Value], at record: TraceRecord, octets: [UInt8], label: String?
  ) {
    let packet = Chart.Packet(
      from: ends[index].peer, to: ends[index].device, label: label ?? words.label(octets),
      fragments: values.count, octets: octets, isPacket: label == nil,
      sentAt: values.map(\.sentAt).min() ?? record.instant, receivedAt: record.instant,
      records: values.flatMap(\.records))
    note(record, .packet(packet))
  }

  /// The link is gone, or the run over: what was under way from here never came, what is partial here stays so.
  private mutating func flush(_ index: Int) {
    let lost = ends[index].underWay
    ends[index].underWay.removeAll()
    var begun = 0
    while begun < lost.count {
      var next = begun + 1
      while next < lost.count, lost[next].packetID == lost[begun].packetID { next += 1 }
      let values = Array(lost[begun..<next])
      let packet = Chart.Packet(
        from: ends[index].device, to: ends[index].peer, label: lostLabel(values), fragments: values.count,
        octets: values[0].octets, isPacket: false, sentAt: values[0].sentAt, receivedAt: nil,
        records: values.flatMap(\.records))
      insert(Chart.Entry(instant: values[0].instant, record: values[0].records[0], kind: .packet(packet)))
      begun = next
    }
    let rest = ends[index].partial
    ends[index].partial.removeAll()
    for value in rest where rest.first(where: { $0.packetID == value.packetID })?.records == value.records {
      let values = rest.filter { $0.packetID == value.packetID }
      let count = words.fragment(value.octets)?.count ?? 1
      let packet = Chart.Packet(
        from: ends[index].peer, to: ends[index].device,
        label: "only \(values.count) of \(CountedNoun.text(count, "fragment"))",
        fragments: values.count, octets: value.octets, isPacket: false, sentAt: value.sentAt,
        receivedAt: values.last?.instant, records: values.flatMap(\.records))
      let last = values[values.count - 1]
      insert(Chart.Entry(instant: last.instant, record: last.records.last ?? 0, kind: .packet(packet)))
    }
  }

  private func lostLabel(_ values: [Value]) -> String {
    let parts = values.compactMap { words.fragment($0.octets) }
    guard let first = parts.first, parts.count == values.count, first.index == 0, first.count == values.count else {
      return "never came"
    }
    return words.label(parts.flatMap(\.body)) + ", never came"
  }

  /// Puts an entry that became known late where it belongs.
  private mutating func insert(_ entry: Chart.Entry) {
    let place = entries.lastIndex { $0.record <= entry.record }.map { $0 + 1 } ?? 0
    entries.insert(entry, at: place)
  }
}
