import AppSeam
import BabSim
import BluetoothWire
import Conformance
import SimKernel

/// A correct engine below a layer that handles whole packets: what most broken clauses need.
///
/// The inner engine talks to a perfect platform: every value is taken at once. Its packets are put together, changed
/// by `outgoing`, cut for the link's real ATT_MTU and sent with real flow control. Packets from the peer are changed by
/// `incoming` before the inner engine gets them. Values that are no fragments of a packet pass as they are.
final class PacketMutant: FallibleEngine {
  /// What is sent instead of one packet of the inner engine; the packet itself to change nothing, nothing to drop it.
  typealias Outgoing = @Sendable (PacketMutant, BabPacket) -> [any Speech]
  /// What the inner engine gets instead of one packet of the peer.
  typealias Incoming = @Sendable (PacketMutant, BabPacket) -> [BabPacket]
  typealias Observing = @Sendable (PacketMutant, AppInput) -> Void
  /// What is shown instead of one report of the inner engine.
  typealias Showing = @Sendable (PacketMutant, BabReport) -> [BabReport]
  /// What is read in place of a text of the peer, packet or not; nil when it is not read at all.
  typealias Reading = @Sendable (PacketMutant, [UInt8]) -> [UInt8]?

  private struct Side {
    var link: LinkID
    var fromInner: Reassembler
    var fromPeer: Reassembler
    /// Far from where a peer's packetIDs begin.
    var nextToInner: UInt16 = 0xC000
  }

  let configuration: BabConfiguration
  private let inner: any AppEngine
  private let outgoing: Outgoing
  private let incoming: Incoming
  private let observing: Observing
  private let showing: Showing
  private let reading: Reading
  private let isHost: Bool
  private var sides: [Side] = []
  private var sender: PacketSender
  private var effects: [AppEffect] = []
  private(set) var now = SimInstant.zero
  /// The link of the packet or text that is being handled.
  private(set) var link = LinkID(0)
  /// The clock of the newest packet that went out: own packets of the mutant repeat it, equal counts are taken.
  private(set) var clock = VectorClock()
  /// The ids that a HANDSHAKE has bound to links, oldest first.
  private var bindings: [(link: LinkID, id: String)] = []
  /// For mutants that need a word of memory.
  var memory: [String] = []
  var count = 0
  /// The newest packet of each type that the inner engine wanted to send, to whomever.
  private(set) var said: [BabPacket] = []
  /// Set by a defect that ends the program.
  var failure: IUTFailure?

  init(
    wrapping inner: any AppEngine, role: AppRole, configuration: BabConfiguration,
    outgoing: @escaping Outgoing = { _, packet in [packet] },
    incoming: @escaping Incoming = { _, packet in [packet] },
    observing: @escaping Observing = { _, _ in },
    showing: @escaping Showing = { _, report in [report] },
    reading: @escaping Reading = { _, text in text }
  ) {
    self.inner = inner
    self.configuration = configuration
    self.outgoing = outgoing
    self.incoming = incoming
    self.observing = observing
    self.showing = showing
    self.reading = reading
    isHost = role == .host
    let writes = configuration.dialect.clientWrites
    sender = PacketSender(
      path: isHost ? .notify : writes == .withResponse ? .write : .writeWithoutResponse, dialect: configuration.dialect)
  }

  /// Links that are up, oldest first.
  var links: [LinkID] { sides.map(\.link) }

  /// A packet of this app's own, outside the inner engine's.
  func packet(_ payload: PacketPayload, as senderID: String? = nil) -> BabPacket {
    BabPacket(senderID: senderID ?? configuration.peerID, vectorClock: clock, payload: payload)
  }

  /// Says something to a link, after what is queued for it.
  func say(_ speech: any Speech, to link: LinkID) {
    guard !sender.enqueue(speech.forSending, link, &effects) else { return }
    // As the engines do it (BAB 8.9).
    sender.close(link)
    effects.append(.disconnect(link))
  }

  /// Says something of its own on every link.
  func sayToAll(_ payload: PacketPayload) {
    for link in links { say(packet(payload), to: link) }
  }

  /// Lets the inner engine hear a packet of a peer on a link of the mutant's choice.
  func hear(_ packet: BabPacket, on link: LinkID) {
    hand(packet.encoded(), link, configuration.dialect.command.uuid)
  }

  /// Lets the inner engine's user do something.
  func act(_ action: BabAction) { feed(.user(action)) }

  /// Ends as a program does that traps: from now on it answers nothing.
  func crash(_ reason: String) { failure = IUTFailure(.exited, reason) }

  func close() {}

  /// Asks the platform for something.
  func ask(_ effect: AppEffect) { effects.append(effect) }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    self.now = now
    if failure != nil { return [] }
    observing(self, input)
    receive(input)
    if failure != nil { effects.removeAll() }
    var result: [AppEffect] = []
    swap(&result, &effects)
    return result
  }

  private func receive(_ input: AppInput) {
    switch input {
    case .submitted(let link, _, let accepted): _ = sender.submitted(link, accepted: accepted, &effects)
    case .readyToSend(let link): sender.readyToSend(link, &effects)
    case .writeCompleted(let link, _, nil): _ = sender.writeCompleted(link, &effects)
    case .valueReceived(let link, let characteristic, let octets): fromPeer(link, characteristic, octets)
    case .connected(let link, _):
      let framing = configuration.dialect.framing
      sides.append(Side(link: link, fromInner: Reassembler(framing: framing), fromPeer: Reassembler(framing: framing)))
      sender.open(link)
      feed(input)
    case .disconnected(let link, _):
      feed(input)
      sides.removeAll { $0.link == link }
      sender.close(link)
    case .attMTU(let link, let attMTU):
      sender.setATTMTU(attMTU, link)
      feed(input)
    case .subscribed(let link, let characteristic, let isOn):
      if isHost, characteristic == configuration.dialect.state.uuid { sender.setReady(isOn, link, &effects) }
      feed(input)
    case .servicesDiscovered(let link, _, let characteristics):
      if !isHost, let command = characteristics.first(where: { $0.uuid == configuration.dialect.command.uuid }) {
        // As the engine does it (BAB 2.8).
        if !command.properties.contains(.write) { sender.path = .writeWithoutResponse }
        sender.setReady(true, link, &effects)
      }
      feed(input)
    default: feed(input)
    }
  }

  /// A value goes on unchanged. Only the last one of a text that the mutant changes does not: the changed text follows
  /// in fragments of its own, and what came of the old one is never completed.
  private func fromPeer(_ link: LinkID, _ characteristic: BluetoothUUID, _ octets: [UInt8]) {
    guard let index = sides.firstIndex(where: { $0.link == link }) else { return }
    let value = AppInput.valueReceived(link, characteristic: characteristic, octets: octets)
    guard let text = sides[index].fromPeer.receive(octets, at: now).packet else { return feed(value) }
    let texts = changed(text, link)
    if texts == [text] { return feed(value) }
    for text in texts { hand(text, link, characteristic) }
  }

  /// What the inner engine is to read in place of a text.
  private func changed(_ text: [UInt8], _ link: LinkID) -> [[UInt8]] {
    about(link) {
      guard let read = reading(self, text) else { return [] }
      guard let packet = try? BabPacket(decoding: read) else { return [read] }
      let packets = incoming(self, packet)
      if let participant = packet.handshake, participant.id == packet.senderID { bind(link, participant.id) }
      return packets.map { $0 == packet ? read : $0.encoded() }
    }
  }

  /// The id that a HANDSHAKE bound to a link.
  func bound(_ link: LinkID) -> String? { bindings.first { $0.link == link }?.id }

  func bind(_ link: LinkID, _ id: String) {
    if bound(link) == nil { bindings.append((link, id)) }
  }

  /// What a defect makes of something on a link; it may let other links hear something meanwhile.
  private func about<Result>(_ link: LinkID, _ defect: () -> Result) -> Result {
    let before = self.link
    self.link = link
    defer { self.link = before }
    return defect()
  }

  /// A text for the inner engine, in fragments of the largest size.
  private func hand(_ text: [UInt8], _ link: LinkID, _ characteristic: BluetoothUUID) {
    guard let index = sides.firstIndex(where: { $0.link == link }) else { return }
    // Without fragments a text is what one value holds.
    if configuration.dialect.framing == .raw {
      return feed(.valueReceived(link, characteristic: characteristic, octets: text))
    }
    var fragmenter = Fragmenter(framing: configuration.dialect.framing, nextPacketID: sides[index].nextToInner)
    sides[index].nextToInner &+= 1
    for value in (try? fragmenter.fragments(of: text, attMTU: 2_000)) ?? [] {
      feed(.valueReceived(link, characteristic: characteristic, octets: value))
    }
  }

  private func feed(_ input: AppInput) {
    for effect in inner.handle(input, at: now) { perform(effect) }
  }

  private func perform(_ effect: AppEffect) {
    switch effect {
    case .notify(let link, let characteristic, let octets),
      .writeWithoutResponse(let link, let characteristic, let octets):
      fromInner(link, octets)
      feed(.submitted(link, characteristic: characteristic, accepted: true))
    case .write(let link, let characteristic, let octets):
      fromInner(link, octets)
      feed(.writeCompleted(link, characteristic: characteristic, error: nil))
    // What the inner engine takes for sent only waits here; the sender of this layer knows (BAB 5.9.3).
    case .report(let report):
      guard let report = report.bab else { return effects.append(effect) }
      if case .packetSent = report { return }
      effects += showing(self, report).map { .report($0) }
    default: effects.append(effect)
    }
  }

  private func fromInner(_ link: LinkID, _ octets: [UInt8]) {
    guard let index = sides.firstIndex(where: { $0.link == link }),
      let text = sides[index].fromInner.receive(octets, at: now).packet,
      let packet = try? BabPacket(decoding: text)
    else { return }
    clock.merge(packet.vectorClock)
    said.removeAll { $0.type == packet.type }
    said.append(packet)
    for speech in about(link, { outgoing(self, packet) }) { say(speech, to: link) }
  }
}

/// Something to say: a packet, or a text that need not be one.
protocol Speech { var forSending: EncodedPacket { get } }

extension BabPacket: Speech {
  var forSending: EncodedPacket { EncodedPacket(type: type, json: encoded()) }
}

/// A text in place of a packet.
struct RawText: Speech {
  let octets: [UInt8]

  init(_ octets: [UInt8]) { self.octets = octets }

  // The type matters to nobody but the merging of LOBBY_UPDATEs.
  var forSending: EncodedPacket { EncodedPacket(type: .heartbeat, json: octets) }
}
