import AppSeam
import BabSim
package import Bench
package import Conformance
package import Judging

/// A lobby is a star around one host: only the host publishes and advertises, and a client is linked to one host.
package final class OneHostPerLobby: BabOracle {
  package static let id = "OneHostPerLobby"
  package static let claim = "A lobby has one host: no client hosts, and no client is in two lobbies at once."
  package static let clause = "BAB 1.1"
  package static let nature = OracleNature.safety
  package static let interests: [TraceKind] = [.identity, .presence, .link]

  package let ledger = makeLedger()
  private let state: BabRunState

  package init(state: BabRunState) { self.state = state }

  package func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record) else { return }
    switch record.bab {
    case .report(.identity(let role, let peerID, _)):
      judge(
        role == device.role, record, expected: "role \(device.role.rawValue)", actual: "role \(role.rawValue)")
      let twin = state.devices.first { $0 !== device && $0.role == .host && $0.peerID == peerID && !$0.isKilled }
      if let twin, role == .host {
        ledger.fail(record, expected: "a peer id of its own", actual: "\(peerID), which is \(twin.name)'s")
      }
    case .effect(.publish), .effect(.advertise):
      judge(device.role == .host, record, expected: "only a host publishes and advertises", actual: "a client does")
    case .effect(.connect):
      judge(device.role == .client, record, expected: "only a client connects", actual: "a host does")
    case .input(.connected(let id, _)):
      guard device.role == .client else { return }
      // One whose end the app has asked for is up until the other end has heard of it.
      let others = device.links.filter { $0.isUp && !$0.isEnding && $0.id != id }
      judge(
        others.isEmpty, record, expected: "one link to one host",
        actual: "another link is up, to \(others.first?.peer?.name ?? "a stranger")")
    default: break
    }
  }

  private func judge(
    _ holds: Bool, _ record: TraceRecord, expected: @autoclosure () -> String, actual: @autoclosure () -> String
  ) {
    if holds {
      ledger.judged += 1
    } else {
      ledger.fail(record, expected: expected(), actual: actual())
    }
  }
}
