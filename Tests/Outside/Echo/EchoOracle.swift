import AppSeam
import Bench
import Conformance
import Judging
import SimKernel

/// Every ping that reaches a host is answered by one pong with its number, within a second in which its app runs.
final class PongsAnswerPings: Oracle {
  static let id = "PongsAnswerPings"
  static let claim = "A host answers every ping with one pong that has its number."
  static let clause = "ECHO 1"
  static let nature = OracleNature.liveness
  static let interests: [TraceKind] = [.value, .transmit, .link]
  static let patience = SimDuration.seconds(1)

  let ledger = makeLedger()
  private let state: RunState
  private var due: [(device: Int, link: LinkID, number: UInt8, pong: Obligation)] = []

  init(state: RunState) { self.state = state }

  var deadline: SimInstant { due.reduce(.distantFuture) { min($0, $1.pong.deadline) } }

  func observe(_ record: TraceRecord) {
    guard state.parties.indices.contains(record.device), state.parties[record.device].role == .echoHost else { return }
    switch record.event {
    case .input(.valueReceived(let link, _, let octets)):
      guard case .ping(let number)? = EchoPacket(octets) else { return }
      let pong = Obligation(state.parties[record.device].running, within: Self.patience, from: record.instant)
      due.append((record.device, link, number, pong))
    case .effect(.notify(let link, _, let octets)):
      guard case .pong(let number)? = EchoPacket(octets) else { return }
      let place = due.firstIndex { $0.device == record.device && $0.link == link }
      guard let place else {
        return ledger.fail(record, expected: "pongs that answer pings", actual: "pong \(number), unasked")
      }
      let asked = due.remove(at: place).number
      if asked == number {
        ledger.judged += 1
      } else {
        ledger.fail(record, expected: "pong \(asked)", actual: "pong \(number)")
      }
    case .input(.disconnected(let link, _)):
      due.removeAll { $0.device == record.device && $0.link == link }
    default: break
    }
  }

  func expire(at now: SimInstant) {
    for ping in due where ping.pong.isDue(at: now) {
      ledger.fail(
        at: ping.pong.deadline, device: ping.device, expected: "pong \(ping.number) within a second",
        actual: "nothing came")
    }
    due.removeAll { $0.pong.isDue(at: now) }
  }

  func finish(_ outcome: RunOutcome) { ledger.open += due.count }
}

extension OracleReader {
  /// Judges Echo.
  static func echo() -> OracleReader {
    OracleReader(of: EchoApp.name) { header in
      let state = RunState(
        header: header, parties: header.devices.enumerated().map { DeviceState(index: $0.offset, device: $0.element) })
      return (state, [PongsAnswerPings(state: state)])
    }
  }
}
