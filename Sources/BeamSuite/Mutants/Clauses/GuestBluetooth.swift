import AppSeam
import BeamOracles
import BeamScribe
import Conformance
import SimKernel

/// Defects in what a guest does over BLE (BEAM 5.2, 5.3.3, 5.3.4, 5.10.2).
extension BeamMutants {
  static let guestBluetooth: [Mutant] = [
    .beam(
      "scans-unfiltered", .beamGuest, "5.2.3", "scans without a filter and looks at names",
      asking: { _, effect in effect.isScan ? [.scan(services: [])] : [effect] }),
    .beam(
      "browse-after-scan", .beamGuest, "5.2.4", "browses only once BLE has found somebody",
      hearing: { mutant, input in
        guard case .discovered = input else { return [input] }
        for effect in mutant.kept { mutant.ask(effect) }
        mutant.kept = []
        return [input]
      },
      asking: { mutant, effect in
        switch effect.network {
        case .browse where mutant.input.beam != nil:
          mutant.kept = [effect]
          return []
        case .stopBrowsing: mutant.kept = []
        default: break
        }
        return [effect]
      }),
    .deaf("never-primes", .beamGuest, "5.3.3", failedBy: SightingsPrime.id, "does nothing with sightings") { _, input in
      if case .discovered = input { true } else { false }
    },
    .beam(
      "primes-each-time", .beamGuest, "5.3.3", "primes with each advertisement",
      hearing: { mutant, input in
        guard case .discovered(let advertisement) = input, mutant.streams.isEmpty,
          advertisement.serviceUUIDs.contains(.beamScribe)
        else { return [input] }
        mutant.ask(.prime(mutant.configuration.primeTime))
        return [input]
      },
      asking: { _, effect in if case .prime? = effect.network { [] } else { [effect] } }),
    .beam(
      "primes-for-all", .beamGuest, "5.3.4", "primes whatever the name",
      hearing: { mutant, input in
        guard case .discovered(let advertisement) = input, advertisement.localName != nil,
          advertisement.serviceUUIDs.contains(.beamScribe)
        else { return [input] }
        mutant.ask(.prime(mutant.configuration.primeTime))
        return [input]
      }),
    .silent(
      "keeps-scanning", .beamGuest, "5.2.6", failedBy: BluetoothOffWhileUp.id, "scans as long as it has joined"
    ) { mutant, effect in effect == .stopScanning && mutant.input.beam != .leave },
    .silent(
      "never-rescans", .beamGuest, "5.2.7", failedBy: BluetoothResumes.id, "scans once for each join"
    ) { mutant, effect in
      guard effect.isScan else { return false }
      if mutant.input.beam != nil { mutant.count = 0 }
      mutant.count += 1
      return mutant.count > 1
    },
    .beam(
      "connects-over-ble", .beamGuest, "5.2.5", "connects to the advertiser",
      hearing: { mutant, input in
        if case .discovered(let advertisement) = input, !mutant.isMarked {
          mutant.isMarked = true
          mutant.ask(.connect(advertisement.address))
        }
        return [input]
      }),
    .beam(
      "scan-lost-with-bluetooth", .beamGuest, "5.2.8", "does not scan again when Bluetooth is back",
      hearing: { mutant, input in
        if input == .radioPower(true) {
          mutant.isMarked = true
          return []
        }
        guard mutant.isMarked, input.joins else { return [input] }
        mutant.isMarked = false
        return [.radioPower(true), input]
      }),
    .silent("scan-left-on", .beamGuest, "5.3.1", "leaves its scan on when its person leaves") { mutant, effect in
      effect == .stopScanning && mutant.input.beam == .leave
    },
    .beam(
      "sleeps-in-background", .beamGuest, "5.10.2", "ignores sightings in the background",
      hearing: { mutant, input in
        if case .background(let isAway) = input { mutant.isMarked = isAway }
        if case .discovered = input, mutant.isMarked { return [] }
        return [input]
      }),
  ]
}

extension AppInput {
  /// Its person joins an event.
  var joins: Bool {
    switch beam {
    case .join, .joinEvent: true
    default: false
    }
  }
}
