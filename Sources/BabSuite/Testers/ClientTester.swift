import AppSeam
import BabOracles
import BabSim
import BluetoothWire
import Conformance
import SimKernel

/// A lower tester that plays a client.
final class ClientTester: LowerTester {
  /// How far it goes by itself once it has been told to join.
  enum Stage: Int, Comparable {
    case idle, scanning, connected, attMTU, discovered, subscribed, greeted, joined
    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  /// When it last began to look for the host.
  private(set) var soughtSince = SimInstant.zero
  /// What it has reached on its newest link.
  private(set) var stage = Stage.idle
  private var goal = Stage.idle
  /// The host it looks for; the implementation under test, unless a procedure says otherwise.
  lazy var target: BluetoothAddress = bed.iut.address
  /// The ATT_MTU it asks for; nil: it does not ask.
  lazy var wishedATTMTU: Int? = dialect.wishedATTMTU
  /// The characteristics it subscribes to, in order.
  lazy var subscribesTo: [BluetoothUUID] = dialect.notifying.map(\.uuid)
  var writesWithResponse = true
  var displayName: String { name }
  /// What discovery found; nil before.
  private(set) var found: [ServiceDefinition.Characteristic]?
  private(set) var subscriptions: [BluetoothUUID] = []
  private(set) var connectFailures: [(instant: SimInstant, reason: HCI.ErrorCode)] = []
  private(set) var valuesRead: [(characteristic: BluetoothUUID, octets: [UInt8]?)] = []

  override var firstPackets: [(type: PacketType, clause: String)] { Self.clausesOfHosts }
  override var path: TesterLink.Path { writesWithResponse ? .write : .writeWithoutResponse }
  override var outgoing: BluetoothUUID { dialect.command.uuid }

  // MARK: Joining

  /// Begins to join and goes on by itself up to a stage; does not wait.
  /// - Returns: false when the case is played without it.
  @discardableResult
  func begin(upTo goal: Stage = .joined) -> Bool {
    guard gives("looks for the host" + (goal == .joined ? " and joins" : ", up to \(goal)")) else { return false }
    self.goal = goal
    if let link, link.isUp {
      goOn()
      return true
    }
    stage = .scanning
    soughtSince = bed.now
    ask(.scan(services: dialect.scanFilter))
    return true
  }

  /// Joins, and waits until the lobby lists it.
  func join(upTo goal: Stage = .joined, within limit: SimDuration = .seconds(10)) throws {
    if begin(upTo: goal) { try reach(goal, within: limit) }
  }

  /// Waits for a stage that `begin` leads to.
  func reach(_ goal: Stage, within limit: SimDuration = .seconds(10)) throws {
    try bed.expect("\(name) is \(goal)", within: limit, actual: { self.progress }, cause: { self.missingStep }) {
      stage >= goal
    }
  }

  private var progress: String {
    switch stage {
    case .idle, .scanning:
      advertisements.isEmpty ? "no advertiser of the dialect's rule was found" : "no connection came about"
    default:
      (isConnected ? answered : "its link was ended")
        + (hearing.last { $0.problem != nil }?.problem.map { "; it was sent what is no packet: " + $0 } ?? "")
    }
  }

  /// What the implementation has answered on the way, the last thing.
  private var answered: String {
    switch stage {
    case .idle, .scanning, .connected: "the link came about, and nothing was answered on it"
    case .attMTU: "the ATT_MTU was exchanged, and the service not found"
    case .discovered: "the service was found, and the subscriptions were not taken"
    case .subscribed: "the subscriptions were taken"
    case .greeted, .joined:
      if hearing.isEmpty { "HANDSHAKE was taken, and nothing sent" } else { "came: " + names(of: hearing) }
    }
  }

  /// Every LOBBY_UPDATE tells; the newest one counts.
  var lobby: LobbyState? {
    bed.uses(.lobbyUpdate)
    return newest { if case .lobbyUpdate(let lobby)? = $0.packet?.payload { lobby } else { nil } }
  }

  /// The ids the newest lobby lists.
  var lobbyIDs: [String] { lobby?.connectedPlayers.map(\.playerID) ?? [] }

  override func receive(_ input: AppInput, at now: SimInstant) {
    super.receive(input, at: now)
    switch input {
    case .discovered(let advertisement): discovered(advertisement)
    case .connected:
      stage = .connected
      found = nil
      subscriptions = []
      goOn()
    case .connectFailed(_, let reason):
      connectFailures.append((now, reason))
      if stage == .scanning, goal > .scanning { ask(.scan(services: dialect.scanFilter)) }
    case .disconnected(_, .connectionFailedToBeEstablished) where stage < goal:
      // The host never heard CONNECT_IND, or was busy with other links: no link as far as it knows, so try again.
      stage = .scanning
      ask(.scan(services: dialect.scanFilter))
    case .disconnected: break
    case .attMTU where stage == .connected:
      stage = .attMTU
      goOn()
    case .servicesDiscovered(_, _, let characteristics):
      found = characteristics
      stage = max(stage, .discovered)
      goOn()
    case .subscribed(_, let characteristic, let isOn):
      if isOn { subscriptions.append(characteristic) } else { subscriptions.removeAll { $0 == characteristic } }
      // Refused: asking again would be refused again, at the same instant, without end.
      if !isOn, stage == .discovered { goal = .discovered }
      if stage == .discovered, subscriptions.count == subscribesTo.count {
        stage = .subscribed
        link?.isSubscribed = true
      }
      goOn()
    case .valueRead(_, let characteristic, let octets): valuesRead.append((characteristic, octets))
    default: break
    }
  }

  private func discovered(_ advertisement: Advertisement) {
    guard stage == .scanning, goal > .scanning, dialect.isHost(advertisement), advertisement.address == target else {
      return
    }
    ask(.stopScanning)
    ask(.connect(advertisement.address))
  }

  /// The next thing to do on the way to the goal.
  private func goOn() {
    guard let link, stage < goal else { return }
    switch stage {
    case .connected:
      if let wishedATTMTU {
        ask(.exchangeMTU(link.id, wishedATTMTU))
      } else {
        stage = .attMTU
        goOn()
      }
    case .attMTU: ask(.discover(link.id, service: dialect.service))
    case .discovered:
      guard subscriptions.count < subscribesTo.count else {
        stage = .subscribed
        return goOn()
      }
      ask(.subscribe(link.id, characteristic: subscribesTo[subscriptions.count], true))
    case .subscribed:
      say(greeting, on: link)
      if goal == .joined, !bed.seatsOnSubscription { say(request, on: link) }
      stage = goal == .joined && bed.seatsOnSubscription ? .joined : .greeted
      if goal == .greeted { return }
    default: break
    }
  }

  private func say(_ payload: PacketPayload, on link: TesterLink) {
    queue(fragments(of: packet(payload).encoded(), on: link), on: link)
  }

  override func heardPacket(_ packet: BabPacket, on link: TesterLink) {
    guard case .lobbyUpdate(let lobby) = packet.payload, stage == .greeted else { return }
    if lobby.connectedPlayers.contains(where: { $0.playerID == peerID }) { stage = .joined }
  }

  // MARK: One thing at a time

  /// Its own HANDSHAKE.
  var greeting: PacketPayload { .handshake(Participant(id: peerID, name: displayName)) }
  /// Its own CLIENT_JOIN.
  var request: PacketPayload { .clientJoin(LobbyProfile(playerID: peerID, displayName: displayName)) }

  func greet() { send(greeting) }
  /// Where a seat is taken by subscribing, it has one.
  func askForSeat() { if !bed.seatsOnSubscription { send(request) } }
  func askForRole(_ role: String) { send(.roleAssigned(playerID: peerID, roleID: role)) }
  func setReady(_ isReady: Bool = true) { send(.playerReady(playerID: peerID, isReady: isReady)) }

  func complete(_ lineID: String, accuracy: Float = 1, errors: Int32 = 0, milliseconds: Int64 = 2_000) {
    let result = PronunciationResult(
      errorCount: errors, accuracy: accuracy, wordErrors: [], skipped: false, duration: milliseconds)
    send(.lineCompleted(lineID: lineID, result: result))
  }

  /// Reads a characteristic and waits for the answer; nil when it was refused.
  func read(_ characteristic: BluetoothUUID) throws -> [UInt8]? {
    guard gives("reads \(characteristic)") else { return nil }
    let count = valuesRead.count
    guard let link else { throw bed.inconclusive("\(name) has no link to read on") }
    ask(.read(link.id, characteristic: characteristic))
    let came = try bed.wait(.seconds(5)) { valuesRead.count > count }
    return came ? valuesRead[count].octets : nil
  }

  /// The newest TURN_ADVANCED: whose turn it is, and the line.
  var turn: (player: String, line: DialogLine?)? {
    newest { $0.packet?.advancedTurn }
  }
}
