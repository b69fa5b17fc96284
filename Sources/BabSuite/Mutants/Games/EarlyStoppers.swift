import AppSeam
import BabSim
import Conformance

/// Engines that take a session as far as one of its steps and never say that they take it: what comes after is there,
/// and nobody hears of it.
extension Mutants {
  static let stoppers: [Mutant] = [
    .keepsBack("never-greets", .host, "BAB 5.1.6", "never sends HANDSHAKE", [.handshake]),
    .keepsBack("never-seats", .host, "BAB 5.1.7", "never sends LOBBY_UPDATE", [.lobbyUpdate]),
    .keepsBack("never-announces", .host, "BAB 5.4.6", "never sends TURN_ADVANCED", [.turnAdvanced]),
    .keepsBack(
      "never-advances", .host, "BAB 5.4.6", "announces one turn and no other", [.turnAdvanced], after: 1),
    .keepsBack("never-introduces-itself", .client, "BAB 5.1.5", "never sends HANDSHAKE", [.handshake]),
    .keepsBack("never-asks-for-a-seat", .client, "BAB 5.1.5", "never sends CLIENT_JOIN", [.clientJoin]),
  ]
}

extension Mutant {
  /// - Parameter count: how many such packets each link gets.
  static func keepsBack(
    _ name: String, _ role: AppRole, _ clause: String, _ summary: String, _ types: [PacketType], after count: Int = 0
  ) -> Mutant {
    Mutant(
      name, role, clause: clause, summary,
      wrapped: { engine, _ in KeepsBack(types, after: count, wrapping: engine) })
  }
}

/// Sends no packet of some types, and believes that it does.
private final class KeepsBack: MutantEngine {
  private let allowed: Int
  private var spotter: PacketSpotter
  private var begun: [(link: LinkID, count: Int)] = []

  init(_ types: [PacketType], after allowed: Int, wrapping inner: any AppEngine) {
    self.allowed = allowed
    spotter = PacketSpotter(types)
    super.init(wrapping: inner)
  }

  override func rewrite(_ input: AppInput) -> [AppInput] {
    if case .disconnected(let link, _) = input { begun.removeAll { $0.link == link } }
    return [input]
  }

  override func rewrite(_ effect: AppEffect) -> [AppEffect] {
    guard let sent = effect.transmission else { return [effect] }
    let (isSpotted, isFirst) = spotter.spot(sent.link, sent.octets)
    guard isSpotted else { return [effect] }
    let place = begun.firstIndex { $0.link == sent.link } ?? begun.endIndex
    if place == begun.endIndex { begun.append((sent.link, 0)) }
    if isFirst { begun[place].count += 1 }
    return begun[place].count <= allowed ? [effect] : []
  }
}
