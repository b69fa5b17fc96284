public import BabSim
public import SimKernel

/// Every client of a lobby shows the host's lobby, at the latest `Bounds.lobbySettles` after the host's last change.
public final class LobbyStateConverges: Oracle {
  public static let id = "LobbyStateConverges"
  public static let claim = "Once traffic settles, every client shows the lobby that the host shows."
  public static let clause = "BAB 5.2.5"
  public static let interests: [TraceKind] = [.roster, .link, .fault, .session, .launched]

  private struct Divergence {
    var due: SimInstant
    var isReported = false
  }

  public let ledger = makeLedger()
  private let state: RunState
  /// By device; nil while the client shows the host's lobby, or nothing can be asked of it.
  private var divergences: [Divergence?]
  public private(set) var deadline = SimInstant.distantFuture

  public init(state: RunState) {
    self.state = state
    divergences = Array(repeating: nil, count: state.devices.count)
  }

  public func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record) else { return }
    var hostChanged = false
    if case .report(.lobby) = record.event, device.role == .host { hostChanged = true }
    for client in state.devices where client.role == .client {
      guard let host = state.host(of: client), state.isMember(client, of: host) else {
        divergences[client.index] = nil
        continue
      }
      if client.lobby == host.lobby {
        if divergences[client.index] != nil { ledger.judged += 1 }
        divergences[client.index] = nil
      } else if divergences[client.index] == nil || (hostChanged && host === device) {
        divergences[client.index] = Divergence(due: record.instant + Bounds.lobbySettles)
      }
    }
    renewDeadline()
  }

  public func expire(at now: SimInstant) {
    for client in state.devices {
      guard let divergence = divergences[client.index], !divergence.isReported, divergence.due < now else { continue }
      divergences[client.index]?.isReported = true
      let host = state.host(of: client)
      ledger.fail(
        at: divergence.due, device: client.index, expected: "the host's lobby, \(Self.text(host?.lobby))",
        actual: Self.text(client.lobby))
    }
    renewDeadline()
  }

  private func renewDeadline() {
    deadline = divergences.reduce(.distantFuture) { earliest, divergence in
      guard let divergence, !divergence.isReported else { return earliest }
      return min(earliest, divergence.due)
    }
  }

  private static func text(_ lobby: LobbyView?) -> String {
    guard let lobby else { return "no lobby" }
    return "scenario \"\(lobby.scenarioID)\", \(lobby.difficulty), players \(lobby.players)"
  }

  public func finish(_ outcome: RunOutcome) {
    ledger.open = divergences.filter { $0.map { !$0.isReported } ?? false }.count
  }
}
