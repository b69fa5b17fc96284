public import AppSeam
import BluetoothWire
public import SimKernel

/// The BLE half of an app whose engine is a library above it: it knows peers and whole packets, and no radio.
///
/// The engine is told `launched`, `user`, `timer`, `background` and `radioPower` as every app is, and of links only
/// `connected` (a host's central is there; a client has subscribed, or its host has sent its first packet),
/// `disconnected` (of such a peer, also when the radio goes off), and `valueReceived` with a whole packet. It asks for
/// `notify` or `write` with a whole packet, `disconnect`, timers and reports; a host's `advertise` and
/// `stopAdvertising`, a client's `scan` and `stopScanning` are obeyed with the dialect's names. It gets no answer to
/// what it sends: packets leave in their order once the peer has subscribed, and nothing is lost while the link is up,
/// not even when the engine ends it right afterwards.
///
/// Spec: BAB 2, 3, 5.1.1, 5.1.4, 5.7.7, 5.8.4, 5.9. Not modelled: a readable state characteristic (BAB 2.9).
public class MessageGlue: AppEngine {
  struct Side {
    var link: LinkID
    var peer: BluetoothAddress
    var reassembler: Reassembler
    /// The engine has been told of it.
    var isKnown = false
    /// The engine has ended it: nothing comes in any more, and what is queued still leaves.
    var isEnding = false
    /// A timer runs for packets that have begun.
    var isTimed = false
    /// When the platform took the newest value.
    var newestValue: SimInstant?
  }

  /// What a timer of a link is for.
  enum LinkTimer: Int, CaseIterable {
    /// Between two values of a paced dialect.
    case pause
    /// Packets that have begun and make no progress.
    case partials
    /// The last value has reached the air.
    case farewell
  }

  /// Larger than the numbers that engines may give to timers.
  static let firstTimer = 1 << 54
  /// Timers of a role, before those of the links.
  private static let roleTimers = 8
  /// How long a link that is ended may take to carry what is queued for it.
  private static let farewell = SimDuration.seconds(5)
  /// From the newest value to the end of its link: what is queued in a platform is lost with the link (BAB 5.8.4).
  private static let afterNewestValue = SimDuration.seconds(1)

  let dialect: Dialect
  private let engine: any AppEngine
  var sides: [Side] = []
  var sender: PacketSender
  var effects: [AppEffect] = []
  var now = SimInstant.zero
  private(set) var isRadioOn = true

  init(_ engine: any AppEngine, _ dialect: Dialect, _ path: PacketSender.Path) {
    self.engine = engine
    self.dialect = dialect
    sender = PacketSender(path: path, dialect: dialect)
  }

  /// The glue for a role.
  public static func around(_ engine: any AppEngine, _ app: AppConfiguration) -> MessageGlue {
    let configuration = BabConfiguration(app)
    return app.role == .host ? HostGlue(engine, configuration) : ClientGlue(engine, configuration)
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
    case .disconnected(let link, let reason): lost(link, reason)
    case .attMTU(let link, let attMTU): sender.setATTMTU(attMTU, link)
    case .valueReceived(let link, let characteristic, let octets): received(link, characteristic, octets)
    case .submitted(let link, _, let accepted):
      taken(sender.submitted(link, accepted: accepted, &effects), link, isTaken: accepted)
    case .writeCompleted(let link, _, nil): taken(sender.writeCompleted(link, &effects), link, isTaken: true)
    case .writeCompleted(let link, _, .some): effects.append(.disconnect(link))
    case .readyToSend(let link): sender.readyToSend(link, &effects)
    case .timer(let timer) where timer.rawValue >= Self.firstTimer: fired(timer.rawValue - Self.firstTimer)
    case .radioPower(let isOn):
      isRadioOn = isOn
      // The platform speaks of the radio only, and an engine that knows none hears of its peers.
      if !isOn { for side in sides { lost(side.link, .connectionTimeout) } }
      feed(input)
    case .launched, .timer, .user, .background: feed(input)
    default: break
    }
  }

  final func side(_ link: LinkID) -> Int? { sides.firstIndex { $0.link == link } }

  /// Whether packets come by this characteristic.
  func carriesPackets(_ characteristic: BluetoothUUID) -> Bool { true }

  private func received(_ link: LinkID, _ characteristic: BluetoothUUID, _ octets: [UInt8]) {
    guard let place = side(link), !sides[place].isEnding, carriesPackets(characteristic) else { return }
    let reception = sides[place].reassembler.receive(octets, at: now)
    report(reception.drops, link)
    if reception.isRepeat { effects.append(.report(BabReport.refused(link, reason: "a fragment that came before"))) }
    watchPartials(link)
    guard let text = reception.packet else { return }
    know(link)
    feed(.valueReceived(link, characteristic: characteristic, octets: text))
  }

  private func report(_ drops: [Reassembler.Drop], _ link: LinkID) {
    for drop in drops {
      let packet = drop.packetID.map { " in packet \($0)" } ?? ""
      effects.append(.report(BabReport.refused(link, reason: drop.reason.rawValue + packet)))
    }
  }

  private func watchPartials(_ link: LinkID) {
    guard let place = side(link) else { return }
    if let deadline = sides[place].reassembler.nextDeadline {
      setTimer(.partials, link, at: deadline)
      sides[place].isTimed = true
    } else if sides[place].isTimed {
      effects.append(.cancelTimer(Self.timer(.partials, link)))
      sides[place].isTimed = false
    }
  }

  private func taken(_ pause: SimDuration?, _ link: LinkID, isTaken: Bool) {
    if let pause { setTimer(.pause, link, at: now + pause) }
    guard isTaken, let place = side(link) else { return }
    sides[place].newestValue = now
    if sides[place].isEnding { endOnceSent(link) }
  }

  private func lost(_ link: LinkID, _ reason: HCI.ErrorCode) {
    guard let place = side(link) else { return }
    var side = sides.remove(at: place)
    report(side.reassembler.disconnect(), link)
    sender.close(link)
    if side.isTimed { effects.append(.cancelTimer(Self.timer(.partials, link))) }
    if side.isEnding { effects.append(.cancelTimer(Self.timer(.farewell, link))) }
    if side.isKnown { feed(.disconnected(link, reason: reason)) }
  }

  // MARK: Timers

  /// The timer of a role with this number, below 8.
  static func timer(_ number: Int) -> TimerID { TimerID(firstTimer + number) }

  private static func timer(_ kind: LinkTimer, _ link: LinkID) -> TimerID {
    TimerID(firstTimer + roleTimers + link.rawValue * LinkTimer.allCases.count + kind.rawValue)
  }

  final func setTimer(_ kind: LinkTimer, _ link: LinkID, at instant: SimInstant) {
    effects.append(.setTimer(Self.timer(kind, link), at: instant))
  }

  private func fired(_ number: Int) {
    guard number >= Self.roleTimers else { return roleTimerFired(number) }
    let (place, kind) = (number - Self.roleTimers).quotientAndRemainder(dividingBy: LinkTimer.allCases.count)
    let link = LinkID(place)
    guard let side = side(link) else { return }
    switch LinkTimer(rawValue: kind) {
    case .pause: sender.pauseOver(link, &effects)
    case .partials:
      sides[side].isTimed = false
      report(sides[side].reassembler.expire(at: now), link)
      watchPartials(link)
    case .farewell: effects.append(.disconnect(link))
    case nil: break
    }
  }

  func roleTimerFired(_ number: Int) {}

  // MARK: The engine

  /// Lets the engine know of a peer, once.
  final func know(_ link: LinkID) {
    guard let place = side(link), !sides[place].isKnown else { return }
    sides[place].isKnown = true
    feed(.connected(link, peer: sides[place].peer))
  }

  /// The engine wishes to be found, or to look for a host, or no longer.
  func search(_ isOn: Bool) {}

  final func feed(_ input: AppInput) {
    for effect in engine.handle(input, at: now) {
      switch effect {
      case .notify(let link, _, let octets), .write(let link, _, let octets),
        .writeWithoutResponse(let link, _, let octets):
        send(octets, link)
      case .advertise, .scan: search(true)
      case .stopAdvertising, .stopScanning: search(false)
      case .disconnect(let link): end(link)
      case .setTimer, .cancelTimer, .report: effects.append(effect)
      // The radio is not the engine's.
      default: break
      }
    }
  }

  private func send(_ octets: [UInt8], _ link: LinkID) {
    guard let place = side(link), !sides[place].isEnding else { return }
    // What is no packet is sent all the same: that is the engine's mistake, and not to be hidden.
    let type = (try? BabPacket(decoding: octets))?.payload.type ?? .heartbeat
    if !sender.enqueue(EncodedPacket(type: type, json: octets), link, &effects) { effects.append(.disconnect(link)) }
  }

  /// Ends a link once what is queued for it has left.
  final func end(_ link: LinkID) {
    guard let place = side(link), !sides[place].isEnding else { return }
    sides[place].isEnding = true
    setTimer(.farewell, link, at: now + Self.farewell)
    endOnceSent(link)
  }

  private func endOnceSent(_ link: LinkID) {
    guard let place = side(link), sender.isIdle(link) else { return }
    let end = sides[place].newestValue.map { $0 + Self.afterNewestValue } ?? now
    if end > now { return setTimer(.farewell, link, at: end) }
    effects += [.cancelTimer(Self.timer(.farewell, link)), .disconnect(link)]
  }
}
