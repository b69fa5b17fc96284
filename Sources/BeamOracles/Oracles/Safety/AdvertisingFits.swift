import AppSeam
import BeamScribe
package import Bench
package import Conformance
package import Judging
import SimKernel

/// What a host asks its platform to advertise.
package final class AdvertisingFits: BeamOracle {
  package static let id = "AdvertisingFits"
  package static let claim = "The name on the air has at most 8 octets, and is the start of the event's name."
  package static let clause = "BEAM 5.2.2"
  package static let nature = OracleNature.safety
  package static let restsOn = ["eventNamed"]
  package static let interests: [TraceKind] = [.presence]

  package let ledger = makeLedger()
  private let state: BeamRunState

  package init(state: BeamRunState) { self.state = state }

  package func observe(_ record: TraceRecord) {
    guard case .effect(.advertise(let request)) = record.event, let host = state.device(of: record), host.isHost else {
      return
    }
    let name = request.localName
    if name.utf8.count > Bounds.advertisedOctets {
      ledger.fail(record, expected: "at most 8 octets", actual: "“\(name)” of \(name.utf8.count) octets")
    } else if !host.eventName.utf8.starts(with: name.utf8) {
      ledger.fail(
        record, unless: host.unsaid("eventNamed"), expected: "the start of “\(host.eventName)”", actual: "“\(name)”")
    } else {
      ledger.judged += 1
    }
  }
}
