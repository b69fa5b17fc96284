import AppSeam
import BeamScribe
package import Bench
package import Conformance
package import Judging
package import SimKernel

/// What a device asks of its Bluetooth platform once a stream is ready. With `host advertises: free seats` a host goes
/// on.
package final class BluetoothOffWhileUp: BeamOracle {
  package static let id = "BluetoothOffWhileUp"
  package static let claim = "Nobody advertises or scans for the event while a stream of that device is up."
  package static let clause = "BEAM 5.2.6"
  package static let nature = OracleNature.safety
  package static let interests: [TraceKind] = [.networkInput, .presence]

  package let ledger = makeLedger()
  private let state: BeamRunState
  private var due = Obligations<(device: BeamDevice, record: Int)>()
  private lazy var advertisesFreeSeats = state.header.options.contains {
    $0.key == BeamApp.advertisesOption && $0.value == BeamApp.freeSeats
  }

  package init(state: BeamRunState) { self.state = state }

  package var deadline: SimInstant { due.deadline }

  package func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record), device.dialect == .beamNetwork else { return }
    switch record.event {
    case .input(.network(.ready)), .input(.network(.incoming)), .effect(.advertise), .effect(.scan): break
    default: return
    }
    if device.hasStream { due.add((device, record.sequence), at: record.instant) }
  }

  package func expire(at now: SimInstant) {
    for (instant, duty) in due.overdue(at: now) {
      let device = duty.device
      let count = device.guestCount
      let mayAdvertise = device.isHost && advertisesFreeSeats && count < Bounds.guests
      if count == 0 || mayAdvertise || device.isKilled || !(device.isAdvertising || device.isScanning) {
        ledger.judged += 1
      } else {
        ledger.fail(
          at: instant, device: device.index, record: duty.record, expected: "no BLE while a stream is up",
          actual: "the device \(device.isAdvertising ? "advertises" : "scans")")
      }
    }
  }
}
