import BluetoothWire
import SimKernel

/// What is known of each device from its inputs and reports: what conditions and expectations are decided by.
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
    var links: [(link: LinkID, attMTU: Int)] = []
    var refusals = 0
    var violations = 0
    var packets: [(type: String, count: Int)] = []
    var advertisedName: String?
  }

  private var pages: [Page]
  private let roles: [AppRole]
  private let addresses: [BluetoothAddress]

  init(devices roles: [AppRole], addresses: [BluetoothAddress]) {
    self.roles = roles
    self.addresses = addresses
    pages = Array(repeating: Page(), count: roles.count)
  }

  func phase(of device: Int) -> String? { pages[device].phase }
  func linkState(of device: Int) -> String? { pages[device].linkState }
  func peerID(of device: Int) -> String? { pages[device].peerID }

  // MARK: Reading

  mutating func read(_ input: AppInput, device: Int) {
    switch input {
    case .launched:
      let kept = pages[device]
      pages[device] = Page()
      pages[device].refusals = kept.refusals
      pages[device].violations = kept.violations
      pages[device].packets = kept.packets
      pages[device].advertisedName = kept.advertisedName
    case .radioPower(false): pages[device].links.removeAll()
    case .connected(let link, _): pages[device].links.append((link, 23))
    case .disconnected(let link, _): pages[device].links.removeAll { $0.link == link }
    case .attMTU(let link, let mtu):
      if let index = pages[device].links.firstIndex(where: { $0.link == link }) {
        pages[device].links[index].attMTU = mtu
      }
    case .discovered(let advertisement):
      if let advertiser = addresses.firstIndex(of: advertisement.address) {
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
    case .role(let player, let role):
      if player == pages[device].peerID { pages[device].role = role }
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
    case .violation: pages[device].violations += 1
    case .packetReceived(_, let type, _, _):
      if let index = pages[device].packets.firstIndex(where: { $0.type == type }) {
        pages[device].packets[index].count += 1
      } else {
        pages[device].packets.append((type, 1))
      }
    default: break
    }
  }

  // MARK: Deciding

  func holds(_ condition: Condition) -> Bool {
    switch condition {
    case .all(let parts): parts.allSatisfy(holds)
    case .any(let parts): parts.contains(where: holds)
    case .devices(let devices, .every, let fact): devices.allSatisfy { holds(fact, $0) }
    case .devices(let devices, .any, let fact): devices.contains { holds(fact, $0) }
    case .devices(let devices, .none, let fact): !devices.contains { holds(fact, $0) }
    }
  }

  private func holds(_ fact: Condition.Fact, _ device: Int) -> Bool {
    let page = pages[device]
    let host = pages[0]
    switch fact {
    case .inLobby:
      guard let players = host.lobby?.players else { return false }
      return players.contains { $0 == page.peerID || $0 == page.displayName }
    case .lobbyEqualsHost: return page.lobby != nil && page.lobby == host.lobby
    case .phase(let phase): return page.phase == phase
    case .linkState(let state): return page.linkState == state
    case .onTurn: return page.turn != nil && page.turn == page.peerID
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
      let missing = devices.filter { holds(fact, $0) == (quantifier == .none) }
      return missing.map { "\(names[$0]): \(value(fact, $0))" }.joined(separator: ", ")
    }
  }

  private func value(_ fact: Condition.Fact, _ device: Int) -> String {
    let page = pages[device]
    return switch fact {
    case .inLobby: "the host's lobby has \(pages[0].lobby?.players.joined(separator: " ") ?? "nobody")"
    case .lobbyEqualsHost: "its lobby has \(page.lobby?.players.joined(separator: " ") ?? "nobody")"
    case .phase: "phase \(page.phase ?? "none")"
    case .linkState: "link state \(page.linkState ?? "none")"
    case .onTurn: "the turn is of \(page.turn ?? "nobody")"
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
