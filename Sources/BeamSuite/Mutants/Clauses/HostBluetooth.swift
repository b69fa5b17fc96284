import AppSeam
import BeamOracles
import BeamScribe
import BluetoothWire
import Conformance
import SimKernel

/// Defects in what a host does over BLE (BEAM 5.2).
extension BeamMutants {
  private static let lateTimer = TimerID(Int(Int32.max) - 1)

  static let hostBluetooth: [Mutant] = [
    .beam(
      "ble-late", .beamHost, "5.2.4", "starts BLE a second after the listener",
      hearing: { mutant, input in
        guard input == .timer(lateTimer) else { return [input] }
        for effect in mutant.kept { mutant.ask(effect) }
        mutant.kept = []
        return []
      },
      asking: { mutant, effect in
        if effect == .stopAdvertising { mutant.kept = [] }
        guard effect.isAdvertise else { return [effect] }
        mutant.kept = [effect]
        return [.setTimer(lateTimer, at: mutant.now + .seconds(1))]
      }),
    .number(
      "advertises-other-uuid", .beamHost, "5.2.1", "advertises the UUID with its octets reversed"
    ) { $0.advertisedUUID = BluetoothUUID(high: 0x0100_0000_0000_579A, low: 0x1E4B_5E1A_815C_A3BE) },
    .number(
      "whole-event-name", .beamHost, "5.2.2", failedBy: AdvertisingFits.id,
      "advertises the whole name and leaves the cut to the platform"
    ) {
      $0.advertisedOctets = .max
      $0.advertisedCharacters = .max
    },
    .beam(
      "publishes-service", .beamHost, "5.2.5", "publishes a GATT service",
      hearing: { mutant, input in
        if case .startEvent = input.beam {
          mutant.ask(.publish(ServiceDefinition(uuid: .beamScribe, characteristics: [])))
        }
        return [input]
      }),
    .silent(
      "keeps-advertising", .beamHost, "5.2.6", failedBy: BluetoothOffWhileUp.id, "advertises as long as it hosts"
    ) { mutant, effect in effect == .stopAdvertising && mutant.input.beam != .endEvent },
    .silent(
      "never-advertises-again", .beamHost, "5.2.7", failedBy: BluetoothResumes.id, "advertises once for each event"
    ) { mutant, effect in
      if effect.shows(.hosting) { mutant.count = 0 }
      guard effect.isAdvertise else { return false }
      mutant.count += 1
      return mutant.count > 1
    },
    .beam(
      "seats-miscounted", .beamHost, "5.2.6", "counts streams in place of guests",
      hearing: { mutant, input in
        guard case .incoming? = input.network, mutant.configuration.settings.advertisesFreeSeats,
          mutant.streams.count >= mutant.configuration.guestLimit
        else { return [input] }
        mutant.ask(.stopAdvertising)
        return [input]
      },
      asking: { mutant, effect in
        effect.isAdvertise && mutant.streams.count >= mutant.configuration.guestLimit ? [] : [effect]
      }),
    .beam(
      "bluetooth-off-forgotten", .beamHost, "5.2.8", "waits for the next event before it advertises again",
      hearing: { mutant, input in
        if input == .radioPower(true), mutant.state == BeamState.hosting.rawValue {
          mutant.isMarked = true
          return []
        }
        guard case .startEvent = input.beam, mutant.isMarked, mutant.state != BeamState.hosting.rawValue else {
          return [input]
        }
        mutant.isMarked = false
        return [.radioPower(true), input]
      }),
    .beam(
      "needs-bluetooth", .beamHost, "5.2.8", "listens only once BLE advertises",
      hearing: { mutant, input in
        if input == .advertisingStarted(true) {
          mutant.isMarked = true
          for effect in mutant.kept { mutant.ask(effect) }
          mutant.kept = []
        }
        return [input]
      },
      asking: { mutant, effect in
        if effect.shows(.idle) { (mutant.kept, mutant.isMarked) = ([], false) }
        guard effect.isListen, !mutant.isMarked else { return [effect] }
        mutant.kept = [effect]
        return []
      }),
    .beam(
      "stops-in-background", .beamHost, "5.10.1", "stops BLE in the background",
      hearing: { mutant, input in
        if input == .background(true), mutant.configuration.usesBluetooth { mutant.ask(.stopAdvertising) }
        return [input]
      }),
  ]
}
