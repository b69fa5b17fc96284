import BabSim

extension BabPacket {
  /// The lines that a host tells as read with this packet.
  var committedLines: [String] {
    switch payload {
    case .dialogLineAdded(let line): line.visibility == .isPrivate ? [] : [line.id]
    case .fullStateSnapshot(let state): state.committedHistory.map(\.id)
    default: []
    }
  }
}

extension PacketPayload {
  /// The line that a player says to have read or skipped with this packet.
  var readLine: String? {
    switch self {
    case .lineCompleted(let lineID, _), .lineSkipped(let lineID): lineID
    default: nil
    }
  }
}
