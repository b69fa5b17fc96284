package import AppSeam
import BabSim
package import Conformance

/// Engines that take a session as far as one of its steps and never say that they take it: what comes after is there,
/// and nobody hears of it.
extension Mutants {
  static let stoppers: [Mutant] = EarlyStopper.all.map(\.mutant)
}

/// An engine that takes a session as far as one of its steps.
package struct EarlyStopper: Sendable {
  package let name: String
  package let role: AppRole
  let clause: String
  let summary: String
  let types: [PacketType]
  /// How many such packets each link gets.
  var allowed = 0

  package static let all: [EarlyStopper] = [
    EarlyStopper(
      name: "never-greets", role: .host, clause: "BAB 5.1.6", summary: "never sends HANDSHAKE", types: [.handshake]),
    EarlyStopper(
      name: "never-seats", role: .host, clause: "BAB 5.1.7", summary: "never sends LOBBY_UPDATE",
      types: [.lobbyUpdate]),
    EarlyStopper(
      name: "never-announces", role: .host, clause: "BAB 5.4.6", summary: "never sends TURN_ADVANCED",
      types: [.turnAdvanced]),
    EarlyStopper(
      name: "never-advances", role: .host, clause: "BAB 5.4.6", summary: "announces one turn and no other",
      types: [.turnAdvanced], allowed: 1),
    EarlyStopper(
      name: "never-introduces-itself", role: .client, clause: "BAB 5.1.5", summary: "never sends HANDSHAKE",
      types: [.handshake]),
    EarlyStopper(
      name: "never-asks-for-a-seat", role: .client, clause: "BAB 5.1.5", summary: "never sends CLIENT_JOIN",
      types: [.clientJoin]),
  ]

  var mutant: Mutant {
    Mutant(name, role, clause: clause, summary, wrapped: { engine, _ in wrap(engine) })
  }

  /// The same engine with a defect of another mutant's inside.
  package func around(_ inner: Mutant) -> Mutant {
    Mutant(
      "\(name)+\(inner.name)", role, clause: inner.clause, failedBy: nil, "\(summary), and \(inner.summary)"
    ) { wrap(inner.makeEngine($0)) }
  }

  private func wrap(_ engine: any AppEngine) -> any AppEngine {
    KeepsBack(types, after: allowed, wrapping: engine)
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
