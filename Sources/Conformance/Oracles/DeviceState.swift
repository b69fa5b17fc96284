public import BabSim
public import BluetoothWire
public import SimKernel

/// One device as the trace shows it.
public final class DeviceState {
  public let index: Int
  public let name: String
  public let role: AppRole
  public let address: BluetoothAddress
  /// Its host stack and app are not ours: the trace has nothing from inside it, and what it is told is unknown.
  public let isForeign: Bool
  /// Nil when the header names a dialect the protocol does not know.
  public let dialect: DialectFacts?

  /// From the app's identity report; stays after a kill, a relaunched app may change it.
  public internal(set) var peerID: String?
  /// Counts launches.
  public internal(set) var generation = 0
  /// In order of opening; of the present run of the app only.
  public internal(set) var links: [LinkState] = []
  /// The newest input: what the app reports or does now, it does because of this.
  public internal(set) var cause: AppInput?
  /// Counts inputs, so that what one input brought forth can be told from what came before.
  private(set) var causes = 0

  public internal(set) var phase = ""
  public internal(set) var linkState = ""
  public internal(set) var lobby: LobbyView?
  /// When it showed that lobby.
  public internal(set) var lobbyShownAt = SimInstant.zero
  public internal(set) var roster: [String]?
  public internal(set) var turn: String?
  /// The app said that its session is over, and has not begun another one.
  public internal(set) var hasEnded = false

  /// A broken stack has dropped, reordered or corrupted values on the link in use: what this client shows may rightly
  /// differ from its host, because Bab has neither checksums nor repeats.
  public internal(set) var isDamaged = false

  public internal(set) var isVanished = false
  public internal(set) var isRadioOff = false
  public internal(set) var isKilled = false
  public internal(set) var isInBackground = false

  init(index: Int, device: TraceHeader.Device) {
    self.index = index
    name = device.name
    role = device.role
    address = device.address
    isForeign = device.engine == TraceHeader.foreignEngine
    dialect = DialectFacts.named(device.dialect)
  }

  /// Whether nothing the bench did keeps this device from talking at once.
  var isReachable: Bool { !isVanished && !isRadioOff && !isKilled && !isInBackground }

  /// The link of the present run of the app, newest first because links are few and the newest is in use.
  func link(_ id: LinkID) -> LinkState? { links.last { $0.id == id } }

  func take(_ input: AppInput) {
    cause = input
    causes += 1
  }

  func closeLinks(at instant: SimInstant) {
    for link in links where link.isUp { link.close(at: instant) }
  }

  /// Links that have ended are forgotten beyond this many.
  private static let linkLimit = 32

  func append(_ link: LinkState) {
    if links.count >= Self.linkLimit { links.removeAll { !$0.isUp } }
    links.append(link)
  }

  func relaunch(at instant: SimInstant) {
    closeLinks(at: instant)
    links.removeAll()
    generation += 1
    phase = ""
    linkState = ""
    lobby = nil
    roster = nil
    turn = nil
    hasEnded = false
    isDamaged = false
    isKilled = false
  }

  func apply(_ report: AppReport, kind: TraceKind, at instant: SimInstant) {
    switch kind {
    case .identity:
      if case .identity(_, let peerID, _) = report { self.peerID = peerID }
    case .session:
      switch report {
      case .phase(let phase): self.phase = phase
      case .linkState(let linkState):
        self.linkState = linkState
        if linkState == "CONNECTED" { hasEnded = false }
      case .sessionEnded: hasEnded = true
      default: break
      }
    case .roster:
      if case .lobby(let lobby) = report {
        self.lobby = lobby
        lobbyShownAt = instant
      }
      if case .roster(let roster) = report { self.roster = roster }
    case .turn:
      if case .turn(let player) = report { turn = player }
    case .packetReceived:
      if case .packetReceived(let id, let type, let sender, _) = report, role == .host, type == "HANDSHAKE" {
        link(id)?.peerCalls(itself: sender, cause: causes)
      }
    case .complaint:
      if case .violation(let id, _, _) = report, role == .host { link(id)?.claimWasRefused(cause: causes) }
    default: break
    }
  }
}

/// One end of a link as its app knows it.
public final class LinkState {
  public let id: LinkID
  public unowned let owner: DeviceState
  /// The device at the other end; nil for an address the header does not know: a stranger, or a device from outside
  /// that uses a random address.
  public unowned let peer: DeviceState?
  public let peerAddress: BluetoothAddress
  public let openedAt: SimInstant
  /// The other end of the same connection, once both ends have been seen.
  public internal(set) weak var partner: LinkState?
  public internal(set) var isUp = true
  /// When this end saw the link end, nil while it is up.
  public internal(set) var closedAt: SimInstant?
  public internal(set) var isSubscribed = false
  /// The default of Core v5.4, Vol 3, Part G, 5.2.1 until the app is told another one.
  public internal(set) var attMTU = 23

  /// What a peer from outside calls itself in the HANDSHAKE that this host took, and which of the host's inputs that
  /// was.
  private var claim: (peerID: String, cause: Int)?

  init(id: LinkID, owner: DeviceState, peer: DeviceState?, address: BluetoothAddress, openedAt: SimInstant) {
    self.id = id
    self.owner = owner
    self.peer = peer
    peerAddress = address
    self.openedAt = openedAt
  }

  /// Whether nothing of the other end is in the trace.
  public var leadsOutside: Bool { peer?.isForeign ?? true }

  /// Who is at the other end: what its app reports, or for a peer from outside what it calls itself.
  public var peerID: String? {
    if let peer, !peer.isForeign { return peer.peerID }
    return claim?.peerID
  }

  fileprivate func peerCalls(itself peerID: String, cause: Int) {
    if leadsOutside, claim == nil { claim = (peerID, cause) }
  }

  /// A violation in the same breath means that the host did not take the HANDSHAKE.
  fileprivate func claimWasRefused(cause: Int) {
    if claim?.cause == cause { claim = nil }
  }

  func close(at instant: SimInstant) {
    isUp = false
    closedAt = instant
  }
}
