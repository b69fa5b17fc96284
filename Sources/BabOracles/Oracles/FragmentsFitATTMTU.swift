import AppSeam
import BabSim
package import Bench
package import Conformance
package import Judging

/// No app hands the platform a value that does not fit one ATT PDU of its link.
package final class FragmentsFitATTMTU: BabOracle {
  package static let id = "FragmentsFitATTMTU"
  package static let claim = "Every notified or written fragment is at most ATT_MTU - 3 octets long, and at most 512."
  /// The opcode and the handle take three octets (Core v5.4, Vol 3, Part F, 3.4.5.1, 3.4.5.3, 3.4.7.1).
  package static let clause = "BAB 3.4"
  package static let nature = OracleNature.safety
  package static let interests: [TraceKind] = [.transmit]

  package let ledger = makeLedger()
  private let state: BabRunState

  package init(state: BabRunState) { self.state = state }

  package func observe(_ record: TraceRecord) {
    guard case .effect(let effect) = record.bab, let device = state.device(of: record) else { return }
    switch effect {
    case .notify(let id, _, let octets), .writeWithoutResponse(let id, _, let octets), .write(let id, _, let octets):
      // What the phone of a captured device still sends for the app before is nobody's.
      let link = device.link(id)
      if link == nil, device.isCaptured { return }
      let attMTU = link?.attMTU ?? 23
      let limit = Fragmenter.valueOctets(attMTU: attMTU)
      if octets.count <= limit {
        ledger.judged += 1
      } else {
        ledger.fail(
          record, expected: "at most \(limit) octets at ATT_MTU \(attMTU)",
          actual: "\(octets.count) octets")
      }
    default: break
    }
  }
}
