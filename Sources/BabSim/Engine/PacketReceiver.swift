import AppSeam
import BluetoothWire
import SimKernel

/// The incoming half of a link: values in, packets out. What is taken and what is refused is reported.
struct PacketReceiver {
  private var reassembler: Reassembler
  /// The sender of the newest packet and the sender's own count in it.
  private var newest: (sender: String, count: Int64)?
  /// A timer runs for the partial packets: one at a time, set again when it fires too early for all of them.
  private var isTimed = false

  init(framing: Framing) { reassembler = Reassembler(framing: framing) }

  /// Takes one value; a packet when it completes one that is not older than what came before (BAB 5.6.4).
  mutating func receive(
    _ octets: [UInt8], link: LinkID, now: SimInstant, _ effects: inout [AppEffect]
  ) -> BabPacket? {
    let reception = reassembler.receive(octets, at: now)
    for drop in reception.drops { Self.report(drop, link, &effects) }
    setTimer(link, &effects)
    if reception.isRepeat { effects.append(.report(.refused(link, reason: "a fragment that came before"))) }
    guard let text = reception.packet else { return nil }
    let packet: BabPacket
    do throws(BabPacketError) {
      packet = try BabPacket(decoding: text)
    } catch {
      effects.append(.report(.refused(link, reason: "not a packet: \(error.reason) at octet \(error.offset)")))
      return nil
    }
    let type = packet.payload.type.rawValue
    let json = String(decoding: PacketCoder.encode(packet), as: UTF8.self)
    effects.append(.report(.packetReceived(link, type: type, senderID: packet.senderID, json: json)))
    return isCurrent(packet, link, &effects) ? packet : nil
  }

  /// The link has ended; what was incomplete is lost.
  mutating func disconnect(_ link: LinkID, _ effects: inout [AppEffect]) {
    for drop in reassembler.disconnect() { Self.report(drop, link, &effects) }
    if isTimed { effects.append(.cancelTimer(EngineTimer.partials(link))) }
    isTimed = false
    newest = nil
  }

  /// The timer has fired: what has made no progress for 5 s is dropped now, not with the next value (BAB 3.14).
  mutating func expire(_ link: LinkID, now: SimInstant, _ effects: inout [AppEffect]) {
    isTimed = false
    for drop in reassembler.expire(at: now) { Self.report(drop, link, &effects) }
    setTimer(link, &effects)
  }

  private mutating func setTimer(_ link: LinkID, _ effects: inout [AppEffect]) {
    guard !isTimed, let deadline = reassembler.nextDeadline else { return }
    isTimed = true
    effects.append(.setTimer(EngineTimer.partials(link), at: deadline))
  }

  private mutating func isCurrent(_ packet: BabPacket, _ link: LinkID, _ effects: inout [AppEffect]) -> Bool {
    let count = packet.vectorClock[packet.senderID]
    if let newest, newest.sender == packet.senderID, count < newest.count {
      let reason = "\(packet.payload.type.rawValue) number \(count) came after number \(newest.count)"
      effects.append(.report(.refused(link, reason: reason)))
      return false
    }
    newest = (packet.senderID, count)
    return true
  }

  private static func report(_ drop: Reassembler.Drop, _ link: LinkID, _ effects: inout [AppEffect]) {
    let packet = drop.packetID.map { " in packet \($0)" } ?? ""
    effects.append(.report(.refused(link, reason: drop.reason.rawValue + packet)))
  }
}
