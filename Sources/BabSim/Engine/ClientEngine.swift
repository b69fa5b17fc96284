public import AppSeam
import BluetoothWire
public import SimKernel

/// The reference client: GAP Central, GATT client, a mirror of the host's state.
///
/// Spec: BAB 1 to 9. Split by concern: discovery, links and reconnection, packets, the mirrored game, user actions.
public final class ClientEngine: AppEngine {
  /// Where the client is on its way to a host.
  enum Stage: Equatable {
    case idle
    case scanning
    /// A connection was asked for.
    case connecting(BluetoothAddress)
    /// The next attempt is a timer away; nil = a new scan.
    case backingOff(BluetoothAddress?)
    /// Connected; characteristics, subscriptions and the seat in the lobby are still to come.
    case joining
    case joined
  }

  let configuration: BabConfiguration
  let dialect: Dialect
  let peerID: String

  var effects: [AppEffect] = []
  var now = SimInstant.zero
  var clock = VectorClock()
  var sender: PacketSender
  var receiver: PacketReceiver
  var backOff: RandomStream

  // Link
  var stage = Stage.idle
  var isRadioOn = true
  var link: LinkID?
  /// The address of the only host that it joins, as its person has picked it; nil: whichever it finds first.
  var pickedHost: String?
  /// Consecutive attempts that did not end in the lobby.
  var attempts = 0
  /// Clean disconnections before a seat: the host does not want this client.
  var refusals = 0
  var hostAddress: BluetoothAddress?
  var hostName: String?
  /// Addresses that looked like a host and had no such service.
  var strangers: [BluetoothAddress] = []
  var awaitedSubscriptions: [BluetoothUUID] = []
  /// Set while the client tries to come back.
  var reconnectDeadline: SimInstant?

  // Mirror of the host's state
  /// The sender of the first packet on this link.
  var hostID: String?
  var phase = GamePhase.lobby
  var lobby = LobbyState()
  var roles: [PlayerRole] = []
  var turnPlayerID: String?
  var pendingLine: DialogLine?
  /// Private lines that were announced and are not yet committed; bounded by `announcedLimit`.
  var announced: [DialogLine] = []
  var history: [DialogLine] = []
  /// The identifiers of the lines in it.
  var committed: Set<String> = []
  /// A line this client has completed or skipped already, while the host's word is still to come.
  var answeredLineID: String?
  var turnStart = SimInstant.zero
  var vote: OpenVote?

  var solo: SoloSession?
  var shown = ShownState()

  /// A role and whether its player is ready.
  struct PlayerRole {
    var player: String
    var role: String
    var isReady = false
  }

  static let announcedLimit = 64

  public init(configuration: BabConfiguration) {
    self.configuration = configuration
    dialect = configuration.dialect
    peerID = configuration.peerID
    sender = PacketSender(path: .write, dialect: configuration.dialect)
    receiver = PacketReceiver(framing: configuration.dialect.framing)
    backOff = RandomStream(seed: configuration.seed, component: configuration.peerID, purpose: "bab-back-off")
  }

  public func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    self.now = now
    switch input {
    case .valueReceived(let link, let characteristic, let octets): valueReceived(link, characteristic, octets)
    case .writeCompleted(let link, _, let error): writeCompleted(link, error)
    case .submitted(let link, _, let accepted): valueSubmitted(link, accepted)
    case .readyToSend(let link): sender.readyToSend(link, &effects)
    case .user(let action): if let action = action.bab { perform(action) }
    case .timer(let timer): timerFired(timer)
    case .launched: launched()
    case .radioPower(let isOn): radioPower(isOn)
    case .background(let isBackground): if !isBackground { resumeScan() }
    case .discovered(let advertisement): discovered(advertisement)
    case .connected(let link, let address): connected(link, address)
    case .connectFailed(let address, _): connectFailed(address)
    case .disconnected(let link, let reason): disconnected(link, reason)
    case .attMTU(let link, let attMTU): sender.setATTMTU(attMTU, link)
    case .servicesDiscovered(let link, let service, let found): servicesDiscovered(link, service, found)
    case .subscribed(let link, let characteristic, let isOn): subscribed(link, characteristic, isOn)
    case .advertisingStarted, .valueRead, .network, .gatt, .gap, .channel: break
    }
    var result: [AppEffect] = []
    swap(&result, &effects)
    return result
  }

  private func launched() {
    report(.identity(role: .client, peerID: peerID, displayName: configuration.displayName))
    showPhase()
    showLinkState(.disconnected)
  }

  private func timerFired(_ timer: TimerID) {
    switch timer {
    case EngineTimer.heartbeat: sendHeartbeat()
    case EngineTimer.vote: endVote(passed: false)
    case EngineTimer.scanTimeout: scanTimedOut()
    case EngineTimer.connectTimeout: connectTimedOut()
    case EngineTimer.retry: retry()
    case EngineTimer.reconnectDeadline: giveUp("host gone")
    default:
      switch EngineTimer.linkTimer(timer) {
      case .join(let link): joinTimedOut(link)
      case .pause(let link): sender.pauseOver(link, &effects)
      case .partials(let link): if link == self.link { receiver.expire(link, now: now, &effects) }
      case nil: break
      }
    }
  }

  var isPlaying: Bool { phase == .active || phase == .voting }

  func report(_ report: BabReport) { effects.append(.report(report)) }

  func showPhase() {
    guard phase != shown.phase else { return }
    shown.phase = phase
    report(.phase(phase.rawValue))
  }

  func showLinkState(_ state: ConnectionStatus) {
    guard state != shown.linkState else { return }
    shown.linkState = state
    report(.linkState(state.rawValue))
  }
}
