import AppSeam
import BabSim
package import Bench
package import Conformance
package import Judging

/// No app ever shows more peers than a lobby holds, or one of them twice.
package final class RosterWithinCapacity: BabOracle {
  package static let id = "RosterWithinCapacity"
  package static let claim = "No roster or lobby ever shows more peers than the dialect's capacity, or a peer twice."
  package static let clause = "BAB 2.3"
  package static let nature = OracleNature.safety
  package static let restsOn = ["identity"]
  package static let interests: [TraceKind] = [.roster]

  package let ledger = makeLedger()
  private let state: BabRunState

  package init(state: BabRunState) { self.state = state }

  package func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record), let dialect = device.dialect else { return }
    switch record.bab {
    case .report(.roster(let players)): judge(players, "roster", dialect.capacity, device, record)
    case .report(.lobby(let lobby)): judge(lobby.players, "lobby", dialect.capacity, device, record)
    default: break
    }
  }

  /// The host takes one place whether it plays or not. Which player is a host from outside, if any, nobody here knows.
  private func judge(
    _ players: [String], _ what: String, _ capacity: Int, _ device: BabDevice, _ record: TraceRecord
  ) {
    let hearsay = state.hearsay(device)
    if !hearsay.isEmpty, players.count > capacity {
      ledger.fail(
        record, expected: "at most \(capacity) peers", actual: "\(players.count) in the \(what)\(hearsay)")
      return
    }
    var clients = 0
    for (index, player) in players.enumerated() {
      if players[..<index].contains(player) {
        ledger.fail(
          record, expected: "every peer once in the \(what)", actual: "\(player) twice in \(players)\(hearsay)")
        return
      }
      if !state.devices.contains(where: { $0.role == .host && $0.peerID == player }) { clients += 1 }
    }
    guard clients <= capacity - 1 || !hearsay.isEmpty else {
      let hosts = state.devices.filter { $0.role == .host }
      ledger.fail(
        record, unless: hosts.flatMap { $0.unsaid("identity") },
        expected: "at most \(capacity - 1) clients beside the host", actual: "\(clients) in the \(what)")
      return
    }
    ledger.judged += 1
  }
}
