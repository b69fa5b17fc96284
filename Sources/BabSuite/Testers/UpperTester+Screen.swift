import AppSeam
import BabSim
import Bench
import Conformance
import Platform
import SimKernel

/// The screen of a Bab app, as its reports tell it. An implementation that claims neither `screen` nor `refusals` may
/// show nothing, so a purpose that reads them names the item in `needs`.
extension UpperTester {
  /// The id in its packets: what it was told, unless it chooses its own.
  var peerID: String {
    let told = bed.world.scenario.devices[index].peerID
    return bed.ics.claims(.ownPeerID) ? ownPeerID ?? told : told
  }

  /// The id that it has chosen, as soon as it has said or shown it.
  var ownPeerID: String? {
    let testers = (bed as? BabBed)?.testers ?? []
    for tester in testers { if let packet = tester.heard.lazy.compactMap(\.packet).first { return packet.senderID } }
    return last("identity") { if case .identity(_, let peerID, _) = $0 { peerID } else { nil } }
  }

  /// The user does something.
  func user(_ action: BabAction) {
    if action == .startLobbyGame { (bed as? BabBed)?.uses(.startGame) }
    user(AppAction(action))
  }

  /// What it has reported since the newest launch, in trace order.
  var babReports: [(record: Int, instant: SimInstant, report: BabReport)] {
    reports.compactMap { entry in entry.report.bab.map { (entry.record, entry.instant, $0) } }
  }

  /// The newest report of a kind, as far as it is one of Bab's.
  /// - Parameter word: by which it is known that the implementation never says it.
  func last<Value>(_ word: String, _ pick: (BabReport) -> Value?) -> Value? {
    seeks(word)
    for entry in reports.reversed() { if let report = entry.report.bab, let value = pick(report) { return value } }
    return nil
  }

  var phase: String? { last("phase") { if case .phase(let phase) = $0 { phase } else { nil } } }
  var linkState: String? { last("linkState") { if case .linkState(let state) = $0 { state } else { nil } } }
  var lobby: LobbyView? {
    seeks("lobby")
    return lobbyIfShown
  }
  /// The same where packets tell it too, so that one who does not report it may pass.
  var lobbyIfShown: LobbyView? {
    babReports.lazy.reversed().compactMap { if case .lobby(let lobby) = $0.report { lobby } else { nil } }.first
  }
  /// `it shows the-heist, hard, peer-iut, client-1`.
  var lobbyInWords: String {
    guard let lobby else { return "it shows no lobby" }
    let scenario = lobby.scenarioID.isEmpty ? "no scenario" : lobby.scenarioID
    return "it shows " + ([scenario, lobby.difficulty] + lobby.players).joined(separator: ", ")
  }
  var turn: String? { last("turn") { if case .turn(let player) = $0 { .some(player) } else { nil } } ?? nil }
  var screenLine: ScreenLine? { last("screen") { if case .screen(let line) = $0 { line } else { nil } } }
  var leaderboard: [LeaderboardRow]? {
    last("leaderboard") { if case .leaderboard(let rows) = $0 { rows } else { nil } }
  }
  var summary: SummaryView? { last("summary") { if case .summary(let summary) = $0 { summary } else { nil } } }
  var ending: String? { last("sessionEnded") { if case .sessionEnded(let reason) = $0 { reason } else { nil } } }
  var hasResumed: Bool {
    seeks("resumed")
    return babReports.contains { $0.report == .resumed }
  }

  /// The role a player has as far as the implementation shows it.
  func role(of player: String) -> String? {
    last("role") { if case .role(player, let role) = $0 { role } else { nil } }
  }

  /// The history as the reports tell it: ids in order.
  var history: [String] {
    seeks("committed", "historyReplaced")
    var lines: [String] = []
    for entry in babReports {
      if case .committed(_, let id, _) = entry.report { lines.append(id) }
      if case .historyReplaced(let ids) = entry.report { lines = ids }
    }
    return lines
  }

  /// Clauses that the implementation says a peer broke.
  var violations: [String] {
    seeks("violation")
    return babReports.compactMap { if case .violation(_, let rule, _) = $0.report { rule } else { nil } }
  }

  /// What it says it refused.
  var refusals: [String] {
    seeks("refused")
    return babReports.compactMap { if case .refused(_, let reason) = $0.report { reason } else { nil } }
  }
}

extension World {
  /// The person at a device does something.
  func act(_ action: BabAction, device: Int) { act(AppAction(action), device: device) }
}
