package import BabSim

/// What packets of one type carry; nil of any other type.
extension BabPacket {
  /// What TURN_ADVANCED says.
  package var advancedTurn: (player: String, line: DialogLine?)? {
    if case .turnAdvanced(let player, let line) = payload { (player, line) } else { nil }
  }

  /// The line of DIALOG_LINE_ADDED.
  package var addedLine: DialogLine? {
    get { if case .dialogLineAdded(let line) = payload { line } else { nil } }
    set { if let newValue { payload = .dialogLineAdded(newValue) } }
  }

  /// The line that LINE_COMPLETED or LINE_SKIPPED is about.
  package var endedLineID: String? {
    get {
      switch payload {
      case .lineCompleted(let lineID, _), .lineSkipped(let lineID): lineID
      default: nil
      }
    }
    set {
      switch payload {
      case .lineCompleted(_, let result): payload = .lineCompleted(lineID: newValue ?? "", result: result)
      case .lineSkipped: payload = .lineSkipped(lineID: newValue ?? "")
      default: break
      }
    }
  }

  package var ranking: [Ranking]? { if case .leaderboardUpdate(let board) = payload { board.rankings } else { nil } }

  /// Whether it is a LOBBY_UPDATE that lists a player.
  package func lists(_ id: String) -> Bool {
    guard case .lobbyUpdate(let lobby) = payload else { return false }
    return lobby.connectedPlayers.contains { $0.playerID == id }
  }
}
