import AppSeam
import BeamScribe
import BluetoothWire
import Conformance
import SimKernel

/// Hosts that are wrong about BLE, listening, names, seats and the background.
extension BeamMutants {
  static let hostPresence: [Mutant] = [
    .seam(
      "ble-late", .beamHost, "5.2.4", "starts BLE a second after the listener",
      hearing: { input, notes in
        guard case .timer(SeamNotes.timer) = input else { return [input] }
        notes.added += notes.heldEffects
        notes.heldEffects = []
        return []
      },
      asking: { effect, notes in
        if case .stopAdvertising = effect { notes.heldEffects = [] }
        guard case .advertise = effect else { return [effect] }
        notes.heldEffects = [effect]
        notes.setTimer(after: .seconds(1))
        return []
      }),
    .seam(
      "listens-early", .beamHost, "5.1.1", "listens from its launch on",
      hearing: { input, notes in
        if case .launched = input {
          let configuration = notes.configuration
          notes.ask(
            .listen(
              ListenRequest(
                type: configuration.serviceType, name: configuration.displayName,
                peerToPeer: configuration.peerToPeer, keepAlive: configuration.keepAlive)))
        }
        if case .network(.listenerReady) = input, !notes.isInEvent {
          notes.held = [input]
          return []
        }
        return [input]
      },
      asking: { effect, notes in
        guard case .network(.listen) = effect, notes[1] == 0 else { return [effect] }
        notes[1] = 1
        notes.fed += notes.held
        return []
      }),
    .adjusted(
      "advertises-other-uuid", .beamHost, "5.2.1", "advertises the UUID with its octets reversed"
    ) {
      $0.advertisedUUID = BluetoothUUID(
        high: $0.advertisedUUID.low.byteSwapped, low: $0.advertisedUUID.high.byteSwapped)
    },
    .adjusted(
      "whole-event-name", .beamHost, "5.2.2", failedBy: "AdvertisingFits",
      "advertises the whole name and leaves the cut to the platform"
    ) {
      $0.advertisedCharacters = 248
      $0.advertisedOctets = 248
    },
    .seam(
      "publishes-service", .beamHost, "5.2.5", "publishes a GATT service",
      asking: { effect, notes in
        guard case .advertise = effect else { return [effect] }
        return [.publish(ServiceDefinition(uuid: notes.configuration.advertisedUUID, characteristics: [])), effect]
      }),
    .seam(
      "keeps-advertising", .beamHost, "5.2.6", failedBy: "BluetoothOffWhileUp", "advertises as long as it hosts",
      asking: { effect, notes in
        if case .stopAdvertising = effect, notes.isInEvent { return [] }
        return [effect]
      }),
    .seam(
      "never-advertises-again", .beamHost, "5.2.7", failedBy: "BluetoothResumes", "advertises once for each event",
      hearing: { input, notes in
        if case .user(let action) = input, case .startEvent? = action.beam { notes[1] = 0 }
        return [input]
      },
      asking: { effect, notes in
        guard case .advertise = effect else { return [effect] }
        notes[1] += 1
        return notes[1] == 1 ? [effect] : []
      }),
    .seam(
      "seats-miscounted", .beamHost, "5.2.6", "counts streams in place of guests",
      hearing: { input, notes in
        if case .network(.incoming) = input, notes.streams.count >= notes.configuration.guestLimit {
          notes.added.append(.stopAdvertising)
        }
        return [input]
      }),
    .seam(
      "bluetooth-off-forgotten", .beamHost, "5.2.8", "waits for the next event before it advertises again",
      hearing: { input, _ in
        if case .radioPower(true) = input { return [] }
        return [input]
      }),
    .seam(
      "needs-bluetooth", .beamHost, "5.2.8", "listens only once BLE advertises",
      hearing: { input, notes in
        if case .advertisingStarted(true) = input {
          notes.added += notes.heldEffects
          notes.heldEffects = []
          notes[1] = 1
        }
        return [input]
      },
      asking: { effect, notes in
        guard case .network(.listen) = effect, notes[1] == 0 else { return [effect] }
        notes.heldEffects = [effect]
        return []
      }),
    .adjusted("no-peer-to-peer", .beamHost, "5.1.2", "listens on infrastructure only") { $0.peerToPeer = false },
    .seam(
      "name-cut-in-character", .beamHost, "2.1", "cuts the name after 63 octets",
      hearing: { input, notes in
        if case .user(let action) = input, case .startEvent(let name)? = action.beam { notes.texts[1] = name }
        return [input]
      },
      asking: { effect, notes in
        guard case .network(.listen(var request)) = effect, let name = notes.texts[1], name.utf8.count > 63 else {
          return [effect]
        }
        request.name = String(decoding: name.utf8.prefix(63), as: UTF8.self)
        return [.network(.listen(request))]
      }),
    .seam(
      "keeps-own-name", .beamHost, "2.2", "registers its own name again when it was renamed",
      hearing: { input, notes in
        guard case .network(.listenerReady(let type, let name, let port)) = input, let own = notes.texts[1],
          name != own
        else { return [input] }
        return [.network(.listenerReady(type: type, name: own, port: port))]
      },
      asking: { effect, notes in
        if case .network(.listen(let request)) = effect { notes.texts[1] = request.name }
        return [effect]
      }),
    .seam(
      "listener-given-up", .beamHost, "5.1.3", "goes on without a listener",
      hearing: { input, _ in
        if case .network(.listenerFailed) = input { return [] }
        return [input]
      }),
    .seam(
      "second-start", .beamHost, "5.1.4", "starts a new transcript at a second start",
      hearing: { input, notes in
        guard case .user(let action) = input, case .startEvent? = action.beam else { return [input] }
        notes[1] += 1
        return notes[1] == 1 ? [input] : [.user(BeamAction.endEvent), input]
      }),
    .adjusted("six-guests", .beamHost, "1.3", "counts itself twice") { $0.guestLimit = 6 },
    .adjusted(
      "eighth-guest-taken", .beamHost, "1.3", failedBy: "GuestsWithinCapacity", "takes whoever comes"
    ) { $0.guestLimit = 1_000 },
    .seam(
      "eighth-replaces-first", .beamHost, "1.4", "cancels its first stream for the eighth",
      hearing: { input, notes in
        guard case .network(.incoming) = input, notes.streams.count > notes.configuration.guestLimit else {
          return [input]
        }
        let first = notes.streams.removeFirst().id
        notes.ask(.cancel(first))
        return [.network(.failed(first, .reset)), input]
      }),
    .seam(
      "seat-not-freed", .beamHost, "5.9.7", "frees a seat when the event ends",
      hearing: { input, notes in
        if case .user(let action) = input, case .startEvent? = action.beam { notes[1] = 0 }
        guard case .network(.incoming(let id, _, _)) = input else { return [input] }
        notes[1] += 1
        if notes[1] <= notes.configuration.guestLimit { return [input] }
        notes.ask(.cancel(id))
        notes.report(.refused(id, reason: RefusalReason.full.rawValue))
        return []
      }),
    .seam(
      "streams-counted", .beamHost, "1.5", "counts streams against capacity",
      hearing: { input, notes in
        guard case .network(.incoming(let id, let interface, let peer)) = input else { return [input] }
        let isSecond = notes.streams.contains { $0.id != id && $0.peer == peer && $0.interface != interface }
        return isSecond ? [.network(.incoming(id, interface, peer: peer + " again"))] : [input]
      }),
    .seam(
      "both-streams-kept", .beamHost, "5.11.5", "keeps every stream of a guest",
      hearing: { input, notes in
        guard case .network(.incoming(let id, let interface, let peer)) = input else { return [input] }
        let isSecond = notes.streams.contains { $0.id != id && $0.peer == peer && $0.interface == interface }
        return isSecond ? [.network(.incoming(id, interface, peer: peer + " again"))] : [input]
      }),
    .seam(
      "stops-in-background", .beamHost, "5.10.1", "stops BLE in the background",
      hearing: { input, notes in
        if case .background(true) = input { notes.added.append(.stopAdvertising) }
        return [input]
      }),
    .seam(
      "listener-not-restored", .beamHost, "5.10.3", "believes that its listener is still there",
      hearing: { input, _ in
        if case .network(.listenerFailed(_, .reclaimed)) = input { return [] }
        return [input]
      }),
    .seam(
      "never-rests", .beamHost, "7.6", failedBy: "NoCrashNoHang",
      "sets a timer for the present instant whenever it is due",
      hearing: { input, notes in
        guard case .timer(SeamNotes.timer) = input else { return [input] }
        notes.setTimer(after: .zero)
        return []
      },
      asking: { effect, notes in
        if case .network(.listen) = effect { notes.setTimer(after: .zero) }
        return [effect]
      }),
    .adjusted("accepts-all", .beamHost, "6.2", "accepts every invitation") {
      if $0.isMPC { $0.guestLimit = 1_000 }
    },
  ]
}
