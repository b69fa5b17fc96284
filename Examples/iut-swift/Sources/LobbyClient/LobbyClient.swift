public import AppSeam
import BabSim
import BluetoothWire
public import SimKernel

/// A client that joins a host, shows the lobby, and takes a role and readiness; it plays no game (dialect `sdk`).
///
/// Written from `Docs/Protocol` alone. It shares the types of the app seam with the bench, and no line of its engines.
public final class LobbyClient: AppEngine {
  static let service = BluetoothUUID(0xBAB1)
  static let command = BluetoothUUID(0xBAB2)
  static let state = BluetoothUUID(0xBAB3)

  private enum Timer {
    static let attempt = TimerID(1)
    static let again = TimerID(2)
    static let partial = TimerID(3)
    static let heartbeat = TimerID(4)
  }

  let peerID: String
  let displayName: String
  /// Zero: none (BAB 8.8).
  let heartbeat: SimDuration
  private var now = SimInstant.zero
  private var effects: [AppEffect] = []

  private var isInSession = false
  private var isScanning = false
  private var hasRadio = true
  private var attempt: BluetoothAddress?
  private var excluded: Set<BluetoothAddress> = []
  private var failures = 0
  private var refusals = 0
  private var hasSeat = false
  private var link: ClientLink?
  private var isEndingLink = false

  var view = LobbyScreen()
  var counts = VectorClock()

  public init(peerID: String, displayName: String, heartbeat: SimDuration) {
    self.peerID = peerID
    self.displayName = displayName
    self.heartbeat = heartbeat
  }

  public func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    self.now = now
    effects = []
    switch input {
    case .launched:
      show(.identity(role: .client, peerID: peerID, displayName: displayName))
      show(.phase("LOBBY"))
      show(.linkState("DISCONNECTED"))
    case .user(let action): if let action = action.bab { obey(action) }
    case .radioPower(let isOn): radio(isOn)
    case .discovered(let advertisement): discovered(advertisement)
    case .connected(let link, let address): connected(link, address)
    case .connectFailed(let address, _) where address == attempt: attemptFailed()
    case .timer(Timer.attempt):
      if let attempt { effects.append(.cancelConnect(attempt)) }
      attemptFailed()
    case .timer(Timer.again): look()
    case .timer(Timer.partial): expire()
    case .timer(Timer.heartbeat): beat()
    default: linkInput(input)
    }
    return effects
  }

  func show(_ report: BabReport) { effects.append(.report(report)) }

  // MARK: What a person does

  private func obey(_ action: BabAction) {
    switch action {
    case .joinHost where !isInSession:
      isInSession = true
      (failures, refusals) = (0, 0)
      excluded = []
      view = LobbyScreen()
      show(.linkState("CONNECTING"))
      look()
    case .leave where isInSession: endSession("left")
    case .requestRole(let role) where hasSeat: send(.roleAssigned(player: peerID, role: role))
    case .setReady(let isReady) where hasSeat: send(.playerReady(player: peerID, isReady: isReady))
    default: break
    }
  }

  // MARK: Looking for a host (BAB 2.4, 2.5, 8.5, 8.7)

  private func look() {
    guard isInSession, hasRadio, !isScanning, attempt == nil, link == nil else { return }
    isScanning = true
    effects.append(.scan(services: [Self.service]))
  }

  private func discovered(_ advertisement: Advertisement) {
    guard isScanning, advertisement.serviceUUIDs.contains(Self.service), !excluded.contains(advertisement.address)
    else { return }
    isScanning = false
    attempt = advertisement.address
    effects += [
      .stopScanning, .connect(advertisement.address), .setTimer(Timer.attempt, at: now + .seconds(10)),
    ]
  }

  private func attemptFailed() {
    attempt = nil
    effects.append(.cancelTimer(Timer.attempt))
    backOff()
  }

  /// Waits longer after each failure, then looks again.
  private func backOff() {
    guard isInSession else { return }
    failures += 1
    let span = UInt64(100_000_000) << UInt64(min(failures, 4))
    var draw = counts.own(peerID) &+ now.nanoseconds &+ 1
    draw = draw &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let wait = 100_000_000 + Int64(UInt64(bitPattern: draw) % span)
    effects.append(.setTimer(Timer.again, at: now + .nanoseconds(wait)))
  }

  private func radio(_ isOn: Bool) {
    hasRadio = isOn
    if isOn { return look() }
    isScanning = false
    attempt = nil
    effects.append(.cancelTimer(Timer.attempt))
    if link != nil { lost(wasRefused: false) }
  }

  // MARK: The link (BAB 5.1.4, 5.9)

  private func connected(_ id: LinkID, _ address: BluetoothAddress) {
    guard isInSession, address == attempt else { return effects.append(.disconnect(id)) }
    attempt = nil
    link = ClientLink(id: id, address: address)
    isEndingLink = false
    effects += [.cancelTimer(Timer.attempt), .exchangeMTU(id, 185)]
  }

  private func linkInput(_ input: AppInput) {
    guard let link else { return }
    switch input {
    case .disconnected(link.id, let reason):
      lost(wasRefused: !isEndingLink && reason == .remoteUserTerminatedConnection)
    case _ where isEndingLink: break
    case .attMTU(link.id, let size):
      link.attMTU = size
      if !link.isDiscovering { effects.append(.discover(link.id, service: Self.service)) }
      link.isDiscovering = true
    case .servicesDiscovered(link.id, Self.service, let characteristics): found(characteristics, link)
    case .subscribed(link.id, let characteristic, let isOn) where characteristic == link.subscriptions.first:
      guard isOn else { return end(link) }
      link.subscriptions.removeFirst()
      subscribe(link)
    case .writeCompleted(link.id, _, let error):
      if error == nil { taken(link) } else { end(link) }
    case .submitted(link.id, _, accepted: true): taken(link)
    case .readyToSend(link.id):
      link.isWaiting = false
      pump(link)
    case .valueReceived(link.id, _, let octets): received(octets, link)
    default: break
    }
  }

  private func found(_ characteristics: [ServiceDefinition.Characteristic], _ link: ClientLink) {
    let command = characteristics.first { $0.uuid == Self.command }
    let state = characteristics.first { $0.uuid == Self.state }
    guard let command, let state, state.properties.contains(.notify) else {
      excluded.insert(link.address)
      return end(link)
    }
    link.wantsResponse = command.properties.contains(.write)
    link.subscriptions = characteristics.filter { $0.properties.contains(.notify) }.map(\.uuid)
    subscribe(link)
  }

  private func subscribe(_ link: ClientLink) {
    if let next = link.subscriptions.first {
      effects.append(.subscribe(link.id, characteristic: next, true))
    } else {
      send(.handshake(id: peerID, name: displayName))
      send(.clientJoin(id: peerID, name: displayName))
      if heartbeat > .zero { effects.append(.setTimer(Timer.heartbeat, at: now + heartbeat)) }
    }
  }

  private func beat() {
    guard link != nil else { return }
    send(.heartbeat)
    effects.append(.setTimer(Timer.heartbeat, at: now + heartbeat))
  }

  private func end(_ link: ClientLink) {
    guard !isEndingLink else { return }
    isEndingLink = true
    effects += [.cancelTimer(Timer.partial), .cancelTimer(Timer.heartbeat), .disconnect(link.id)]
  }

  /// Without the ICS item `reconnect`, a client that had a seat is done; one that had none tries again (BAB 5.1.15).
  private func lost(wasRefused: Bool) {
    effects += [.cancelTimer(Timer.partial), .cancelTimer(Timer.heartbeat)]
    link = nil
    let hadSeat = hasSeat
    hasSeat = false
    guard isInSession else { return }
    refusals += wasRefused ? 1 : 0
    if hadSeat {
      endSession("the link is lost")
    } else if refusals == 3 {
      endSession("refused by the host")
    } else {
      backOff()
    }
  }

  /// Leaves no link, scan, attempt or timer behind (BAB 5.7.8).
  private func endSession(_ reason: String) {
    isInSession = false
    hasSeat = false
    if isScanning { effects.append(.stopScanning) }
    isScanning = false
    if let attempt { effects.append(.cancelConnect(attempt)) }
    attempt = nil
    if let link { end(link) }
    let timers = [Timer.attempt, Timer.again, Timer.partial, Timer.heartbeat]
    effects += timers.map { .cancelTimer($0) }
    show(.linkState("DISCONNECTED"))
    show(.sessionEnded(reason))
  }

  // MARK: Sending: one value at a time

  private func send(_ message: OutgoingMessage) {
    guard let link, !isEndingLink else { return }
    guard link.queue.count < 4_096 else { return end(link) }  // BAB 8.9
    counts.countOne(peerID)
    link.queue.append((message.type, message.packet(sender: peerID, clock: counts)))
    pump(link)
  }

  private func pump(_ link: ClientLink) {
    guard !link.isWaiting, let value = link.nextValue() else { return }
    link.isWaiting = true
    effects.append(
      link.wantsResponse
        ? .write(link.id, characteristic: Self.command, octets: value)
        : .writeWithoutResponse(link.id, characteristic: Self.command, octets: value))
  }

  private func taken(_ link: ClientLink) {
    link.isWaiting = false
    if let sent = link.valueWasTaken() {
      show(.packetSent(link.id, type: sent.type, sequence: sent.sequence, fragments: sent.fragments))
    }
    pump(link)
  }

  // MARK: Receiving

  private func received(_ octets: [UInt8], _ link: ClientLink) {
    let packet = link.reassembler.take(octets, at: now)
    watch(link)
    guard let packet else { return }
    guard let message = IncomingMessage(packet) else {
      return show(.refused(link.id, reason: "\(packet.count) octets that are no packet"))
    }
    accept(message, link)
  }

  private func watch(_ link: ClientLink) {
    for reason in link.reassembler.takeRefusals() { show(.refused(link.id, reason: reason)) }
    if let deadline = link.reassembler.deadline {
      effects.append(.setTimer(Timer.partial, at: deadline))
    } else {
      effects.append(.cancelTimer(Timer.partial))
    }
  }

  private func expire() {
    guard let link else { return }
    link.reassembler.expire(at: now)
    watch(link)
  }

  /// Who may say what to a client (BAB 5.6.4, 7.5, 7.8, 7.12), and what it changes.
  private func accept(_ message: IncomingMessage, _ link: ClientLink) {
    func refuse(_ rule: String, _ detail: String) { show(.violation(link.id, rule: rule, detail: detail)) }
    if message.isClientOnly { return refuse("BAB 7.12", "\(message.payloadName) from a host") }
    guard message.sender == link.host ?? message.sender, message.sender != peerID, message.isFitHandshake else {
      return refuse("BAB 7.5", "\(message.sender) on the link of \(link.host ?? "nobody")")
    }
    link.host = message.sender
    guard message.ownCount >= link.lastCount else { return }
    link.lastCount = message.ownCount
    counts.merge(message.clock)
    for report in view.take(message.content, as: peerID) { show(report) }
    if view.lobby?.players.contains(peerID) == true, !hasSeat {
      hasSeat = true
      (failures, refusals) = (0, 0)
      show(.linkState("CONNECTED"))
    }
    show(.vectorClock(counts.entries))
    if !message.namesItself { refuse("BAB 7.8", "the envelope is not of \(message.payloadName)") }
  }
}
