import AppSeam
import BabSim
import Conformance
import SimKernel

/// An implementation, and beside it the bench, which takes some of its steps.
///
/// The implementation's own values pass as they are, except packets of the assumed types, which are kept back: it is
/// told that they went out. The bench's packets leave between its packets, with packetIDs of their own and with the
/// clock of its newest packet, so that no count goes back.
final class AssumingEngine: AppEngine {
  /// Far from where an implementation's packetIDs begin.
  private static let firstPacketID: UInt16 = 0xA000
  /// Far from the numbers that engines give to timers.
  private static let timerOffset = 5_000_000

  private struct Side {
    var link: LinkID
    var reassembler: Reassembler
    /// A packet of the implementation has begun and is not complete.
    var isMidPacket = false
    var waiting: [BabPacket] = []
  }

  private let inner: any AppEngine
  private let part: any AssumedPart
  private let assumption: Assumption
  private let isHost: Bool
  private let dialect: Dialect
  private var spotter: PacketSpotter
  private var ledger = AnswerLedger()
  private var sender: PacketSender
  private var sides: [Side] = []
  private var clock = VectorClock()
  private var effects: [AppEffect] = []

  init(wrapping inner: any AppEngine, _ app: AppConfiguration, _ assumption: Assumption) {
    var configuration = BabConfiguration(app)
    configuration.dialect.fragmentSpacing = .zero
    let types = BabStep.all.filter { assumption.steps.contains($0.step) }.flatMap { $0.types(app.role) }
    let isReframed = assumption.steps.contains { $0.name == BabStep.framing }
    self.inner =
      isReframed ? ReframedEngine(wrapping: inner, configuration.dialect, isHost: app.role == .host, assumption) : inner
    self.assumption = assumption
    dialect = configuration.dialect
    isHost = app.role == .host
    part =
      isHost
      ? AssumedHost(
        app, types, framing: configuration.dialect.framing,
        seatsOnSubscription: assumption.profile?.seatsOnSubscription ?? false) : AssumedClient(configuration, types)
    spotter = PacketSpotter(types)
    let acknowledged = dialect.clientWrites == .withResponse
    sender = PacketSender(path: isHost ? .notify : acknowledged ? .write : .writeWithoutResponse, dialect: dialect)
  }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    if ledger.isForLayer(input) {
      answer(input)
    } else if case .timer(let id) = input, id.rawValue >= Self.timerOffset {
      take(part.handle(.timer(TimerID(id.rawValue - Self.timerOffset)), at: now))
    } else {
      prepare(input)
      feed(input, now)
      take(part.handle(input, at: now))
      finish(input)
    }
    settle(now)
    for place in sides.indices { release(place) }
    defer { effects = [] }
    return effects
  }

  // MARK: Links

  private func prepare(_ input: AppInput) {
    switch input {
    case .connected(let link, _):
      sides.append(Side(link: link, reassembler: Reassembler(framing: dialect.framing)))
      sender.open(link, firstPacketID: Self.firstPacketID)
    case .attMTU(let link, let attMTU): sender.setATTMTU(attMTU, link)
    default: break
    }
  }

  private func finish(_ input: AppInput) {
    switch input {
    case .disconnected(let link, _):
      sides.removeAll { $0.link == link }
      sender.close(link)
    case .subscribed(let link, dialect.state.uuid, let isOn): layer { sender.setReady(isOn, link, &$0) }
    case .servicesDiscovered(_, _, let found):
      if let command = found.first(where: { $0.uuid == dialect.command.uuid }),
        !isHost, !command.properties.contains(.write)
      {
        sender.path = .writeWithoutResponse
      }
    case .readyToSend(let link): layer { sender.readyToSend(link, &$0) }
    default: break
    }
  }

  // MARK: The implementation

  private func feed(_ input: AppInput, _ now: SimInstant) {
    for effect in inner.handle(input, at: now) { pass(effect, now) }
    settle(now)
  }

  /// Tells the implementation that what was kept back went out.
  private func settle(_ now: SimInstant) {
    while let answer = ledger.nextKeptBack() { feed(answer, now) }
  }

  private func pass(_ effect: AppEffect, _ now: SimInstant) {
    guard let sent = effect.transmission else { return effects.append(effect) }
    if spotter.spot(sent.link, sent.octets).isSpotted {
      assumption.keepsBack = true
      return ledger.noteKeptBack(effect)
    }
    ledger.note(effect)
    effects.append(effect)
    guard let place = sides.firstIndex(where: { $0.link == sent.link }) else { return }
    let reception = sides[place].reassembler.receive(sent.octets, at: now)
    // What has no header of a packet that goes on is not waited for.
    let header = sent.octets.first == UInt8(ascii: "{") ? nil : FragmentHeader(sent.octets)
    sides[place].isMidPacket = reception.packet == nil && header.map { $0.index + 1 < $0.count } ?? false
    if let text = reception.packet, let packet = try? BabPacket(decoding: text) { clock.merge(packet.vectorClock) }
  }

  // MARK: The bench

  private func take(_ wishes: [AssumedWish]) {
    for wish in wishes {
      switch wish {
      case .say(let packet, let link):
        if let place = sides.firstIndex(where: { $0.link == link }) { sides[place].waiting.append(packet) }
      case .timer(let id, let instant):
        let id = TimerID(id.rawValue + Self.timerOffset)
        effects.append(instant.map { .setTimer(id, at: $0) } ?? .cancelTimer(id))
      }
    }
  }

  private func release(_ place: Int) {
    guard !sides[place].isMidPacket else { return }
    for waiting in sides[place].waiting {
      let packet = BabPacket(senderID: waiting.senderID, vectorClock: clock, payload: waiting.payload)
      let text = packet.encoded()
      assumption.said(text)
      layer { _ = sender.enqueue(EncodedPacket(type: packet.type, json: text), sides[place].link, &$0) }
    }
    sides[place].waiting = []
  }

  private func answer(_ input: AppInput) {
    switch input {
    case .submitted(let link, _, let accepted): layer { _ = sender.submitted(link, accepted: accepted, &$0) }
    case .writeCompleted(let link, _, let error):
      // The implementation would have had to act on it, and does not know.
      if error != nil { assumption.isSpoiled = true }
      layer { _ = sender.writeCompleted(link, &$0) }
    default: break
    }
  }

  /// Effects of the bench's own.
  private func layer(_ send: (inout [AppEffect]) -> Void) {
    let own = ledger.noting(send)
    for effect in own { if let (_, octets) = effect.sentValue { assumption.sent(octets) } }
    effects += own
  }
}
