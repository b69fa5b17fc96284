import AppSeam
import Bench

/// What is known of the players of a run from what they are told and show.
///
/// A device whose app is not ours shows nothing itself; of such a client the host's app tells who it is, that it is in
/// the lobby, its role, and so on.
final class BabFacts: AppFacts {
  struct Page {
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
    /// Links that are up, with the device at the other end.
    var links: [(link: LinkID, peer: Int?)] = []
    /// The newest HANDSHAKE of a client from outside, which the host may yet refuse: what it was called before.
    var unsettled: (link: LinkID, before: String?)?
    var refusals = 0
    var violations = 0
    var packets: [(type: String, count: Int)] = []
    /// A line was committed further on than those that are known end.
    var hasGap = false
  }

  let cast: AppCast
  /// Whose people read their lines on their own.
  let autoplay: Autoplay?
  private(set) var pages: [Page]

  init(_ cast: AppCast, _ autoplay: Autoplay?) {
    self.cast = cast
    self.autoplay = autoplay
    pages = cast.members.map { Page(peerID: $0.isForeign ? nil : $0.toldPeerID) }
  }

  let readsValues = false

  func peerID(of device: Int) -> String? { pages[device].peerID }

  func columns(of device: Int) -> [RunOutcome.Column] {
    [
      RunOutcome.Column(key: "phase", title: "phase", value: pages[device].phase ?? ""),
      RunOutcome.Column(key: "linkState", title: "link state", value: pages[device].linkState ?? ""),
    ]
  }

  /// The page of the host of a device's lobby; its own when there is no host.
  private func hostPage(of device: Int) -> Page { pages[cast.members[device].leader ?? device] }

  /// Whether what the host told a device is known from the device only: the host's app is not ours, or does not report
  /// its lobby.
  private func knowsLobbyItself(_ device: Int) -> Bool {
    guard let leader = cast.members[device].leader else { return false }
    return isLedFromOutside(device) || cast.members[leader].isProgram && pages[leader].lobby == nil
  }

  private func isLedFromOutside(_ device: Int) -> Bool {
    cast.members[device].leader.map { cast.members[$0].isForeign } ?? false
  }

  // MARK: Reading

  func read(_ input: AppInput, device: Int, peer: Int?) {
    switch input {
    case .launched:
      let kept = pages[device]
      pages[device] = Page(peerID: cast.members[device].isForeign ? nil : cast.members[device].toldPeerID)
      pages[device].refusals = kept.refusals
      pages[device].violations = kept.violations
      pages[device].packets = kept.packets
    case .radioPower(false): pages[device].links.removeAll()
    case .connected(let link, _): pages[device].links.append((link, peer))
    case .disconnected(let link, _): pages[device].links.removeAll { $0.link == link }
    default: break
    }
  }

  func read(_ report: AppReport, device: Int) {
    guard let report = report.bab else { return }
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
        if index > pages[device].committed.count { pages[device].hasGap = true }
        pages[device].committed.append(lineID)
      }
    case .historyReplaced(let ids): pages[device].committed = ids
    case .leaderboard(let rows): pages[device].leaderboard = rows
    case .summary: pages[device].hasSummary = true
    default: readWire(report, device)
    }
  }

  private func readWire(_ report: BabReport, _ device: Int) {
    switch report {
    case .refused: pages[device].refusals += 1
    case .violation(let link, _, _):
      pages[device].violations += 1
      forgetRefusedName(link, device)
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
  private func learnName(_ sender: String, type: String, _ link: LinkID, _ device: Int) {
    guard isOwnHost(device), let outsider = outsider(at: link, of: device) else { return }
    pages[outsider].unsettled = nil
    guard type == PacketType.handshake.rawValue else { return }
    pages[outsider].unsettled = (link, pages[outsider].peerID)
    pages[outsider].peerID = sender
  }

  private func forgetRefusedName(_ link: LinkID, _ device: Int) {
    guard isOwnHost(device), let outsider = outsider(at: link, of: device),
      let unsettled = pages[outsider].unsettled
    else { return }
    pages[outsider].peerID = unsettled.before
    pages[outsider].unsettled = nil
  }

  private func isOwnHost(_ device: Int) -> Bool {
    cast.members[device].leader == device && !cast.members[device].isForeign
  }

  /// The client from outside at the other end of a link of a host.
  private func outsider(at link: LinkID, of host: Int) -> Int? {
    pages[host].links.first { $0.link == link }?.peer.flatMap { cast.members[$0].isForeign ? $0 : nil }
  }

  private func outsider(_ player: String, toldBy device: Int) -> Int? {
    guard isOwnHost(device), cast.hasForeign else { return nil }
    return pages.indices.first { cast.members[$0].isForeign && pages[$0].peerID == player }
  }

  // MARK: Deciding

  func holds(_ fact: AppFact, device: Int) -> Bool {
    guard let fact = fact.statement as? BabFact else { return false }
    let page = pages[device]
    let hasHost = cast.members[device].leader != nil
    switch fact {
    case .inLobby:
      // Where the lobby that a host shows is unknown, what it told the client is in the client's own.
      guard let players = (knowsLobbyItself(device) ? page : hostPage(of: device)).lobby?.players else { return false }
      return players.contains { $0 == page.peerID || $0 == page.displayName }
    case .lobbyEqualsHost: return hasHost && page.lobby != nil && page.lobby == hostPage(of: device).lobby
    case .phase(let phase): return page.phase == phase
    case .linkState(let state): return page.linkState == state
    case .onTurn:
      let turn = cast.members[device].isForeign ? hostPage(of: device).turn : page.turn
      return turn != nil && turn == page.peerID
    case .sessionEnded: return page.hasEnded
    case .resumed: return page.hasResumed
    case .ready: return page.isReady
    case .role(let role): return page.role == role
    case .linesEqualHost: return hasHost && page.committed == hostPage(of: device).committed
    case .leaderboardEqualsHost:
      return hasHost && page.leaderboard != nil && page.leaderboard == hostPage(of: device).leaderboard
    case .summaryShown: return page.hasSummary
    case .count(let counted, let comparison, let bound): return comparison.holds(count(counted, page), bound)
    }
  }

  private func count(_ counted: BabFact.Counted, _ page: Page) -> Int {
    switch counted {
    case .committedLines: page.committed.count
    case .lobbyPlayers: page.lobby?.players.count ?? 0
    case .refusals: page.refusals
    case .violations: page.violations
    case .packets(let type): page.packets.first { $0.type == type }?.count ?? 0
    }
  }

  func detail(_ fact: AppFact, device: Int) -> String {
    guard let fact = fact.statement as? BabFact else { return "" }
    if fact.comparesWithLeader, cast.members[device].leader == nil { return "there is no host to agree with" }
    let page = pages[device]
    let host = hostPage(of: device)
    return switch fact {
    case .inLobby:
      knowsLobbyItself(device)
        ? "its own lobby has \(page.lobby?.players.joined(separator: " ") ?? "nobody")"
        : "the host's lobby has \(host.lobby?.players.joined(separator: " ") ?? "nobody")"
    case .lobbyEqualsHost: lobbyDifference(page.lobby, host.lobby)
    case .phase: "phase \(page.phase ?? "none")"
    case .linkState: "link state \(page.linkState ?? "none")"
    case .onTurn: "the turn is of \((cast.members[device].isForeign ? host : page).turn ?? "nobody")"
    case .sessionEnded: page.hasEnded ? "its session has ended" : "its session goes on"
    case .resumed: page.hasResumed ? "has resumed" : "has not resumed"
    case .ready: page.isReady ? "is ready" : "is not ready"
    case .role: "role \(page.role ?? "none")"
    case .linesEqualHost: linesDifference(page.committed, host.committed)
    case .leaderboardEqualsHost:
      leaderboardDifference(page.leaderboard, host.leaderboard)
    case .summaryShown: page.hasSummary ? "shows a summary" : "shows no summary"
    case .count(let counted, _, _): "has \(count(counted, page))"
    }
  }

  private func lobbyDifference(_ lobby: LobbyView?, _ host: LobbyView?) -> String {
    guard let lobby else { return "shows no lobby" }
    guard let host else { return "the host shows no lobby" }
    return lobby.differences(from: host, of: "the host").joined(separator: ", ")
  }

  private func linesDifference(_ lines: [String], _ host: [String]) -> String {
    let first = zip(lines, host).enumerated().first { $0.element.0 != $0.element.1 }
    if let (place, (line, other)) = first { return "line \(place + 1) is \(line), the host has \(other)" }
    return "\(lines.count) lines, the host \(host.count)"
  }

  private func leaderboardDifference(_ rows: [LeaderboardRow]?, _ host: [LeaderboardRow]?) -> String {
    guard let rows else { return "no leaderboard" }
    guard let host else { return "the host shows no leaderboard" }
    func words(_ row: LeaderboardRow) -> String { "\(row.player) with \(row.score) in rank \(row.rank)" }
    let first = zip(rows, host).first { $0 != $1 }
    return first.map { "\(words($0)), the host has \(words($1)) there" } ?? "\(rows.count) rows, the host \(host.count)"
  }
}
