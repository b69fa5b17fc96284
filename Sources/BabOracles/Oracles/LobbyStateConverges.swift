import AppSeam
import BabSim
package import Bench
package import Conformance
package import Judging
package import SimKernel

/// Every client of a lobby shows the host's lobby before its link has been able to carry it for `Bounds.lobbySettles`
/// since the host's last change.
///
/// A client is wrong to whose app has come what it does not show; a host is wrong that has not told it.
///
/// What a host from outside shows is unknown; but our clients that it has taken show the same one then, the newest
/// that one of them was told.
package final class LobbyStateConverges: BabOracle {
  package static let id = "LobbyStateConverges"
  package static let claim = "Once traffic settles, every client shows the lobby that the host shows."
  package static let clause = "BAB 5.2.5"
  package static let nature = OracleNature.liveness
  package static let restsOn = ["lobby"]
  package static let sees = [SeenReport("lobby", .host)]
  package static let interests: [TraceKind] = [.roster, .link, .fault, .session, .launched]

  package let ledger = makeLedger()
  private let state: BabRunState
  /// By device; nil while the client shows the host's lobby, or nothing can be asked of it.
  private var divergences: [Obligation?]

  package init(state: BabRunState) {
    self.state = state
    divergences = Array(repeating: nil, count: state.devices.count)
  }

  package var deadline: SimInstant { divergences.deadline }

  package func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record) else { return }
    var hasChanged = false
    if case .report(.lobby) = record.bab { hasChanged = true }
    for client in state.devices where client.role == .client {
      guard let model = model(for: client), let link = state.link(of: client) else {
        divergences[client.index] = nil
        continue
      }
      if client.lobby == model.lobby {
        if let divergence = divergences[client.index] { settled(divergence, client, at: record.instant) }
        divergences[client.index] = nil
      } else if divergences[client.index] == nil || (hasChanged && model === device) {
        divergences[client.index] = Obligation(link.chance, within: Bounds.lobbySettles, from: record.instant)
      }
    }
  }

  private func settled(_ divergence: Obligation, _ client: BabDevice, at now: SimInstant) {
    ledger.judged += 1
    if divergence.isReported {
      ledger.add(
        "; right after all, \((now - divergence.since).shortSeconds) s after it changed", toLatestOf: client.index)
    }
  }

  /// Whose lobby a client must show; nil when nothing can be asked of it.
  private func model(for client: BabDevice) -> BabDevice? {
    if let host = state.host(of: client), !host.isForeign { return state.isMember(client, of: host) ? host : nil }
    let members = state.siblings(of: client).filter(isMember)
    guard members.count > 1, members.contains(where: { $0 === client }) else { return nil }
    return members.max { ($0.lobbyShownAt, $0.index) < ($1.lobbyShownAt, $1.index) }
  }

  /// Whether a host from outside has taken this client on its present link, and nothing was done to it since.
  private func isMember(_ client: BabDevice) -> Bool {
    guard client.isReachable, !client.hasEnded, !client.isDamaged, let lobby = client.lobby,
      client.links.last.map({ $0.openedAt <= client.lobbyShownAt }) ?? false
    else { return false }
    return client.peerID.map(lobby.players.contains) ?? false
  }

  package func expire(at now: SimInstant) {
    for client in state.devices {
      guard var divergence = divergences[client.index], divergence.isDue(at: now) else { continue }
      guard let model = model(for: client) else {
        divergences[client.index] = nil
        continue
      }
      // What a host from outside still has for a client is not in the trace: it may be as long as something comes.
      if model.role == .client, let link = state.link(of: client), let heardAt = link.heardAt {
        while divergence.isDue(at: now), divergence.deadline - heardAt < Bounds.hostFromOutsideIsDone {
          divergence = Obligation(link.chance, within: Bounds.lobbySettles, from: divergence.deadline)
        }
        divergences[client.index] = divergence
        if !divergence.isDue(at: now) { continue }
      }
      divergences[client.index]?.report()
      if model.role == .host, blames(model, for: client, divergence) { continue }
      let whose = model.role == .client ? "the lobby that \(model.name) shows" : "the host's lobby"
      ledger.fail(
        at: divergence.deadline, device: client.index, since: divergence.since, unless: client.unsaid("lobby"),
        expected: "\(whose), \(Self.text(model.lobby))",
        actual: Self.difference(client.lobby, model) + state.hearsay(client))
    }
  }

  /// Whether it is not the client's fault: the lobby that the host shows has not come to its app. A host that has sent
  /// it another one is wrong; what it has sent is on its way.
  private func blames(_ host: BabDevice, for client: BabDevice, _ due: Obligation) -> Bool {
    guard !host.isCaptured, let link = state.link(of: client), let heard = state.heard(client, on: link.id),
      heard.lobby != host.lobby, let partner = link.partner,
      let told = state.stories[host.index]?.mirror(partner.id)
    else { return false }
    if told.lobby != host.lobby {
      ledger.fail(
        at: due.deadline, device: host.index, peer: client.index, since: due.since, unless: host.unsaid("lobby"),
        expected: "\(client.name) told its lobby, \(Self.text(host.lobby))",
        actual: told.lobby.map { "the newest that was sent to it: \(Self.text($0))" } ?? "no lobby was sent to it")
    }
    return true
  }

  private static func text(_ lobby: LobbyView?) -> String {
    guard let lobby else { return "no lobby" }
    return "scenario \"\(lobby.scenarioID)\", \(lobby.difficulty), players \(lobby.players)"
  }

  private static func difference(_ lobby: LobbyView?, _ model: BabDevice?) -> String {
    guard let lobby else { return "no lobby" }
    guard let model, let other = model.lobby else { return text(lobby) }
    return lobby.differences(from: other, of: model.name).joined(separator: "; ")
  }

  package func finish(_ outcome: RunOutcome) {
    ledger.open = divergences.openCount
  }
}
