import BabSim
import CaptureCheck
import Conformance
import SimKernel

/// What was said on each connection, in packets: rebuilt from the values that left each end.
///
/// Read before anything is judged, because later packets tell who the ends of earlier ones are.
struct BabSpeech {
  struct Utterance {
    var connection: Int
    var isFromServer: Bool
    var instant: SimInstant
    /// The place of its last value.
    var place: PacketPlace
    /// Nil when its fragments are whole and it is no packet.
    var packet: BabPacket?
    var fragments: Int

    /// The sender's own count, which a packet to several links shares (BAB 5.6.1).
    var count: Int64 { packet.map { $0.vectorClock[$0.senderID] } ?? 0 }
  }

  /// One direction of a connection.
  struct Direction {
    var framing = Framing.framed
    fileprivate var reassembler = Reassembler()
    fileprivate var values: [(ordinal: Int, packetID: UInt16, octets: Int)] = []
    /// By ordinal of a value: the utterance that it completes.
    fileprivate(set) var completes: [Int?] = []
    /// By ordinal: whether the value's platform has cut it, as far as its packet shows.
    fileprivate(set) var isCut: [Bool] = []
    fileprivate(set) var utterances: [Int] = []
    fileprivate(set) var isRaw = false
    fileprivate(set) var lastValueAt = SimInstant.zero
    /// When the sender asked for the end of the link, or learned of it; nil: it never did.
    fileprivate(set) var endedAt: SimInstant?
    /// How many values had left by then.
    fileprivate var valuesBeforeEnd = Int.max

    /// Whether a value left after that: no app has said it since, its phone had it before.
    func isLeftOver(_ ordinal: Int) -> Bool { ordinal >= valuesBeforeEnd }
  }

  private(set) var utterances: [Utterance] = []
  /// By connection.
  private(set) var fromServer: [Direction]
  private(set) var fromClient: [Direction]
  /// By connection: when its client was last heard: something of its own, or an acknowledgement.
  private(set) var clientHeardAt: [SimInstant]
  private var memory = PacketMemory()
  private var attMTU: [Int]

  init(_ timeline: EndTimeline, connections: Int) {
    fromServer = Array(repeating: Direction(), count: connections)
    fromClient = fromServer
    clientHeardAt = Array(repeating: .zero, count: connections)
    attMTU = Array(repeating: 23, count: connections)
    for event in timeline.events {
      switch event.kind {
      case .attMTU(_, let size): attMTU[event.connection] = size
      // The exchange is not in the capture.
      case .gap(nil): attMTU[event.connection] = Int(UInt16.max)
      case .departed(let value, let ordinal):
        let limit = Fragmenter.valueOctets(attMTU: attMTU[event.connection])
        if !value.isFromServer { clientHeardAt[event.connection] = event.instant }
        receive(value, ordinal, event, limit: limit)
      case .arrived(let value):
        if value.isFromServer { clientHeardAt[event.connection] = event.instant }
      case .ending(let atServer), .closed(let atServer, _, _): end(event, fromServer: atServer)
      case .answered: clientHeardAt[event.connection] = max(clientHeardAt[event.connection], event.instant)
      default: break
      }
    }
  }

  private mutating func end(_ event: EndEvent, fromServer isFromServer: Bool) {
    var direction = Direction()
    swapDirection(&direction, event.connection, isFromServer)
    if direction.endedAt == nil {
      (direction.endedAt, direction.valuesBeforeEnd) = (event.instant, direction.completes.count)
    }
    swapDirection(&direction, event.connection, isFromServer)
  }

  func direction(_ connection: Int, fromServer isFromServer: Bool) -> Direction {
    isFromServer ? fromServer[connection] : fromClient[connection]
  }

  /// The utterance that a value completes, nil when it completes none.
  func completed(by ordinal: Int, _ connection: Int, fromServer isFromServer: Bool) -> Utterance? {
    let direction = direction(connection, fromServer: isFromServer)
    return direction.completes.indices.contains(ordinal) ? direction.completes[ordinal].map { utterances[$0] } : nil
  }

  /// The packets of a host on a connection.
  func packetsOfServer(_ connection: Int) -> [Utterance] {
    fromServer[connection].utterances.map { utterances[$0] }.filter { $0.packet != nil }
  }

  /// What an end calls itself in its first HANDSHAKE, and how.
  func participant(_ connection: Int, fromServer isFromServer: Bool) -> Participant? {
    for index in direction(connection, fromServer: isFromServer).utterances {
      if case .handshake(let participant)? = utterances[index].packet?.payload { return participant }
    }
    return nil
  }

  /// What an end calls itself, by any of its packets.
  func sender(_ connection: Int, fromServer isFromServer: Bool) -> String? {
    if let participant = participant(connection, fromServer: isFromServer) { return participant.id }
    for index in direction(connection, fromServer: isFromServer).utterances {
      if let sender = utterances[index].packet?.senderID { return sender }
    }
    return nil
  }

  /// The first packet of an end on a connection; nil when it says nothing there.
  func firstPacket(_ connection: Int, fromServer isFromServer: Bool) -> BabPacket? {
    direction(connection, fromServer: isFromServer).utterances.lazy.compactMap { utterances[$0].packet }.first
  }

  /// When an end's last value left on a connection; not what its phone still had when the link was to end.
  func lastSaid(_ connection: Int, fromServer isFromServer: Bool) -> SimInstant {
    direction(connection, fromServer: isFromServer).lastValueAt
  }

  /// Whether a text that is no packet is one as far as its first fragment goes. A platform cuts what ATT_MTU does not
  /// let through: then octets are missing after every full value, and nowhere else.
  private static func isIntact(_ text: [UInt8], upTo boundary: Int) -> Bool {
    do throws(BabPacketError) {
      _ = try BabPacket(decoding: text)
      return true
    } catch {
      return error.offset >= boundary
    }
  }

  /// Takes a direction out while it changes, so that nothing is copied.
  private mutating func swapDirection(_ direction: inout Direction, _ connection: Int, _ isFromServer: Bool) {
    if isFromServer { swap(&direction, &fromServer[connection]) } else { swap(&direction, &fromClient[connection]) }
  }

  private mutating func receive(_ value: TrafficValue, _ ordinal: Int, _ event: EndEvent, limit: Int) {
    var direction = Direction()
    swapDirection(&direction, event.connection, value.isFromServer)
    defer { swapDirection(&direction, event.connection, value.isFromServer) }
    if ordinal == 0, BabDialects.isRaw(value.octets) {
      direction.framing = .raw
      direction.isRaw = true
      direction.reassembler = Reassembler(framing: .raw)
    }
    if !direction.isLeftOver(ordinal) { direction.lastValueAt = max(direction.lastValueAt, event.instant) }
    direction.completes.append(nil)
    direction.isCut.append(false)
    let octets = [UInt8](value.octets)
    if let header = FragmentHeader(octets) {
      // More fragments than a packet can have are of no use.
      if direction.values.count == 512 { direction.values.removeFirst(256) }
      direction.values.append((ordinal, header.packetID, octets.count))
    }
    let reception = direction.reassembler.receive(octets, at: event.instant)
    guard let text = reception.packet else { return }
    let packet = memory.packet(text)
    direction.completes[ordinal] = utterances.count
    direction.utterances.append(utterances.count)
    utterances.append(
      Utterance(
        connection: event.connection, isFromServer: value.isFromServer, instant: event.instant,
        place: event.place, packet: packet, fragments: reception.fragments))
    if direction.framing != .raw {
      if packet == nil, Self.isIntact(text, upTo: limit - FragmentHeader.octets) {
        for part in direction.values where part.packetID == reception.packetID && part.octets == limit {
          direction.isCut[part.ordinal] = true
        }
      }
      direction.values.removeAll { $0.packetID == reception.packetID }
    }
  }
}

/// The newest packets by their text: a host says the same to every link, and what leaves one end comes to the other.
struct PacketMemory {
  private var entries: [(text: [UInt8], packet: BabPacket?)] = []
  private var next = 0

  /// The packet that a text is; nil when it is none.
  mutating func packet(_ text: [UInt8]) -> BabPacket? {
    for entry in entries where entry.text.count == text.count && entry.text == text { return entry.packet }
    let packet = try? BabPacket(decoding: text)
    if entries.count < 64 {
      entries.append((text, packet))
    } else {
      entries[next] = (text, packet)
      next = (next + 1) % 64
    }
    return packet
  }
}
