import AppSeam
import BabSim
import Bench
import BluetoothWire
import Conformance
import SimKernel

/// A lower tester that plays a host.
final class HostTester: LowerTester {
  /// Answers HANDSHAKE with its own and CLIENT_JOIN with the lobby, as a host must; off: the procedure does all.
  var answersByItself = true
  /// What it publishes; the dialect's service unless changed before `host`.
  lazy var service: ServiceDefinition = dialect.serviceDefinition
  lazy var advertisedName: String = dialect.advertisedName(peerID: peerID, displayName: name)
  lazy var advertisedUUIDs: [BluetoothUUID] = [dialect.service]
  /// The lobby it tells; `host` puts itself first, joiners are appended.
  /// What `makeChange` has last changed: the difficulty of the lobby, or the host's role.
  var change = ""
  var lobby = LobbyState()
  var displayName: String { name }
  /// The characteristic it notifies.
  lazy var notifies: BluetoothUUID = dialect.state.uuid

  override var firstPackets: [(type: PacketType, clause: String)] { Self.clausesOfClients }
  override var path: TesterLink.Path { .notify }
  override var outgoing: BluetoothUUID { notifies }

  // MARK: Hosting

  /// Publishes and advertises; does not wait.
  func host() {
    guard gives("publishes its service and advertises \"\(advertisedName)\"") else { return }
    // Where the state of the session tells the lobby, changes are told by roles, which are those of a scenario.
    if bed.seatsOnSubscription, lobby.selectedScenarioID.isEmpty { lobby.selectedScenarioID = "coffee-shop" }
    if lobby.connectedPlayers.isEmpty {
      lobby.connectedPlayers = [LobbyProfile(playerID: peerID, displayName: displayName)]
    }
    ask(.publish(service))
    ask(.advertise(AdvertisementRequest(localName: advertisedName, serviceUUIDs: advertisedUUIDs)))
  }

  /// Hosts, and the implementation's user joins; does not wait.
  func hostAndBeJoined() {
    host()
    bed.iut.user(.joinHost)
  }

  /// From now on its platform answers every packet with an ATT error (Invalid Attribute Value Length), or takes them
  /// again. It must have published.
  func refusesWrites(_ refuses: Bool) {
    guard gives(refuses ? "answers every write with an error" : "takes writes again") else { return }
    bed.world.limitValue(
      octets: refuses ? 0 : ATT.longestValue, characteristic: dialect.command.uuid, device: index)
  }

  /// Hosts, lets the implementation's user join, and waits until it has its seat.
  func seatIUT(within limit: SimDuration = .seconds(10)) throws {
    hostAndBeJoined()
    try bed.expect(
      "the IUT asks for a seat", within: limit, actual: { self.progress }, cause: { self.missingStep }
    ) {
      guard let link, link.isFlushed else { return false }
      return hasSeated
    }
    guard bed.seatsOnSubscription else { return }
    // Who introduces itself is answered first (BAB 5.1.6).
    _ = try bed.wait(.milliseconds(500)) { hearing.contains { $0.type == .handshake } }
    if let link { say(.fullStateSnapshot(lobbySnapshot), on: link) }
  }

  /// Whether a client has asked for a seat, by CLIENT_JOIN or by its subscription.
  var hasSeated: Bool {
    bed.seatsOnSubscription ? link?.isSubscribed ?? false : hearing.contains { $0.type == .clientJoin }
  }

  private var progress: String {
    guard let newestLink else { return "it does not connect" }
    if !newestLink.isUp { return "its link was ended" }
    if !newestLink.isSubscribed { return "it connects and does not subscribe" }
    return "came: " + hearing.compactMap { $0.type?.rawValue ?? $0.problem }.joined(separator: ", ")
  }

  override func receive(_ input: AppInput, at now: SimInstant) {
    super.receive(input, at: now)
    if case .subscribed(let id, let characteristic, let isOn) = input, characteristic == dialect.state.uuid {
      link(id)?.isSubscribed = isOn
    }
  }

  override func heardPacket(_ packet: BabPacket, on link: TesterLink) {
    guard answersByItself else { return }
    switch packet.payload {
    case .handshake: say(.handshake(participant), on: link)
    case .clientJoin(let profile):
      if !lobby.connectedPlayers.contains(where: { $0.playerID == profile.playerID }) {
        lobby.connectedPlayers.append(profile)
      }
      say(.lobbyUpdate(lobby), on: link)
    default: break
    }
  }

  /// The state before a game, for a client that has its seat by subscribing.
  private var lobbySnapshot: SessionState {
    var state = SessionState()
    state.mode = .host
    state.connectionStatus = .connected
    state.localPeerID = peerID
    state.scenario = GameScenario.presets.first { $0.id == lobby.selectedScenarioID }
    state.lobbyPlayers = lobby.connectedPlayers.map {
      LobbyPlayer(peerID: $0.playerID, displayName: $0.displayName, assignedRole: nil, isReady: false)
    }
    // Who subscribes has a seat, and need not have introduced itself.
    if !lobby.connectedPlayers.contains(where: { $0.playerID == bed.iut.peerID }) {
      state.lobbyPlayers.append(
        LobbyPlayer(peerID: bed.iut.peerID, displayName: bed.iut.peerID, assignedRole: nil, isReady: false))
    }
    return state
  }

  /// How it introduces itself.
  var participant: Participant { Participant(id: peerID, name: displayName, isHost: true) }

  /// Says something without a step.
  func say(_ payload: PacketPayload, on link: TesterLink) {
    queue(fragments(of: packet(payload).encoded(), on: link), on: link)
  }

  /// Sends the lobby as it now is: in LOBBY_UPDATE, or as the state of the session where that is how it is told.
  func tellLobby() { send(bed.has(.lobbyUpdate) ? .lobbyUpdate(lobby) : .fullStateSnapshot(lobbySnapshot)) }

  /// Says that a game begins, without roles where the profile has that.
  func tellStart() { send(bed.has(.startGame) ? .startGame : .gameStarted) }

  /// A line for a player, as TURN_ADVANCED and DIALOG_LINE_ADDED carry it.
  func line(
    _ id: String, for player: String, text: String = "Good morning", visibility: LineVisibility = .isPrivate
  ) -> DialogLine {
    DialogLine(
      id: id, speakerID: player, roleName: "", textNative: text, textTranslated: text, timestamp: 0,
      assignedToPlayerID: player, visibility: visibility)
  }
}
