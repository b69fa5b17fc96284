import AppSeam
import BabSim
package import Bench
import BluetoothWire
package import Conformance
package import Judging

/// A host has the service of its dialect once, as the dialect has it: a client that finds two cannot know which of them
/// answers, and one that finds another property cannot use it.
package final class OneServicePerHost: BabOracle {
  package static let id = "OneServicePerHost"
  package static let claim = "A host publishes the service of its dialect as it is, and once."
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
        compare(service, device, record)
      }
    default: break
    }
  }

  private func compare(_ service: ServiceDefinition, _ device: BabDevice, _ record: TraceRecord) {
    guard let wanted = device.dialect?.service, wanted.uuid == service.uuid else {
      return ledger.judged += 1
    }
    var isRight = true
    for characteristic in wanted.characteristics {
      let found = service.characteristics.first { $0.uuid == characteristic.uuid }
      if found == characteristic { continue }
      isRight = false
      ledger.fail(
        record, expected: "characteristic \(characteristic.uuid) with \(characteristic.properties.words)",
        actual: found.map { "it has \($0.properties.words)" } ?? "there is no such characteristic")
    }
    for other in service.characteristics where !wanted.characteristics.contains(where: { $0.uuid == other.uuid }) {
      isRight = false
      ledger.fail(
        record, expected: "the characteristics of the dialect and no others",
        actual: "characteristic \(other.uuid) with \(other.properties.words)")
    }
    if isRight { ledger.judged += 1 }
  }
}
