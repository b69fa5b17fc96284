import Bench

/// On which reports it rests that a fact does not hold.
extension BabFacts {
  func holdsOfSilence(_ fact: AppFact) -> Bool {
    guard let fact = fact.statement as? BabFact else { return false }
    if case .count(_, let comparison, let bound) = fact { return comparison.holds(0, bound) }
    return fact.comparesWithLeader
  }

  func grounds(of fact: AppFact, device: Int) -> [ReportGrounds] {
    guard let fact = fact.statement as? BabFact else { return [] }
    let member = cast.members[device]
    let leader = member.leader ?? device
    // The host's app tells of a player whose own app says nothing.
    let teller = member.isForeign ? leader : device
    func both(_ words: String...) -> [ReportGrounds] {
      [device, leader].map { side in ReportGrounds(words.map { ReportGrounds.Sayer(device: side, word: $0) }) }
    }
    func own(_ word: String) -> [ReportGrounds] {
      [ReportGrounds(teller, word), ReportGrounds(teller, "identity")]
    }
    switch fact {
    case .inLobby:
      // A client without a link may show a lobby that it is no longer in, but none that it is not in yet.
      let isStale = pages[device].links.isEmpty && holds(AppFact(fact), device: device)
      let tellers = isStale ? [leader] : [leader, device]
      let lobby = tellers.map { ReportGrounds.Sayer(device: $0, word: "lobby") }
      return [ReportGrounds(lobby), ReportGrounds(device, "identity")]
    case .lobbyEqualsHost: return both("lobby")
    case .phase(let phase):
      return (phase == GamePhase.finished.rawValue ? turns(device) : []) + [ReportGrounds(device, "phase")]
    case .linkState: return [ReportGrounds(device, "linkState")]
    case .onTurn: return own("turn")
    case .sessionEnded: return [ReportGrounds(device, "sessionEnded")]
    case .resumed: return [ReportGrounds(device, "resumed")]
    case .ready: return own("ready")
    case .role: return own("role")
    case .linesEqualHost: return both("committed", "historyReplaced") + replaced(device) + replaced(leader)
    case .leaderboardEqualsHost: return both("leaderboard")
    case .summaryShown: return turns(device) + [ReportGrounds(device, "summary")]
    case .count(let counted, _, _): return grounds(of: counted, device)
    }
  }

  private func grounds(of counted: BabFact.Counted, _ device: Int) -> [ReportGrounds] {
    switch counted {
    case .committedLines: turns(device) + [ReportGrounds(device, "committed", "historyReplaced")] + replaced(device)
    case .lobbyPlayers: [ReportGrounds(device, "lobby")]
    case .refusals: [ReportGrounds(device, "refused")]
    case .violations: [ReportGrounds(device, "violation")]
    case .packets: [ReportGrounds(device, "packetReceived")]
    }
  }

  /// A gap in what a device committed may be lines of a snapshot that it has not told of.
  private func replaced(_ device: Int) -> [ReportGrounds] {
    pages[device].hasGap ? [ReportGrounds(device, "historyReplaced")] : []
  }

  /// People read their lines when somebody's app in the lobby shows whose turn it is: a game that has begun goes on
  /// only then.
  private func turns(_ device: Int) -> [ReportGrounds] {
    let lobby = cast.members.indices.filter { member in
      cast.members[member].leader == cast.members[device].leader && !cast.members[member].isForeign
    }
    let phases = lobby.compactMap { pages[$0].phase }
    guard let players = autoplay?.players,
      lobby.contains(where: { players.indices.contains($0) && players[$0].isActive }),
      phases.isEmpty || phases.contains(GamePhase.active.rawValue)
    else { return [] }
    return [ReportGrounds(lobby.map { ReportGrounds.Sayer(device: $0, word: "turn") })]
  }
}
