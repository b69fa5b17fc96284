import AppSeam
import BabSim
import BluetoothWire
import Conformance
import Platform
import SimKernel

/// Situations around lost links: a game to come back to, losing and returning.
extension BabBed {
  /// So many lines are read without an error, each by the player whose turn it is.
  func readLines(_ count: Int, watching witness: ClientTester? = nil) throws {
    let witness = witness ?? clients[0]
    for _ in 0..<count {
      guard let turn = witness.turn, let line = turn.line else {
        throw blocked("somebody has a turn", cause: witness.lacking(.turnAdvanced))
      }
      witness.forget()
      readLine(Turn(player: turn.player, lineID: line.id))
      try witness.expect(.leaderboardUpdate, within: .seconds(30))
    }
  }

  /// The host's user changes the difficulty; these clients must be told in time. One LOBBY_UPDATE per client.
  @discardableResult
  func changeDifficulty(_ level: String, toldTo clients: some Sequence<ClientTester>) throws -> [BabPacket] {
    for client in clients { client.forget() }
    iut.user(.setLobbyDifficulty(level))
    return try clients.map { client in
      try client.expectLobby("says \(level)") { lobby in
        lobby.difficultyLevel == level
      }
    }
  }

  /// A client's link ends cleanly, and the implementation knows; returns when its platform said so.
  @discardableResult
  func lose(_ client: ClientTester) throws -> SimInstant {
    let before = iut.endings.count
    client.disconnect()
    return try ending(after: before)
  }

  /// The implementation has its seat, and its host vanishes.
  /// - Returns: when the implementation was told that its link has ended.
  func lose(_ host: HostTester) throws -> SimInstant {
    try seat(host)
    host.suffers(.vanish, "vanishes")
    return try ending(after: 0)
  }

  /// Waits until the platform has told the implementation of one more ended link.
  func ending(after before: Int, within limit: SimDuration = .seconds(8)) throws -> SimInstant {
    try expect("the IUT's platform tells that the link has ended", within: limit) { iut.endings.count > before }
    return iut.endings[before].instant
  }
}

extension UpperTester {
  /// Links whose end the platform has told, oldest first.
  var endings: [(instant: SimInstant, link: LinkID, reason: HCI.ErrorCode)] {
    inputs.compactMap { entry in
      guard case .disconnected(let link, let reason) = entry.input else { return nil }
      return (entry.instant, link, reason)
    }
  }

  /// Timers that were set and neither fired nor were cancelled.
  var openTimers: [TimerID] {
    var open: [(record: Int, timer: TimerID)] = []
    for entry in effects {
      if case .setTimer(let timer, _) = entry.effect {
        open.removeAll { $0.timer == timer }
        open.append((entry.record, timer))
      }
      if case .cancelTimer(let timer) = entry.effect { open.removeAll { $0.timer == timer } }
    }
    for entry in inputs {
      if case .timer(let timer) = entry.input { open.removeAll { $0.timer == timer && $0.record < entry.record } }
    }
    return open.map(\.timer)
  }

  /// Addresses it asked to be connected to, with neither connection, failure nor cancellation since.
  var openAttempts: [BluetoothAddress] {
    var open: [(record: Int, address: BluetoothAddress)] = []
    for entry in effects {
      if case .connect(let address) = entry.effect { open.append((entry.record, address)) }
      if case .cancelConnect(let address) = entry.effect { open.removeAll { $0.address == address } }
    }
    for entry in inputs {
      switch entry.input {
      case .connected(_, let address), .connectFailed(let address, _):
        open.removeAll { $0.address == address && $0.record < entry.record }
      default: break
      }
    }
    return open.map(\.address)
  }

  /// Whether it looks for a host: it scans or waits for a connection.
  var isLooking: Bool { isScanning || !openAttempts.isEmpty }

  /// How many values its platform refused.
  var refusedValues: Int {
    inputs.count { if case .submitted(_, _, false) = $0.input { true } else { false } }
  }
}

extension LowerTester {
  /// Packets of the newest link, in order.
  var packetsOnLink: [BabPacket] { heard.compactMap { $0.link == newestLink?.id ? $0.packet : nil } }

  /// Sends a packet whose clock is exactly this, whatever was sent before.
  func send(_ payload: PacketPayload, clock entries: [(String, Int64)], note: String? = nil) {
    let packet = BabPacket(senderID: peerID, vectorClock: VectorClock(OrderedMap(entries)), payload: payload)
    let counts = entries.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    transmit(packet.encoded(), note: "\(name) sends \(packet.type.rawValue) \(note ?? "with the clock [\(counts)]")")
  }
}
