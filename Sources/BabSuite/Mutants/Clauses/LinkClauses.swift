import AppSeam
import BabSim
import BluetoothWire
import Conformance
import SimKernel

/// Defects of loss and return.
extension Mutants {
  static let link: [Mutant] = linkHost + linkClient

  private static let linkHost: [Mutant] = [
    ghost("ghost-after-clean-end", .remoteUserTerminatedConnection, "a client ended cleanly"),
    ghost("ghost-after-timeout", .connectionTimeout, "has timed out"),
    ghost("ghost-after-local-end", .connectionTerminatedByLocalHost, "its own platform ended"),
    ghost("ghost-after-power-off", .remoteDeviceTerminatedDueToPowerOff, "a client's power-off ended"),
    .engine(
      "lost-players-linger", .host, "BAB 5.7.1", "takes a lost player out of the roster after 3 s", NoticesLate.init),
    .set("forgets-after-25-s", .host, "BAB 5.7.2", "remembers lost players for 25 s") {
      $0.dialect.reconnectWindow = .seconds(10)
    },
    .set("forgets-without-join-time", .host, "BAB 8.2", "remembers lost players for 32 s") {
      $0.dialect.reconnectWindow = .seconds(17)
    },
    .set("remembers-for-a-minute", .host, "BAB 8.2", "remembers lost players for 60 s") {
      $0.dialect.reconnectWindow = .seconds(45)
    },
    .packets(
      "place-not-given-back", .host, "BAB 5.7.4", "lists a returning player last",
      misspeaking: { m, packet in
        if case .lobbyUpdate(var lobby) = packet.payload {
          let returned = lobby.connectedPlayers.filter { m.noted($0.playerID) ?? 0 > 1 }
          lobby.connectedPlayers.removeAll { m.noted($0.playerID) ?? 0 > 1 }
          lobby.connectedPlayers += returned
          packet.payload = .lobbyUpdate(lobby)
        }
      },
      incoming: { m, packet in m.countingJoins(packet) }),
    .packets(
      "role-not-given-back", .host, "BAB 5.7.4", "does not tell a returning player of its role",
      outgoing: { m, packet in
        guard case .roleAssigned(let player, _) = packet.payload else { return [packet] }
        return m.noted(player) ?? 0 > 1 ? [] : [packet]
      },
      incoming: { m, packet in m.countingJoins(packet) }),
    .packets(
      "role-given-back-twice", .host, "BAB 5.7.4", "gives a returning player its role though it is taken",
      outgoing: { m, packet in
        switch packet.payload {
        case .roleAssigned(let player, let role):
          if m.noted("role \(player) \(role)") == nil { m.note("role \(player) \(role)", 1) }
        case .lobbyUpdate(let lobby):
          for player in lobby.connectedPlayers where m.noted(player.playerID) ?? 0 > 1 {
            let key = "role \(player.playerID) "
            guard let entry = m.memory.first(where: { $0.hasPrefix(key) }) else { continue }
            let role = String(entry.dropFirst(key.count).prefix { $0 != "=" })
            return [packet, m.packet(.roleAssigned(playerID: player.playerID, roleID: role))]
          }
        default: break
        }
        return [packet]
      },
      incoming: { m, packet in m.countingJoins(packet) }),
    .packets(
      "points-not-given-back", .host, "BAB 5.7.4", "lets a returning player begin at 0 points",
      misspeaking: { m, packet in
        if case .leaderboardUpdate(var board) = packet.payload {
          for index in board.rankings.indices where m.noted(board.rankings[index].playerID) ?? 0 > 1 {
            board.rankings[index].score = 0
          }
          packet.payload = .leaderboardUpdate(board)
        }
      },
      incoming: { m, packet in m.countingJoins(packet) }),
    .says("remembers-thrice", .host, "BAB 5.7.4", "takes nobody back a fourth time") { m, packet in
      guard packet.payload.type == .fullStateSnapshot else { return [packet] }
      m.count += 1
      return m.count > 3 ? [] : [packet]
    },
    .engine("closed-while-remembering", .host, "BAB 5.7.3", "does not advertise once a game is on", ClosedInGame.init),
    .engine(
      "open-after-forgetting", .host, "BAB 5.7.3", "goes on advertising when it has forgotten everybody",
      OpenAfterLoss.init),
    .engine(
      "second-link-refused", .host, "BAB 5.7.11", "turns a peer away whose old link has not timed out",
      SeesNewAddresses.init),
    .keeps("old-link-kept", .host, "BAB 5.7.11", "lets the old link of a peer be that has a new one") {
      if case .disconnect = $0 { true } else { false }
    },
    .misses("silent-after-radio-on", .host, "BAB 5.7.12", "does nothing when its adapter is on again") {
      $0 == .radioPower(true)
    },
    .engine("unpublished-after-radio-on", .host, "BAB 5.7.12", "publishes its service once only", PublishesOnce.init),
  ]

  private static func ghost(_ name: String, _ reason: HCI.ErrorCode, _ text: String) -> Mutant {
    .misses(name, .host, "BAB 5.7.1", "does not notice the end of a link that \(text)") {
      if case .disconnected(_, reason) = $0 { true } else { false }
    }
  }
}

extension PacketMutant {
  /// Notes how many times each peer has asked for a seat, under its id.
  func countingJoins(_ packet: BabPacket) -> [BabPacket] {
    if packet.payload.type == .clientJoin { note(packet.senderID, (noted(packet.senderID) ?? 0) + 1) }
    return [packet]
  }
}

/// Hears of the end of a link 3 s later.
final class NoticesLate: MutantEngine {
  private static let timer = TimerID(Int(Int32.max) - 1)
  private var waiting: [(input: AppInput, due: SimInstant)] = []

  override func rewrite(_ input: AppInput) -> [AppInput] {
    if case .disconnected = input {
      waiting.append((input, now + .seconds(3)))
      added.append(.setTimer(Self.timer, at: waiting[0].due))
      return []
    }
    guard input == .timer(Self.timer) else { return [input] }
    let due = waiting.filter { $0.due <= now }.map(\.input)
    waiting.removeFirst(due.count)
    if let next = waiting.first { added.append(.setTimer(Self.timer, at: next.due)) }
    return due
  }
}

/// Never advertises while its phase is ACTIVE.
final class ClosedInGame: MutantEngine {
  private var isPlaying = false

  override func rewrite(_ effect: AppEffect) -> [AppEffect] {
    if case .phase(let phase)? = effect.bab { isPlaying = phase == GamePhase.active.rawValue }
    if case .advertise = effect, isPlaying { return [] }
    return [effect]
  }
}

/// Does not stop advertising once it has lost a link.
final class OpenAfterLoss: MutantEngine {
  private var hasLost = false

  override func rewrite(_ input: AppInput) -> [AppInput] {
    if case .disconnected = input { hasLost = true }
    return [input]
  }

  override func rewrite(_ effect: AppEffect) -> [AppEffect] { effect == .stopAdvertising && hasLost ? [] : [effect] }
}

/// Takes every connection for one from an address of its own.
final class SeesNewAddresses: MutantEngine {
  private var count: UInt64 = 0

  override func rewrite(_ input: AppInput) -> [AppInput] {
    guard case .connected(let link, let peer) = input else { return [input] }
    count += 1
    return [.connected(link, peer: BluetoothAddress(kind: peer.kind, bits: peer.bits ^ count << 24))]
  }
}

/// Publishes its service the first time only.
final class PublishesOnce: MutantEngine {
  private var hasPublished = false

  override func rewrite(_ effect: AppEffect) -> [AppEffect] {
    guard case .publish = effect else { return [effect] }
    defer { hasPublished = true }
    return hasPublished ? [] : [effect]
  }
}
