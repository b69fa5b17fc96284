import AppSeam
import BabSim
import BluetoothWire
package import Bench
package import Conformance
package import Judging

/// A host has the service of its dialect once: a client that finds two cannot know which of them answers.
package final class OneServicePerHost: BabOracle {
  package static let id = "OneServicePerHost"
  package static let claim = "A host publishes a service once, until its app ends or Bluetooth goes off."
  package static let clause = "BAB 2.1"
  package static let nature = OracleNature.safety
  package static let interests: [TraceKind] = [.launched, .presence, .link, .otherEffect]

  package let ledger = makeLedger()
  private let state: BabRunState
  /// What each device has published; asked by device only.
  private var published: [Int: [BluetoothUUID]] = [:]

  package init(state: BabRunState) { self.state = state }

  package func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record), device.role == .host else { return }
    switch record.bab {
    case .input(.launched), .input(.radioPower(false)): published[record.device] = nil
    // It does not say which one is gone.
    case .effect(.gatt(.unpublish)): published[record.device] = nil
    case .effect(.publish(let service)):
      if published[record.device]?.contains(service.uuid) ?? false {
        ledger.fail(
          record, expected: "the service \(service.uuid) once", actual: "it is published again beside the first")
      } else {
        published[record.device, default: []].append(service.uuid)
        ledger.judged += 1
      }
    default: break
    }
  }
}
