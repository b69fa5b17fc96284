public import AppSeam
import BluetoothWire
public import SimKernel

/// The BLE half of an app whose engine is a library below it: it knows peers and whole packets, and no radio.
///
/// The engine is told `launched`, `user` and `timer` as every app is, and of the platform only `connected` (a peer can
/// be talked to: subscribed), `disconnected` (of such a peer), and `valueReceived` with a whole packet. It asks for
/// `notify` or `write` with a whole packet, `disconnect`, timers and reports; a host's `stopAdvertising` and `advertise`
/// are obeyed with the dialect's name and service. It gets no answer to what it sends: packets leave in their order, and
/// nothing is lost while the link is up. Everything else is done here as the protocol asks.
///
/// Spec: BAB 2, 3, 5.1.1, 5.1.4, 5.7.7, 5.9. Not modelled: a readable state characteristic (BAB 2.9).
public class MessageGlue: AppEngine {
  struct Side {
    var link: LinkID
    var peer: BluetoothAddress
    var reassembler: Reassembler
    /// The engine knows of it.
    var isKnown = false
  }

  /// Far from the numbers that engines give to timers.
  static let timerOffset = 6_000_000

  let dialect: Dialect
  private let engine: any AppEngine
  var sides: [Side] = []
  var sender: PacketSender
  var effects: [AppEffect] = []
  var now = SimInstant.zero

  init(_ engine: any AppEngine, _ dialect: Dialect, _ path: PacketSender.Path) {
    self.engine = engine
    self.dialect = dialect
    sender = PacketSender(path: path, dialect: dialect)
  }

  /// The glue for a role.
  public static func around(_ engine: any AppEngine, _ app: AppConfiguration) -> MessageGlue {
    let dialect = app.dialect.profile
    guard app.role == .host else { return ClientGlue(engine, dialect) }
    return HostGlue(engine, dialect, name: dialect.advertisedName(peerID: app.peerID, displayName: app.displayName))
  }

  public final func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    self.now = now
    receive(input)
    defer { effects = [] }
    return effects
  }

  // MARK: The platform

  /// What the platform tells; a subclass adds what only its role is told.
  func receive(_ input: AppInput) {
    switch input {
    case .connected(let link, let peer):
      sides.append(Side(link: link, peer: peer, reassembler: Reassembler(framing: dialect.framing)))
      sender.open(link)
    case .disconnected(let link, _):
      let isKnown = side(link).map { sides[$0].isKnown } ?? false
      sides.removeAll { $0.link == link }
      sender.close(link)
      if isKnown { feed(input) }
    case .attMTU(let link, let attMTU): sender.setATTMTU(attMTU, link)
    case .valueReceived(let link, let characteristic, let octets): received(link, characteristic, octets)
    case .submitted(let link, _, let accepted): pausing(sender.submitted(link, accepted: accepted, &effects), link)
    case .writeCompleted(let link, _, nil): pausing(sender.writeCompleted(link, &effects), link)
    case .writeCompleted(let link, _, .some): effects.append(.disconnect(link))
    case .readyToSend(let link): sender.readyToSend(link, &effects)
    case .timer(let id) where id.rawValue >= Self.timerOffset:
      sender.pauseOver(LinkID(id.rawValue - Self.timerOffset), &effects)
    case .launched, .timer, .user, .background, .radioPower: feed(input)
    default: break
    }
  }

  final func side(_ link: LinkID) -> Int? { sides.firstIndex { $0.link == link } }

  private func pausing(_ pause: SimDuration?, _ link: LinkID) {
    if let pause { effects.append(.setTimer(TimerID(Self.timerOffset + link.rawValue), at: now + pause)) }
  }

  private func received(_ link: LinkID, _ characteristic: BluetoothUUID, _ octets: [UInt8]) {
    guard let place = side(link) else { return }
    let reception = sides[place].reassembler.receive(octets, at: now)
    for drop in reception.drops { effects.append(.report(.refused(link, reason: drop.reason.rawValue))) }
    if let text = reception.packet { feed(.valueReceived(link, characteristic: characteristic, octets: text)) }
  }

  // MARK: The engine

  /// Lets the engine know of a peer once, when it can be talked to.
  final func know(_ link: LinkID) {
    guard let place = side(link), !sides[place].isKnown else { return }
    sides[place].isKnown = true
    sender.setReady(true, link, &effects)
    feed(.connected(link, peer: sides[place].peer))
  }

  /// A host's wish to be found or not; a client has none.
  func advertise(_ isOn: Bool) {}

  final func feed(_ input: AppInput) {
    for effect in engine.handle(input, at: now) {
      switch effect {
      case .notify(let link, _, let octets), .write(let link, _, let octets),
        .writeWithoutResponse(let link, _, let octets):
        // The type matters to nobody but the merging of LOBBY_UPDATEs, which is the engine's.
        if !sender.enqueue(EncodedPacket(type: .heartbeat, json: octets), link, &effects) {
          effects.append(.disconnect(link))
        }
      case .advertise: advertise(true)
      case .stopAdvertising: advertise(false)
      case .disconnect, .setTimer, .cancelTimer, .report: effects.append(effect)
      // The radio is not the engine's.
      default: break
      }
    }
  }
}
