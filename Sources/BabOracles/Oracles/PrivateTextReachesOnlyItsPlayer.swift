import AppSeam
import BabSim
package import Bench
package import Conformance
package import Judging

/// Until a line is committed, its text is on the screen of its player and on no other.
package final class PrivateTextReachesOnlyItsPlayer: BabOracle {
  package static let id = "PrivateTextReachesOnlyItsPlayer"
  package static let claim = "The text of a private line is on its player's screen only, until it is committed."
  package static let clause = "BAB 5.4.4"
  package static let nature = OracleNature.safety
  package static let restsOn = ["lineGenerated", "screen", "lineAccepted", "committed", "identity"]
  package static let sees = [SeenReport("lineGenerated", .host, with: "committed")]
  package static let interests: [TraceKind] = [.line, .screen, .history]

  private struct Secret {
    /// By index: every host numbers its own lines.
    var host: Int
    var lineID: String
    var player: String
    var text: String
  }

  /// Lines that were dropped with their player stay secret; the oldest are forgotten.
  private static let secretLimit = 64
  /// Generated lines whose ids are remembered: a text is looked for only under an id the host never gave out, because
  /// a generator may give two lines the same text.
  private static let knownLimit = 256

  package let ledger = makeLedger()
  private let state: BabRunState
  private var secrets: [Secret] = []
  private var known: [(host: Int, lineID: String)] = []

  package init(state: BabRunState) { self.state = state }

  package func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record), !device.isSolo else { return }
    switch record.bab {
    case .report(.lineGenerated(let lineID, let player, let text)):
      secrets.append(Secret(host: device.index, lineID: lineID, player: player, text: text))
      if secrets.count > Self.secretLimit { secrets.removeFirst() }
      known.append((device.index, lineID))
      if known.count > Self.knownLimit { known.removeFirst(Self.knownLimit / 2) }
    case .report(.lineAccepted(let lineID, _, _, _)): reveal(lineID, of: device)
    case .report(.committed(_, let lineID, let text)):
      if device.role == .host {
        reveal(lineID, of: device)
      } else {
        judge(lineID, text, device, record)
      }
    case .report(.screen(let line)):
      guard let text = line.text else { return }
      judge(line.lineID, text, device, record)
    default: break
    }
  }

  private func reveal(_ lineID: String, of host: BabDevice) {
    secrets.removeAll { $0.host == host.index && $0.lineID == lineID }
  }

  /// Whose lines a device shows: a host its own, a client those of the host that it hears. Nil where no link shows it.
  private func source(of device: BabDevice) -> BabDevice? {
    if device.role == .host { return device }
    if case .valueReceived(let id, _, _)? = device.cause, let host = device.link(id)?.other { return host }
    return device.links.last { $0.peer?.role == .host }?.other
  }

  private func judge(_ lineID: String, _ text: String, _ device: BabDevice, _ record: TraceRecord) {
    // Lines of a host from outside are none of those that our hosts keep secret, whatever they are called.
    if secrets.isEmpty || state.isLedFromOutside(device) { return }
    let host = source(of: device)?.index
    let isKnown = known.contains { $0.lineID == lineID && (host == nil || $0.host == host) }
    for secret in secrets where host == nil || secret.host == host {
      guard secret.lineID == lineID || (!isKnown && secret.text == text && !text.isEmpty) else { continue }
      guard secret.player == device.peerID else {
        let unsaid = state.devices[secret.host].unsaid("lineAccepted", "committed") + device.unsaid("identity")
        ledger.fail(
          record, unless: unsaid, expected: "\"\(secret.text)\" on the screen of \(secret.player) only",
          actual: "shown by \(device.peerID ?? device.name)")
        return
      }
      ledger.judged += 1
    }
  }
}
