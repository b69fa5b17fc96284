import AppSeam
import BluetoothWire
import SimKernel

/// Advertising, connections and their ends (BAB 5.1, 5.7, 5.8).
extension HostEngine {
  func startHosting() {
    guard !isHosting, solo == nil else { return }
    isHosting = true
    resetSession()
    publish()
    advertiseIfRoom(again: false)
    lobbyChanged(tellClients: false)
    armHeartbeat()
  }

  private func publish() {
    if hasPublished { return }
    hasPublished = true
    effects.append(.publish(dialect.serviceDefinition))
  }

  /// A new lobby with nobody but the host; line ids go on, so that none comes twice.
  private func resetSession() {
    players = [Player(id: peerID, name: configuration.displayName, joinIndex: 0, link: nil)]
    remembered = []
    nextJoinIndex = 1
    (scenarioID, difficulty) = ("", "normal")
    (turnPlayerID, pendingLine, summary, vote) = (nil, nil, nil, nil)
    history = []
    readLines = []
    shown.ranking = nil
    phase = .lobby
    showPhase()
  }

  /// Ends a running game first; what is handed to the platform right before the end of its link is lost, so the
  /// links are ended a second after the last value was taken (BAB 5.8.4).
  func leave() {
    guard isHosting, !isLeaving else { return }
    guard isPlaying else { return endLinks() }
    isLeaving = true
    // First, because a platform may answer a notification before it looks at what is asked after it.
    effects.append(.setTimer(EngineTimer.leave, at: now + configuration.joinTimeout))
    finish()
    stopAdvertising()
    endLinksSoon()
  }

  /// Once nothing waits to be sent.
  func endLinksSoon() {
    guard isLeaving, sender.isIdle else { return }
    effects.append(.setTimer(EngineTimer.leave, at: now + .seconds(1)))
  }

  func endLinks() {
    guard isHosting else { return }
    if isLeaving { effects.append(.cancelTimer(EngineTimer.leave)) }
    isLeaving = false
    isHosting = false
    stopAdvertising()
    for session in sessions { effects.append(.disconnect(session.link)) }
    loseAllLinks()
    remembered = []
    effects.append(.cancelTimer(EngineTimer.heartbeat))
    report(.sessionEnded("left"))
  }

  // MARK: Advertising

  /// Seats that a link may still take; unbound links count, so a crowd cannot get past the limit.
  var hasRoom: Bool { sessions.count < dialect.capacity - 1 }

  /// A closed game is open only to those who may come back.
  private var isOpen: Bool { !isPlaying && phase != .finished || !remembered.isEmpty }

  /// Advertises while a seat is free; `again` repeats the request, for platforms that stop on their own.
  func advertiseIfRoom(again: Bool) {
    guard isHosting, !isLeaving, isRadioOn else { return }
    guard hasRoom, isOpen else { return stopAdvertising() }
    guard again || !isAdvertising else { return }
    isAdvertising = true
    let name = dialect.advertisedName(peerID: peerID, displayName: configuration.displayName)
    effects.append(.advertise(AdvertisementRequest(localName: name, serviceUUIDs: [dialect.service])))
  }

  private func stopAdvertising() {
    guard isAdvertising else { return }
    isAdvertising = false
    effects.append(.stopAdvertising)
  }

  func advertisingStarted(_ hasStarted: Bool) {
    guard !hasStarted, isAdvertising else { return }
    isAdvertising = false
    effects.append(.setTimer(EngineTimer.advertiseAgain, at: now + configuration.retryDelay * 10))
  }

  func radioPower(_ isOn: Bool) {
    isRadioOn = isOn
    if !isOn { hasPublished = false }
    guard isHosting else { return }
    if isOn {
      publish()
      advertiseIfRoom(again: true)
    } else {
      isAdvertising = false
      loseAllLinks()
    }
  }

  // MARK: Links

  func connected(_ link: LinkID, _ address: BluetoothAddress) {
    var session = PeerSession(link: link, address: address, framing: dialect.framing)
    session.isRefused = !isHosting || isLeaving || !hasRoom
    if session.isRefused {
      effects.append(.disconnect(link))
    } else {
      sender.open(link)
      effects.append(.setTimer(EngineTimer.join(link), at: now + configuration.joinTimeout))
    }
    sessions.append(session)
    // A platform may stop advertising with a connection, or go on: it is told again what is wanted (BAB 5.1.2, 5.1.3).
    advertiseIfRoom(again: true)
  }

  func subscribed(_ link: LinkID, _ characteristic: BluetoothUUID, _ isOn: Bool) {
    guard characteristic == dialect.state.uuid else { return }
    sender.setReady(isOn, link, &effects)
  }

  func linkLost(_ link: LinkID) {
    guard let index = sessionIndex(link) else { return }
    var session = sessions.remove(at: index)
    session.receiver.disconnect(link, &effects)
    sender.close(link)
    effects.append(.cancelTimer(EngineTimer.join(link)))
    if session.hasJoined { playersLeft([link]) }
    advertiseIfRoom(again: false)
    showLinkState()
    endLinksSoon()
  }

  private func loseAllLinks() {
    let lost = sessions
    sessions = []
    sender.closeAll()
    for var session in lost {
      session.receiver.disconnect(session.link, &effects)
      effects.append(.cancelTimer(EngineTimer.join(session.link)))
    }
    playersLeft(lost.filter(\.hasJoined).map(\.link))
    showLinkState()
  }

  /// Ends a link cleanly; the peer is out at once, whatever it still sends.
  func refuse(_ link: LinkID) {
    guard let index = sessionIndex(link), !sessions[index].isRefused else { return }
    let session = sessions[index]
    sessions[index].isRefused = true
    sessions[index].hasJoined = false
    sender.close(link)
    effects.append(.disconnect(link))
    if session.hasJoined { playersLeft([link]) }
  }

  func joinTimedOut(_ link: LinkID) {
    guard let index = sessionIndex(link), !sessions[index].hasJoined else { return }
    report(.refused(link, reason: "no CLIENT_JOIN within the join timeout"))
    refuse(link)
  }

  func sessionIndex(_ link: LinkID) -> Int? {
    for index in sessions.indices where sessions[index].link == link { return index }
    return nil
  }

  func showLinkState() {
    let state: ConnectionStatus = players.count > 1 ? .connected : .disconnected
    guard state != shown.linkState else { return }
    shown.linkState = state
    report(.linkState(state.rawValue))
  }

  func showPhase() {
    guard phase != shown.phase else { return }
    shown.phase = phase
    report(.phase(phase.rawValue))
  }
}
