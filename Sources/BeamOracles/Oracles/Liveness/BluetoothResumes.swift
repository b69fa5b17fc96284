import AppSeam
import BeamScribe
package import Bench
package import Conformance
package import Judging
package import SimKernel

/// What a device asks of its Bluetooth platform once its last stream is gone. Not judged while it is away or has just
/// been.
package final class BluetoothResumes: BeamOracle {
  package static let id = "BluetoothResumes"
  package static let claim = "A device that wants a stream and has none up has BLE on within 100 ms."
  package static let clause = "BEAM 5.2.7"
  package static let nature = OracleNature.liveness
  package static let interests: [TraceKind] = [.networkInput, .networkEffect, .user, .link, .fault, .otherInput]

  package let ledger = makeLedger()
  private let state: BeamRunState
  private var asked: [SimInstant?]
  private var due = Obligations<(device: BeamDevice, since: SimInstant)>()

  package init(state: BeamRunState) {
    self.state = state
    asked = state.devices.map { _ in nil }
  }

  package var deadline: SimInstant { due.deadline }

  package func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record), device.dialect == .beamNetwork, !device.isForeign else { return }
    guard let since = device.lonelySince else {
      asked[device.index] = nil
      return
    }
    if asked[device.index] == since { return }
    asked[device.index] = since
    due.add((device, since), at: record.instant + Bounds.bluetoothResumes)
  }

  package func expire(at now: SimInstant) {
    for (instant, duty) in due.overdue(at: now) {
      let device = duty.device
      let isExcused =
        device.lonelySince != duty.since || device.isRadioOff || device.isKilled || device.isVanished
        || device.isInBackground || device.disturbedAt.map { instant - $0 < Bounds.settles } ?? false
      if isExcused { continue }
      if device.isHost ? device.isAdvertising : device.isScanning {
        ledger.judged += 1
      } else {
        ledger.fail(
          at: instant, device: device.index, since: duty.since,
          expected: device.isHost ? "the host advertises again" : "the guest scans again",
          actual: "BLE is off, and no stream has been up since \(duty.since) s")
      }
    }
  }

  package func finish(_ outcome: RunOutcome) { ledger.open += due.count }
}
