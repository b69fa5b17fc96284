import AppSeam
import BabSim
package import Bench
package import Conformance
package import Judging
package import SimKernel

/// When the host starts the game, every client of the lobby starts it too.
package final class StartReachesAll: BabOracle {
  package static let id = "StartReachesAll"
  package static let claim = "When the host starts the game, every client in the lobby shows it started."
  package static let clause = "BAB 5.2.8"
  package static let nature = OracleNature.liveness
  package static let restsOn = ["phase", "lobby", "packetReceived"]
  package static let sees = [SeenReport("phase"), SeenReport("lobby", .host)]
  package static let interests: [TraceKind] = [.session, .link, .fault, .launched, .packetReceived]

  package let ledger = makeLedger()
  private let state: BabRunState
  /// By device: when the client must show the game; nil when nothing is asked of it.
  private var due: [Obligation?]
  /// By device: whether a packet that starts a game has come since.
  private var hasHeard: [Bool]
  /// By device: whether the host is in a game, so that a vote that ends is no start.
  private var isInGame: [Bool]

  package init(state: BabRunState) {
    self.state = state
    due = Array(repeating: nil, count: state.devices.count)
    hasHeard = Array(repeating: false, count: state.devices.count)
    isInGame = Array(repeating: false, count: state.devices.count)
  }

  package var deadline: SimInstant { due.deadline }

  package func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record) else { return }
    if case .report(.packetReceived(_, let type, _, _)) = record.bab {
      guard due[device.index] != nil else { return }
      if Self.isStart(type) { hasHeard[device.index] = true }
    }
    if case .report(.phase(let phase)) = record.bab, device.role == .host { hostShows(phase, device, record) }
    for client in state.devices where due[client.index] != nil {
      let mayHaveHeard = hasHeard[client.index] || !client.unsaid("packetReceived").isEmpty
      if Self.isGame(client.phase), mayHaveHeard {
        due[client.index] = nil
        ledger.judged += 1
      } else if client.isDamaged || !(state.host(of: client).map { state.areJoined(client, $0) } ?? false) {
        due[client.index] = nil
      }
    }
  }

  private func hostShows(_ phase: String, _ host: BabDevice, _ record: TraceRecord) {
    let wasInGame = isInGame[host.index]
    isInGame[host.index] = phase == "ACTIVE" || phase == "VOTING"
    for client in state.devices where client.role == .client && state.host(of: client) === host {
      if isInGame[host.index] {
        if !wasInGame, state.isMember(client, of: host), let link = state.link(of: client) {
          due[client.index] = Obligation(link.chance, within: Bounds.startArrives, from: record.instant)
          hasHeard[client.index] = false
        }
      } else {
        due[client.index] = nil
      }
    }
  }

  private static func isStart(_ type: String) -> Bool {
    type == "START_GAME" || type == "GAME_STARTED" || type == "FULL_STATE_SNAPSHOT"
  }

  private static func isGame(_ phase: String) -> Bool { phase == "ACTIVE" || phase == "VOTING" || phase == "FINISHED" }

  package func expire(at now: SimInstant) {
    for client in state.devices {
      guard let obligation = due[client.index], obligation.isDue(at: now) else { continue }
      due[client.index] = nil
      if client.isDamaged { continue }
      ledger.fail(
        at: obligation.deadline, device: client.index, since: obligation.since,
        unless: client.unsaid("phase") + (hasHeard[client.index] ? [] : client.unsaid("packetReceived")),
        expected: "START_GAME or GAME_STARTED, and phase ACTIVE as the host shows",
        actual: (hasHeard[client.index] ? "started" : "no such packet") + ", phase \(client.phase)")
    }
  }

  package func finish(_ outcome: RunOutcome) { ledger.open = due.openCount }
}
