import AppSeam
import BeamScribe
import BluetoothWire
package import Bench
package import Conformance
package import Judging
package import SimKernel

/// Nobody advertises or scans for the event while a stream of that device is up.
package final class BluetoothOffWhileUp: BeamOracle {
  package static let id = "BluetoothOffWhileUp"
  package static let claim =
    "Nobody advertises or scans for the event while a stream of that device is up."
  package static let clause = "BEAM 5.2.6"
  package static let interests: [TraceKind] = [.networkInput, .presence]

  package let ledger = makeLedger()
  private let state: BeamRunState
  private let advertisesFreeSeats: Bool
  private var due = Obligations<(device: BeamDevice, record: Int)>()

  package init(state: BeamRunState) {
    self.state = state
    advertisesFreeSeats = state.header.options.contains {
      $0.key == BeamApp.advertisesOption && $0.value == BeamApp.freeSeats
    }
  }

  package var deadline: SimInstant { due.deadline }

  package func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record) else { return }
    switch record.event {
    case .input(.network(.ready)), .input(.network(.incoming)), .effect(.advertise), .effect(.scan): break
    default: return
    }
    if device.hasStream { due.add((device, record.sequence), at: record.instant) }
  }

  package func expire(at now: SimInstant) {
    for (instant, duty) in due.overdue(at: now) {
      let device = duty.device
      // A refused stream is none.
      let streams = device.streamsUp.filter { !$0.wasEndedByOwner }
      let mayAdvertise = device.isHost && advertisesFreeSeats && streams.count < GuestsWithinCapacity.limit
      if streams.isEmpty || mayAdvertise || !(device.isAdvertising || device.isScanning) {
        ledger.judged += 1
      } else {
        ledger.fail(
          at: instant, device: device.index, record: duty.record, expected: "no BLE while a stream is up",
          actual: "the device \(device.isAdvertising ? "advertises" : "scans")")
      }
    }
  }
}

/// The name on the air has at most 8 octets, and is the start of the event's name.
package final class AdvertisingFits: BeamOracle {
  package static let id = "AdvertisingFits"
  package static let claim = "The name on the air has at most 8 octets, and is the start of the event's name."
  package static let clause = "BEAM 5.2.2"
  package static let interests: [TraceKind] = [.presence]

  package let ledger = makeLedger()
  private let state: BeamRunState

  package init(state: BeamRunState) { self.state = state }

  package func observe(_ record: TraceRecord) {
    guard case .effect(.advertise(let request)) = record.event, let host = state.device(of: record) else { return }
    let name = request.localName
    if name.utf8.count > 8 {
      ledger.fail(record, expected: "at most 8 octets", actual: "“\(name)” of \(name.utf8.count) octets")
    } else if !host.eventName.utf8.starts(with: name.utf8) {
      ledger.fail(record, expected: "the start of “\(host.eventName)”", actual: "“\(name)”")
    } else {
      ledger.judged += 1
    }
  }
}

/// A device that wants a stream and has none up has BLE on within 100 ms.
package final class BluetoothResumes: BeamOracle {
  package static let id = "BluetoothResumes"
  package static let claim = "A device that wants a stream and has none up has BLE on within 100 ms."
  package static let clause = "BEAM 5.2.7"
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
      guard device.lonelySince == duty.since else { continue }
      if device.isRadioOff || device.isKilled || device.isVanished || device.isInBackground { continue }
      if device.disturbedAt.map({ instant - $0 < Bounds.settles }) ?? false { continue }
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

/// A guest that hears the host while it looks primes in the same instant.
package final class SightingsPrime: BeamOracle {
  package static let id = "SightingsPrime"
  package static let claim = "A guest that hears the host while it looks primes in the same instant."
  package static let clause = "BEAM 5.3.3"
  package static let interests: [TraceKind] = [.otherInput, .networkEffect]

  package let ledger = makeLedger()
  private let state: BeamRunState
  private var due = Obligations<(guest: BeamDevice, record: Int)>()

  package init(state: BeamRunState) { self.state = state }

  package var deadline: SimInstant { due.deadline }

  package func observe(_ record: TraceRecord) {
    guard let guest = state.device(of: record), !guest.isHost, guest.dialect == .beamNetwork else { return }
    switch record.event {
    case .input(.discovered(let advertisement)):
      guard guest.isWanted, !guest.hasStream, guest.attempts.isEmpty, record.instant >= guest.primedUntil,
        advertisement.serviceUUIDs.contains(.beamScribe)
      else { return }
      // Whose name the person said, and who says another one, is not primed for.
      if guest.wantedName != nil, advertisement.localName != nil { return }
      due.add((guest, record.sequence), at: record.instant)
    case .effect(.network(.prime)):
      due.remove { $0.guest === guest }
      ledger.judged += 1
    default: break
    }
  }

  package func expire(at now: SimInstant) {
    for (instant, duty) in due.overdue(at: now) {
      ledger.fail(
        at: instant, device: duty.guest.index, record: duty.record, expected: "peer to peer is primed at once",
        actual: "nothing is")
    }
  }
}
