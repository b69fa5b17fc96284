import AppSeam
import BluetoothWire
import SimKernel

/// From a scan to a subscribed link (BAB 2.5, 5.1).
extension ClientEngine {
  /// - Parameter address: of the only host that will do; nil: whichever is found first.
  func joinHost(at address: String?) {
    guard stage == .idle, solo == nil else { return }
    pickedHost = address
    forgetSession()
    showLinkState(.connecting)
    if let timeout = dialect.scanTimeout { effects.append(.setTimer(EngineTimer.scanTimeout, at: now + timeout)) }
    scan()
  }

  /// What an earlier session left; the clock goes on.
  private func forgetSession() {
    (attempts, refusals) = (0, 0)
    (hostAddress, hostName, hostID) = (nil, nil, nil)
    strangers = []
    lobby = LobbyState()
    roles = []
    (turnPlayerID, pendingLine, answeredLineID, vote) = (nil, nil, nil, nil)
    announced = []
    (history, committed) = ([], [])
    phase = .lobby
    showPhase()
  }

  func scan() {
    stage = .scanning
    guard isRadioOn else { return }
    effects.append(.scan(services: dialect.scanFilter))
  }

  /// Platforms end scans of suspended apps; an app in front again asks once more.
  func resumeScan() { if stage == .scanning { scan() } }

  func scanTimedOut() {
    guard stage == .scanning, reconnectDeadline == nil else { return }
    giveUp("no host found")
  }

  func discovered(_ advertisement: Advertisement) {
    guard stage == .scanning, dialect.isHost(advertisement), !strangers.contains(advertisement.address),
      reconnectDeadline == nil ? isPicked(advertisement) : isLostHost(advertisement)
    else { return }
    effects.append(.stopScanning)
    effects.append(.cancelTimer(EngineTimer.scanTimeout))
    hostAddress = advertisement.address
    hostName = advertisement.localName ?? hostName
    connect(advertisement.address)
  }

  private func isPicked(_ advertisement: Advertisement) -> Bool {
    pickedHost == nil || advertisement.address.description == pickedHost
  }

  /// The host this client was with: the same address, or the same name at a new address (BAB 5.7.7).
  private func isLostHost(_ advertisement: Advertisement) -> Bool {
    if advertisement.address == hostAddress { return true }
    return advertisement.localName.map { $0 == lostHostName } ?? false
  }

  /// The local name of the lost host: as its advertisement had it, else as its dialect makes it.
  private var lostHostName: String? {
    if let hostName { return hostName }
    let displayName = lobby.connectedPlayers.first { $0.playerID == hostID }?.displayName ?? ""
    return hostID.map { dialect.advertisedName(peerID: $0, displayName: displayName) }
  }

  private func connect(_ address: BluetoothAddress) {
    stage = .connecting(address)
    effects.append(.connect(address))
    effects.append(.setTimer(EngineTimer.connectTimeout, at: now + dialect.connectTimeout))
  }

  func connectFailed(_ address: BluetoothAddress) {
    guard stage == .connecting(address) else { return }
    effects.append(.cancelTimer(EngineTimer.connectTimeout))
    backOff(from: address)
  }

  func connectTimedOut() {
    guard case .connecting(let address) = stage else { return }
    effects.append(.cancelConnect(address))
    attempts += 1
    scan()
  }

  /// Waits for a drawn part of a window that doubles with every attempt: several clients that met at one host must
  /// not meet again at the next try (BAB 8.7). Every third attempt scans for the host again.
  func backOff(from address: BluetoothAddress?) {
    attempts += 1
    let window = configuration.retryDelay * Int64(1 << min(attempts, 4))
    let drawn = SimDuration.nanoseconds(backOff.within(0...window.nanoseconds))
    stage = .backingOff(attempts % 3 == 0 ? nil : address)
    effects.append(.setTimer(EngineTimer.retry, at: now + configuration.retryDelay + drawn))
  }

  func retry() {
    guard case .backingOff(let address) = stage else { return }
    if let address, isRadioOn { connect(address) } else { scan() }
  }

  // MARK: A link

  func connected(_ link: LinkID, _ address: BluetoothAddress) {
    guard stage == .connecting(address) else { return effects.append(.disconnect(link)) }
    effects.append(.cancelTimer(EngineTimer.connectTimeout))
    stage = .joining
    self.link = link
    hostID = nil
    receiver = PacketReceiver(framing: dialect.framing)
    sender.open(link)
    effects.append(.setTimer(EngineTimer.join(link), at: now + configuration.joinTimeout))
    effects.append(.exchangeMTU(link, dialect.wishedATTMTU))
    effects.append(.discover(link, service: dialect.service))
  }

  func servicesDiscovered(
    _ link: LinkID, _ service: BluetoothUUID, _ found: [ServiceDefinition.Characteristic]
  ) {
    guard link == self.link, stage == .joining, service == dialect.service else { return }
    let command = found.first { $0.uuid == dialect.command.uuid }
    guard let command, found.contains(where: { $0.uuid == dialect.state.uuid && $0.properties.contains(.notify) })
    else {
      if let hostAddress, strangers.count < 32 { strangers.append(hostAddress) }
      hostName = reconnectDeadline == nil ? nil : hostName
      return effects.append(.disconnect(link))
    }
    sender.path = Self.path(command.properties, dialect.clientWrites)
    let present = dialect.notifying.map(\.uuid).filter { uuid in found.contains { $0.uuid == uuid } }
    awaitedSubscriptions = present
    for uuid in present { effects.append(.subscribe(link, characteristic: uuid, true)) }
  }

  /// With response where the characteristic has it, unless the dialect asks for the other way (BAB 2.8).
  private static func path(
    _ properties: ServiceDefinition.Properties, _ wish: Dialect.ClientWrites
  ) -> PacketSender.Path {
    if wish == .withoutResponse, properties.contains(.writeWithoutResponse) { return .writeWithoutResponse }
    return properties.contains(.write) ? .write : .writeWithoutResponse
  }

  func subscribed(_ link: LinkID, _ characteristic: BluetoothUUID, _ isOn: Bool) {
    guard link == self.link, stage == .joining, let index = awaitedSubscriptions.firstIndex(of: characteristic)
    else { return }
    guard isOn else { return effects.append(.disconnect(link)) }
    awaitedSubscriptions.remove(at: index)
    guard awaitedSubscriptions.isEmpty else { return }
    sender.setReady(true, link, &effects)
    let role = role(of: peerID)
    send(.handshake(Participant(id: peerID, name: configuration.displayName, role: role)))
    send(.clientJoin(LobbyProfile(playerID: peerID, displayName: configuration.displayName)))
  }

  func joinTimedOut(_ link: LinkID) {
    guard link == self.link, stage == .joining else { return }
    report(.refused(link, reason: "no seat in the lobby within the join timeout"))
    effects.append(.disconnect(link))
  }
}
