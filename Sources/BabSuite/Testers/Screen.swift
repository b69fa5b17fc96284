import BabSim

/// What an implementation shows of a session, field by field, as its reports tell it.
///
/// What it refuses, its vector clock and its traffic are reported too, and are no part of it.
struct Screen: Equatable {
  struct Field: Equatable {
    /// For people, for example `role of client-1`.
    var name: String
    var value: String
  }

  /// In the order in which they were shown first.
  private(set) var fields: [Field] = []

  func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }

  /// The first field that differs in a later screen; nil when none does.
  func difference(to later: Screen) -> String? {
    guard let field = later.fields.first(where: { value($0.name) ?? "" != $0.value }) else { return nil }
    let old = value(field.name).map { "was “\($0)”" } ?? "was not shown"
    return "\(field.name) \(old) and is “\(field.value)”"
  }

  mutating func show(_ report: BabReport) {
    switch report {
    case .phase(let phase): set("phase", phase)
    case .linkState(let state): set("link state", state)
    case .lobby(let lobby):
      set("lobby", ([lobby.scenarioID, lobby.difficulty] + lobby.players).joined(separator: ", "))
    case .roster(let players): set("roster", players.joined(separator: ", "))
    case .role(let player, let role): set("role of \(player)", role)
    case .ready(let player, let isReady): set("readiness of \(player)", isReady ? "ready" : "not ready")
    case .turn(let player): set("turn", player ?? "")
    case .screen(let line): set("line", "\(line)")
    case .committed(_, let id, _): append("history", id)
    case .historyReplaced(let ids): set("history", ids.joined(separator: ", "))
    case .lineGenerated(let id, _, _): append("lines generated", id)
    case .lineAccepted(let id, _, _, _): append("lines taken", id)
    case .score(let player, let points): set("points of \(player)", "\(points)")
    case .leaderboard(let rows): set("ranking", rows.map(\.description).joined(separator: ", "))
    case .vote(let action, let voter, let yes): append("votes", "\(voter) \(yes ? "yes" : "no") to \(action)")
    case .voteResult(let action, let passed): append("results of votes", "\(action) \(passed ? "passed" : "failed")")
    case .achievement(let player, let id): append("achievements", "\(id) of \(player)")
    case .summary(let summary): set("summary", "\(summary)")
    case .resumed: append("resumptions", "resumed")
    case .sessionEnded(let reason): set("end of the session", reason)
    case .identity, .vectorClock, .packetSent, .packetReceived, .refused, .violation: break
    }
  }

  private mutating func set(_ name: String, _ value: String) {
    if let index = fields.firstIndex(where: { $0.name == name }) {
      fields[index].value = value
    } else {
      fields.append(Field(name: name, value: value))
    }
  }

  private mutating func append(_ name: String, _ item: String) {
    set(name, value(name).map { $0.isEmpty ? item : $0 + ", " + item } ?? item)
  }
}
