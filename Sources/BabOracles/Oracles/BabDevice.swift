package import AppSeam
package import BabSim
import Bench
import BluetoothWire
package import Conformance
package import SimKernel

/// One device as the trace shows it, with what its Bab app shows.
package final class BabDevice: DeviceState {
  /// Nil when the header names a dialect the protocol does not know.
  package let dialect: DialectFacts?

  /// From the app's identity report, and before it what the bench has told a program that it is called; stays after a
  /// kill, a relaunched app may change it.
  package private(set) var peerID: String?
  package private(set) var phase = ""
  package private(set) var linkState = ""
  package private(set) var lobby: LobbyView?
  /// When it showed that lobby.
  package private(set) var lobbyShownAt = SimInstant.zero
  package private(set) var roster: [String]?
  package private(set) var turn: String?
  /// Its person practises alone (BAB 5.10): no lobby has what it shows.
  package internal(set) var isSolo = false
  /// The app said that its session is over, and has not begun another one.
  package internal(set) var hasEnded = false
  /// Games that began after another one, or after a lobby, was shown: points of another number are of another game.
  package private(set) var game = 0
  private var isBetweenGames = false

  override init(index: Int, device: TraceHeader.Device) {
    dialect = DialectFacts.named(device.dialect)
    super.init(index: index, device: device)
    peerID = isForeign ? nil : device.toldPeerID
  }

  /// Whether the trace has all that its app asks for, and it owes the protocol something.
  var isSeenWhole: Bool { !isForeign && !isHostile && !isCaptured }

  package override func forget() {
    phase = ""
    linkState = ""
    lobby = nil
    roster = nil
    turn = nil
    isSolo = false
    hasEnded = false
    isBetweenGames = true
  }

  package override func apply(_ report: AppReport, kind: TraceKind, at instant: SimInstant) {
    guard let report = report.bab else { return }
    switch kind {
    case .identity:
      if case .identity(_, let peerID, _) = report { self.peerID = peerID }
    case .session:
      switch report {
      case .phase(let phase): enter(phase)
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
        link(id)?.bab.peerCalls(itself: sender, cause: causes)
      }
    case .complaint:
      if case .violation(let id, _, _) = report, role == .host { link(id)?.bab.claimWasRefused(cause: causes) }
    default: break
    }
  }

  private func enter(_ phase: String) {
    self.phase = phase
    if phase == "FINISHED" || phase == "LOBBY" { isBetweenGames = true }
    if phase == "ACTIVE", isBetweenGames {
      isBetweenGames = false
      game += 1
    }
  }

  /// A value has come to its app. A client that gets the rest of a packet too late has rightly dropped the packet (BAB
  /// 3.14), and nobody sends it again.
  func take(_ octets: [UInt8], on id: LinkID, at now: SimInstant) {
    guard role == .client, let link = link(id)?.bab else { return }
    link.newestValueAt = now
    if link.isTooLate(octets, at: now) { isDamaged = true }
  }
}

/// One end of a link as its Bab app knows it.
package final class BabLink: LinkState {
  fileprivate unowned let party: BabDevice
  fileprivate unowned let counterpart: BabDevice?
  /// What the peer calls itself in the HANDSHAKE that this host took, and which of the host's inputs that was.
  private var claim: (peerID: String, cause: Int)?
  /// When the newest value came to a client.
  fileprivate var newestValueAt: SimInstant?
  /// The packet that comes in, and when the newest fragment of it came.
  private var packet: (number: UInt16, at: SimInstant)?

  init(id: LinkID, holder: BabDevice, other: BabDevice?, address: BluetoothAddress, openedAt: SimInstant) {
    party = holder
    counterpart = other
    super.init(id: id, owner: holder, peer: other, address: address, openedAt: openedAt)
  }

  fileprivate var counterpartID: String? {
    if let claim { return claim.peerID }
    return counterpart.flatMap { $0.isForeign ? nil : $0.peerID }
  }

  fileprivate func peerCalls(itself peerID: String, cause: Int) {
    if claim == nil { claim = (peerID, cause) }
  }

  /// Whether a value continues a packet of which nothing has come for too long. The packets of a link come one after
  /// the other (BAB 5.9.1). Values without fragment headers begin none: no text has 0 for its third octet.
  fileprivate func isTooLate(_ octets: [UInt8], at now: SimInstant) -> Bool {
    guard let header = FragmentHeader(octets) else { return false }
    let begun = packet
    if header.index > 0, begun?.number != header.packetID { return false }
    packet = Int(header.index) + 1 < Int(header.count) ? (number: header.packetID, at: now) : nil
    guard header.index > 0, let begun else { return false }
    return now - begun.at >= Bounds.packetExpires
  }

  /// A violation in the same breath means that the host did not take the HANDSHAKE.
  fileprivate func claimWasRefused(cause: Int) {
    if claim?.cause == cause { claim = nil }
  }
}

/// Every link of a `BabRunState` is a `BabLink`.
extension LinkState {
  fileprivate var bab: BabLink { unsafeDowncast(self, to: BabLink.self) }
  /// Who is at the other end: what it called itself in its HANDSHAKE, or else, unless it is from outside, what its app
  /// reports.
  var peerID: String? { bab.counterpartID }
  /// When the newest value came to a client.
  var heardAt: SimInstant? { bab.newestValueAt }
  /// `owner` and `peer`, as Bab's devices.
  var holder: BabDevice { bab.party }
  var other: BabDevice? { bab.counterpart }
}
