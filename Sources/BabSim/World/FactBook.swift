import BluetoothWire
import SimKernel

/// What is known of each device from its inputs and reports: what conditions and expectations are decided by.
///
/// A device whose app is not ours shows nothing itself; of such a client the host's app tells who it is, that it is in
/// the lobby, its role, and so on. Facts that nobody tells are left out of every condition: see
/// `Condition.Fact.canBeAsked`.
struct FactBook {
  private struct Page {
    var peerID: String?
    var displayName: String?
    var lobby: LobbyView?
    var phase: String?
    var linkState: String?
    var turn: String?
    var hasEnded = false
    var hasResumed = false
    var isReady = false
    var role: String?
    var committed: [String] = []
    var leaderboard: [LeaderboardRow]?
    var hasSummary = false
    var links: [(link: LinkID, attMTU: Int, peer: Int?)] = []
    /// The newest HANDSHAKE of a client from outside, which the host may yet refuse: what it was called before.
    var unsettled: (link: LinkID, before: String?)?
    var refusals = 0
    var violations = 0
    var packets: [(type: String, count: Int)] = []
    var advertisedName: String?
  }

  private var pages: [Page]
  private let roles: [AppRole]
  /// Whose apps are not ours.
  private let isForeign: [Bool]

  init(devices roles: [AppRole], isForeign: [Bool]) {
    self.roles = roles
    self.isForeign = isForeign
    pages = Array(repeating: Page(), count: roles.count)
  }

  func phase(of device: Int) -> String? { pages[device].phase }
  func linkState(of device: Int) -> String? { pages[device].linkState }
  func peerID(of device: Int) -> String? { pages[device].peerID }

  // MARK: Reading

  /// - Parameter peer: for a new link the device at its other end, for a discovery the advertiser; nil when unknown.
  mutating func read(_ input: AppInput, device: Int, peer: Int?) {
    switch input {
    case .launched:
      let kept = pages[device]
      pages[device] = Page()
      pages[device].refusals = kept.refusals
      pages[device].violations = kept.violations
      pages[device].packets = kept.packets
      pages[device].advertisedName = kept.advertisedName
    case .radioPower(false): pages[device].links.removeAll()
    case .connected(let link, _): pages[device].links.append((link, 23, peer))
    case .disconnected(let link, _): pages[device].links.removeAll { $0.link == link }
    case .attMTU(let link, let mtu):
      if let index = pages[device].links.firstIndex(where: { $0.link == link }) {
        pages[device].links[index].attMTU = mtu
      }
    case .discovered(let advertisement):
      if let advertiser = peer {
        pages[advertiser].advertisedName = advertisement.localName ?? pages[advertiser].advertisedName
      }
    default: break
    }
  }

  mutating func read(_ report: AppReport, device: Int) {
    switch report {
    case .identity(_, let peerID, let displayName):
      pages[device].peerID = peerID
      pages[device].displayName = displayName
    case .phase(let phase): pages[device].phase = phase
    case .linkState(let state): pages[device].linkState = state
    case .lobby(let lobby): pages[device].lobby = lobby
    case .turn(let player): pages[device].turn = player
    case .sessionEnded: pages[device].hasEnded = true
    case .resumed: pages[device].hasResumed = true
    case .ready(let player, let isReady):
      if player == pages[device].peerID { pages[device].isReady = isReady }
      if let outsider = outsider(player, toldBy: device) { pages[outsider].isReady = isReady }
    case .role(let player, let role):
      if player == pages[device].peerID { pages[device].role = role }
      if let outsider = outsider(player, toldBy: device) { pages[outsider].role = role }
    case .committed(let index, let lineID, _):
      if index < pages[device].committed.count {
        pages[device].committed[index] = lineID
      } else {
        pages[device].committed.append(lineID)
      }
    case .historyReplaced(let ids): pages[device].committed = ids
    case .leaderboard(let rows): pages[device].leaderboard = rows
    case .summary: pages[device].hasSummary = true
    case .refused: pages[device].refusals += 1
    case .violation(let link, _, _):
      pages[device].violations += 1
      refuseName(link, device)
    case .packetReceived(let link, let type, let sender, _):
      learnName(sender, type: type, link, device)
      if let index = pages[device].packets.firstIndex(where: { $0.type == type }) {
        pages[device].packets[index].count += 1
      } else {
        pages[device].packets.append((type, 1))
      }
    default: break
    }
  }

  // MARK: Clients from outside

  /// What a client from outside calls itself in its HANDSHAKE is its id, unless the host refuses it in the same breath.
  private mutating func learnName(_ sender: String, type: String, _ link: LinkID, _ device: Int) {
    guard device == 0, !isForeign[0], let outsider = outsider(at: link) else { return }
    pages[outsider].unsettled = nil
    guard type == "HANDSHAKE" else { return }
    pages[outsider].unsettled = (link, pages[outsider].peerID)
    pages[outsider].peerID = sender
  }

  private mutating func refuseName(_ link: LinkID, _ device: Int) {
    guard device == 0, let outsider = outsider(at: link), let unsettled = pages[outsider].unsettled else { return }
    pages[outsider].peerID = unsettled.before
    pages[outsider].unsettled = nil
  }

  /// The client from outside at the other end of a link of the host.
  private func outsider(at link: LinkID) -> Int? {
    pages[0].links.first { $0.link == link }?.peer.flatMap { isForeign[$0] ? $0 : nil }
  }

  private func outsider(_ player: String, toldBy device: Int) -> Int? {
    guard device == 0, isForeign.contains(true) else { return nil }
    return pages.indices.first { isForeign[$0] && pages[$0].peerID == player }
  }

  // MARK: Deciding

  func holds(_ condition: Condition) -> Bool {
    switch condition {
    case .all(let parts): parts.allSatisfy(holds)
    case .any(let parts): parts.contains(where: holds)
    case .devices(let devices, let quantifier, let fact): holds(fact, fact.asked(of: devices, isForeign), quantifier)
    }
  }

  /// Of nobody who can be asked nothing holds.
  private func holds(_ fact: Condition.Fact, _ devices: [Int], _ quantifier: Condition.Quantifier) -> Bool {
    if devices.isEmpty { return false }
    switch quantifier {
    case .every: return devices.allSatisfy { holds(fact, $0) }
    case .any: return devices.contains { holds(fact, $0) }
    case .none: return !devices.contains { holds(fact, $0) }
    }
  }

  private func holds(_ fact: Condition.Fact, _ device: Int) -> Bool {
    let page = pages[device]
    let host = pages[0]
    switch fact {
    case .inLobby:
      // What a host from outside shows is unknown; what it told the client is in the client's own lobby.
      guard let players = (isForeign[0] ? page : host).lobby?.players else { return false }
      return players.contains { $0 == page.peerID || $0 == page.displayName }
    case .lobbyEqualsHost: return page.lobby != nil && page.lobby == host.lobby
    case .phase(let phase): return page.phase == phase
    case .linkState(let state): return page.linkState == state
    case .onTurn:
      let turn = isForeign[device] ? host.turn : page.turn
      return turn != nil && turn == page.peerID
    case .sessionEnded: return page.hasEnded
    case .resumed: return page.hasResumed
    case .ready: return page.isReady
    case .role(let role): return page.role == role
    case .linesEqualHost: return page.committed == host.committed
    case .leaderboardEqualsHost: return page.leaderboard != nil && page.leaderboard == host.leaderboard
    case .summaryShown: return page.hasSummary
    case .advertisedNameContains(let text): return page.advertisedName.map { Self.contains($0, text) } ?? false
    case .count(let counted, let comparison, let bound): return comparison.holds(count(counted, page), bound)
    }
  }

  private func count(_ counted: Condition.Counted, _ page: Page) -> Int {
    switch counted {
    case .links: page.links.count
    case .committedLines: page.committed.count
    case .lobbyPlayers: page.lobby?.players.count ?? 0
    case .refusals: page.refusals
    case .violations: page.violations
    case .packets(let type): page.packets.first { $0.type == type }?.count ?? 0
    case .attMTU: page.links.map(\.attMTU).min() ?? 0
    }
  }

  /// One line on how a condition stands, for a failed expectation.
  func detail(_ condition: Condition, names: [String]) -> String {
    switch condition {
    case .all(let parts), .any(let parts):
      return parts.filter { !holds($0) }.map { detail($0, names: names) }.joined(separator: "; ")
    case .devices(let devices, let quantifier, let fact):
      let asked = fact.asked(of: devices, isForeign)
      if asked.isEmpty { return "nobody here can be asked" }
      let missing = asked.filter { holds(fact, $0) == (quantifier == .none) }
      return missing.map { "\(names[$0]): \(value(fact, $0))" }.joined(separator: ", ")
    }
  }

  private func value(_ fact: Condition.Fact, _ device: Int) -> String {
    let page = pages[device]
    return switch fact {
    case .inLobby:
      isForeign[0]
        ? "its own lobby has \(page.lobby?.players.joined(separator: " ") ?? "nobody")"
        : "the host's lobby has \(pages[0].lobby?.players.joined(separator: " ") ?? "nobody")"
    case .lobbyEqualsHost: "its lobby has \(page.lobby?.players.joined(separator: " ") ?? "nobody")"
    case .phase: "phase \(page.phase ?? "none")"
    case .linkState: "link state \(page.linkState ?? "none")"
    case .onTurn: "the turn is of \((isForeign[device] ? pages[0] : page).turn ?? "nobody")"
    case .sessionEnded: page.hasEnded ? "its session has ended" : "its session goes on"
    case .resumed: page.hasResumed ? "has resumed" : "has not resumed"
    case .ready: page.isReady ? "is ready" : "is not ready"
    case .role: "role \(page.role ?? "none")"
    case .linesEqualHost: "\(page.committed.count) lines, the host \(pages[0].committed.count)"
    case .leaderboardEqualsHost:
      page.leaderboard == nil ? "no leaderboard" : "another leaderboard than the host's"
    case .summaryShown: page.hasSummary ? "shows a summary" : "shows no summary"
    case .advertisedNameContains: "advertises \(page.advertisedName.map { "“\($0)”" } ?? "no name")"
    case .count(let counted, _, _): "has \(count(counted, page))"
    }
  }

  private static func contains(_ text: String, _ part: String) -> Bool {
    let text = Array(text.utf8)
    let part = Array(part.utf8)
    if part.isEmpty { return true }
    if part.count > text.count { return false }
    return (0...(text.count - part.count)).contains { Array(text[$0..<($0 + part.count)]) == part }
  }
}
