import AppSeam
import BabSim
import Bench
import BluetoothWire
import Conformance
import Platform
import SimKernel

/// A peer that the bench plays: an app on a phone like any other, but it does what the procedure says, right or wrong.
///
/// What the platform tells it is booked, and answered at once where the tester has been told to go on by itself
/// (joining, greeting); all else is the procedure's. What it says is well formed unless the procedure hands it octets.
class LowerTester: PlayedDevice<BabBed> {
  let dialect: Dialect
  /// The id in its packets.
  var peerID: String
  var clock = VectorClock()
  /// The links it had, oldest first.
  private(set) var links: [TesterLink] = []
  /// Packets, or what should have been, in order of arrival.
  private(set) var hearing: [Heard] = []
  /// What the implementation has sent itself; the bench's own values are left out.
  private(set) var values: [HeardValue] = []
  private(set) var advertisements: [(instant: SimInstant, record: Int, advertisement: Advertisement)] = []
  /// Everything its platform told it, in order.
  private(set) var told: [(instant: SimInstant, record: Int, input: AppInput)] = []
  /// What was heard before this is ignored by `expect` and similar checks.
  private var mark = 0

  /// - Parameter index: of its device in the world; nil: the case is played without it.
  init(index: Int?, _ device: Device, dialect: Dialect) {
    self.dialect = dialect
    peerID = device.peerID
    super.init(index: index, device)
  }

  /// How this tester sends values.
  var path: TesterLink.Path { .notify }
  /// The clause that makes the implementation send its first packet of each type.
  var firstPackets: [(type: PacketType, clause: String)] { [] }
  /// Where it sends them.
  var outgoing: BluetoothUUID { dialect.state.uuid }
  /// The newest link, up or not.
  var newestLink: TesterLink? { links.last }
  /// The newest link that is up.
  var link: TesterLink? { links.last { $0.isUp } }
  var isConnected: Bool { link != nil }

  // MARK: Doing

  override func take(_ input: AppInput, at now: SimInstant) {
    told.append((now, bed.newestRecord, input))
    receive(input, at: now)
  }

  /// What the platform tells; a subclass books its own and calls this.
  func receive(_ input: AppInput, at now: SimInstant) {
    switch input {
    case .connected(let id, let peer): links.append(TesterLink(id: id, peer: peer, framing: dialect.framing))
    case .disconnected(let id, let reason): link(id)?.close(at: now, reason: reason)
    case .attMTU(let id, let attMTU): link(id)?.attMTU = attMTU
    case .discovered(let advertisement): advertisements.append((now, bed.newestRecord, advertisement))
    case .valueReceived(let id, let characteristic, let octets): received(id, characteristic, octets, now)
    case .submitted(let id, _, let accepted):
      link(id)?.answered(accepted: accepted)
      pump(id)
    case .writeCompleted(let id, _, let error):
      link(id)?.written(error: error)
      pump(id)
    case .readyToSend(let id):
      link(id)?.hasRoom()
      pump(id)
    default: break
    }
  }

  func link(_ id: LinkID) -> TesterLink? { links.last { $0.id == id } }

  private func received(_ id: LinkID, _ characteristic: BluetoothUUID, _ octets: [UInt8], _ now: SimInstant) {
    guard let link = link(id) else { return }
    let record = bed.newestRecord
    if !bed.assumption.made(octets) {
      values.append(
        HeardValue(instant: now, record: record, link: id, characteristic: characteristic, octets: octets))
    }
    let reception = link.reassembler.receive(octets, at: now)
    for drop in reception.drops {
      hearing.append(
        Heard(
          instant: now, record: record, link: id, octets: octets, problem: drop.reason.rawValue,
          fragments: drop.fragments))
    }
    guard let text = reception.packet else { return }
    var item = Heard(
      instant: now, record: record, link: id, octets: text, fragments: reception.fragments,
      isAssumed: bed.assumption.contains(text))
    do throws(BabPacketError) {
      let packet = try BabPacket(decoding: text)
      item.packet = packet
      clock.merge(packet.vectorClock)
    } catch {
      item.problem = Self.noPacket + "\(error.reason) at octet \(error.offset)"
    }
    hearing.append(item)
    if let packet = item.packet { heardPacket(packet, on: link) }
  }

  /// A packet came; a subclass may answer.
  func heardPacket(_ packet: BabPacket, on link: TesterLink) {}

  // MARK: Sending

  /// A packet of this tester's, its clock counted on.
  func packet(_ payload: PacketPayload, as sender: String? = nil) -> BabPacket {
    bed.uses(payload.type)
    clock.increment(peerID)
    var clock = clock
    let sender = sender ?? peerID
    if sender != peerID { clock.increment(sender) }
    return BabPacket(senderID: sender, vectorClock: clock, payload: payload)
  }

  /// The values a text becomes on a link: framed by the dialect, packetID counted on.
  func fragments(of json: [UInt8], on link: TesterLink) -> [[UInt8]] {
    var fragmenter = Fragmenter(framing: dialect.framing, nextPacketID: link.nextPacketID)
    link.nextPacketID &+= 1
    return (try? fragmenter.fragments(of: json, attMTU: link.attMTU)) ?? []
  }

  /// Sends a packet on a link, the newest one by default; noted as a step.
  func send(_ payload: PacketPayload, as sender: String? = nil, on link: TesterLink? = nil, note: String? = nil) {
    let packet = packet(payload, as: sender)
    let text = note ?? "\(name) sends \(packet.type.rawValue)" + (sender.map { " as \($0)" } ?? "")
    transmit(packet.encoded(), on: link, note: text)
  }

  /// Sends octets as one packet, whatever they are.
  func transmit(_ json: [UInt8], on link: TesterLink? = nil, note: String) {
    guard bed.gives(note), let link = link ?? self.link else { return }
    queue(fragments(of: json, on: link), on: link)
  }

  /// Sends values as they are, without framing.
  func transmit(values: [[UInt8]], on link: TesterLink? = nil, note: String) {
    guard bed.gives(note), let link = link ?? self.link else { return }
    queue(values, on: link)
  }

  /// Without a step: for what a tester does by itself.
  func queue(_ values: [[UInt8]], on link: TesterLink) {
    link.enqueue(values)
    pump(link.id)
  }

  func pump(_ id: LinkID) {
    guard let link = link(id), let effect = link.next(path, outgoing) else { return }
    ask(effect)
  }

  /// Waits until all that was sent has been taken, or answered where there is an answer.
  func flush(within limit: SimDuration = .seconds(10)) throws {
    let done = try bed.wait(limit) { link?.isFlushed ?? true }
    if !done { throw bed.inconclusive("\(name) could not send all it had within \(BabBed.text(limit))") }
  }

  /// Ends the newest link cleanly.
  func disconnect() {
    guard gives("disconnects") else { return }
    if let link { ask(.disconnect(link.id)) }
  }

  /// Something happens to this tester's device.
  func suffers(_ fault: DeviceFault, _ text: String) {
    guard bed.gives("\(name): \(text)"), !isAbsent else { return }
    bed.world.apply(fault, device: index)
  }

  // MARK: Hearing

  /// What was heard until now is ignored by what follows.
  func forget() { mark = hearing.count }

  /// Packets, or what should have been, in order of arrival.
  var heard: [Heard] { looked(hearing) }

  /// Packets since `forget`, in order.
  var news: ArraySlice<Heard> { looked(hearing[mark...]) }

  /// The newest thing of a kind that was said on any link.
  func newest<Thing>(_ read: (Heard) -> Thing?) -> Thing? {
    for item in hearing.reversed() {
      guard let thing = read(item) else { continue }
      looksAt(item)
      return thing
    }
    return nil
  }

  /// What a procedure looks at; the bench takes note where that is of its own making.
  private func looked<Items: Sequence<Heard>>(_ items: Items) -> Items {
    if !bed.assumption.steps.isEmpty, let item = items.first(where: \.isAssumed) { looksAt(item, amongAll: true) }
    return items
  }

  private func looksAt(_ item: Heard, amongAll: Bool = false) {
    guard item.isAssumed, let type = item.type else { return }
    bed.looksAtAssumed(lacking(type), amongAll: amongAll)
  }

  /// Packets of a type since `forget`.
  func news(_ type: PacketType) -> [BabPacket] { news.compactMap { $0.type == type ? $0.packet : nil } }

  /// A packet of that type for which the condition holds must have come since `forget`, or must come in time.
  /// `text` says what it must be, for people: `lists the host and client-1`.
  @discardableResult
  func expect(
    _ type: PacketType, _ text: String = "", within limit: SimDuration = .seconds(5), clause: String? = nil,
    where condition: (BabPacket) -> Bool = { _ in true }
  ) throws -> BabPacket {
    bed.uses(type)
    var found: BabPacket?
    let what = "\(name) is sent \(type.rawValue)" + (text.isEmpty ? "" : " that " + text)
    let cause = { self.missing(type) }
    let step = BabStep.name(for: type, role: bed.iut.role)
    try bed.expect(what, within: limit, clause: clause, actual: { self.actual(type) }, cause: cause, step: step) {
      let item = hearing[mark...].first { $0.type == type && $0.packet.map(condition) ?? false }
      found = item?.packet
      if let item { looksAt(item) }
      return found != nil
    }
    guard let found else { throw bed.inconclusive("\(what), and is gone") }
    return found
  }

  /// What is judged is in packets of that type: where the implementation has sent none, nothing is judged.
  func need(_ type: PacketType) throws {
    try bed.need(
      "\(name) is sent \(type.rawValue)", actual: actual(type), cause: missing(type),
      heard.contains { $0.type == type && !$0.isAssumed })
  }

  /// No packet of these types for which the condition holds may have come since `forget`, or come in the time given.
  func expectNone(
    of types: [PacketType], for span: SimDuration = .seconds(2), clause: String? = nil,
    where condition: (BabPacket) -> Bool = { _ in true }
  ) throws {
    let names = types.map(\.rawValue).joined(separator: ", ")
    try bed.never("\(name) is sent \(names)", for: span, clause: clause, actual: { self.actual(nil) }) {
      hearing[mark...].contains { item in
        // What the bench has said is not the implementation's.
        !item.isAssumed && item.type.map(types.contains) ?? false && item.packet.map(condition) ?? false
      }
    }
  }

  /// The link must end in time, for one of these reasons when any are given.
  func expectDisconnected(
    within limit: SimDuration = .seconds(5), reasons: [HCI.ErrorCode] = [], clause: String? = nil
  ) throws {
    try bed.expect("\(name)'s link is ended", within: limit, clause: clause, actual: { "it is up" }) { !isConnected }
    guard !reasons.isEmpty, let reason = newestLink?.endReason else { return }
    try bed.require(
      "\(name)'s link is ended cleanly", clause: clause,
      actual: "reason 0x" + String(reason.rawValue, radix: 16), reasons.contains(reason))
  }

  /// The link must end in time, as `expectDisconnected`; where the implementation's platform cannot end one, nothing
  /// may be sent on it.
  func expectTurnedAway(
    within limit: SimDuration = .seconds(5), reasons: [HCI.ErrorCode] = [], clause: String? = nil
  ) throws {
    if bed.ics.claims(.endsLinks) { return try expectDisconnected(within: limit, reasons: reasons, clause: clause) }
    let count = values.count
    try bed.never("\(name) is sent anything", for: limit, clause: clause) { values.count > count }
  }

  /// The link must stay up for that long.
  func expectConnected(for span: SimDuration = .seconds(1), clause: String? = nil) throws {
    try bed.never("\(name)'s link is ended", for: span, clause: clause, actual: { "it was ended" }) { !isConnected }
  }

  /// The newest packets, by type.
  func names(of heard: some BidirectionalCollection<Heard>) -> String {
    heard.suffix(6).map { $0.type?.rawValue ?? "octets that are no packet" }.joined(separator: ", ")
  }

  /// What came instead, in one line.
  private func actual(_ type: PacketType?) -> String {
    let news = hearing[mark...]
    guard isConnected || !news.isEmpty else { return "\(name) has no link" }
    let same = news.filter { $0.type == type && type != nil }
    if let last = same.last {
      return "\(same.count) of them, the newest: \(String(decoding: last.octets.prefix(400), as: UTF8.self))"
    }
    if let problem = news.last(where: { $0.problem != nil })?.problem { return "octets that are no packet: \(problem)" }
    if news.isEmpty { return isConnected ? "nothing came" : "nothing came, and the link has ended" }
    return "came: " + names(of: news)
  }
}
