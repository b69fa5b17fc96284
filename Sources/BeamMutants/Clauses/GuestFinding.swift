import AppSeam
import BeamScribe
import BluetoothWire
import Conformance
import SimKernel

/// Guests that are wrong about BLE, finding, connecting, retries and paths.
extension BeamMutants {
  static let guestFinding: [Mutant] = guestBluetooth + guestJoining + guestRetries + guestPaths

  private static let guestBluetooth: [Mutant] = [
    .seam(
      "scans-unfiltered", .beamGuest, "5.2.3", "scans without a filter and looks at names",
      asking: { effect, _ in
        if case .scan = effect { return [.scan(services: [])] }
        return [effect]
      }),
    .seam(
      "browse-after-scan", .beamGuest, "5.2.4", "browses only once BLE has found somebody",
      hearing: { input, notes in
        if case .discovered = input {
          notes.added += notes.heldEffects
          notes.heldEffects = []
        }
        return [input]
      },
      asking: { effect, notes in
        guard case .network(.browse) = effect else { return [effect] }
        notes.heldEffects = [effect]
        return []
      }),
    .seam(
      "never-primes", .beamGuest, "5.3.3", failedBy: "SightingsPrime", "does nothing with sightings",
      asking: { effect, _ in
        if case .network(.prime) = effect { return [] }
        return [effect]
      }),
    .seam(
      "primes-each-time", .beamGuest, "5.3.3", "primes with each advertisement",
      hearing: { input, notes in
        if case .discovered = input { notes.ask(.prime(notes.configuration.primeTime)) }
        return [input]
      }),
    .seam(
      "primes-for-all", .beamGuest, "5.3.4", "primes whatever the name",
      hearing: { input, _ in
        guard case .discovered(var advertisement) = input else { return [input] }
        advertisement.localName = nil
        return [.discovered(advertisement)]
      }),
    .seam(
      "keeps-scanning", .beamGuest, "5.2.6", failedBy: "BluetoothOffWhileUp", "scans as long as it has joined",
      hearing: { input, notes in
        if case .user(let action) = input, case .leave? = action.beam { notes[1] = 1 }
        return [input]
      },
      asking: { effect, notes in
        if case .stopScanning = effect, notes[1] == 0 { return [] }
        return [effect]
      }),
    .seam(
      "never-rescans", .beamGuest, "5.2.7", failedBy: "BluetoothResumes", "scans once for each join",
      hearing: { input, notes in
        if case .user(let action) = input {
          switch action.beam {
          case .join, .joinEvent: notes[1] = 0
          default: break
          }
        }
        return [input]
      },
      asking: { effect, notes in
        guard case .scan = effect else { return [effect] }
        notes[1] += 1
        return notes[1] == 1 ? [effect] : []
      }),
    .seam(
      "connects-over-ble", .beamGuest, "5.2.5", "connects to the advertiser",
      hearing: { input, notes in
        if case .discovered(let advertisement) = input, notes[1] == 0 {
          notes[1] = 1
          notes.added.append(.connect(advertisement.address))
        }
        return [input]
      }),
    .seam(
      "scan-lost-with-bluetooth", .beamGuest, "5.2.8", "does not scan again when Bluetooth is back",
      hearing: { input, _ in
        if case .radioPower(true) = input { return [] }
        return [input]
      }),
    .seam(
      "scan-left-on", .beamGuest, "5.3.1", "leaves its scan on when its person leaves",
      hearing: { input, notes in
        if case .user(let action) = input { notes[1] = action.beam == .leave ? 1 : 0 }
        return [input]
      },
      asking: { effect, notes in
        if case .stopScanning = effect, notes[1] == 1 { return [] }
        return [effect]
      }),
    .seam(
      "sleeps-in-background", .beamGuest, "5.10.2", "ignores sightings in the background",
      hearing: { input, notes in
        if case .background(let isBack) = input { notes[1] = isBack ? 1 : 0 }
        if case .discovered = input, notes[1] == 1 { return [] }
        return [input]
      }),
    .adjusted("primes-in-mpc", .beamGuest, "6.4", "scans and primes in `mpc`") { $0.usesBluetooth = true },
  ]

  private static let guestJoining: [Mutant] = [
    .seam(
      "waits-for-ble", .beamGuest, "5.3.2", "connects only to hosts that it has heard",
      hearing: { input, notes in
        switch input {
        case .discovered:
          let held = notes.held
          notes.held = []
          notes[1] = 1
          return [input] + held
        case .network(.found) where notes[1] == 0:
          notes.held.append(input)
          return []
        default: return [input]
        }
      }),
    .adjusted("wrong-type", .beamGuest, "2.3", "browses for `_beamscribe._udp`") {
      $0.serviceType = "_beamscribe._udp"
    },
    .seam(
      "first-event-wins", .beamGuest, "2.4", "joins the first event whatever its person said",
      hearing: { input, _ in
        if case .user(let action) = input, case .joinEvent? = action.beam { return [.user(BeamAction.join)] }
        return [input]
      }),
    .seam(
      "prefix-matches", .beamGuest, "2.4", "takes a name that begins with the wanted one",
      hearing: { input, notes in
        if case .user(let action) = input, case .joinEvent(let name)? = action.beam { notes.texts[1] = name }
        guard case .network(.found(let endpoint, let type, let name, let interfaces)) = input,
          let wanted = notes.texts[1], name.hasPrefix(wanted)
        else { return [input] }
        return [.network(.found(endpoint, type: type, name: wanted, interfaces: interfaces))]
      }),
    .seam(
      "attempt-for-each-result", .beamGuest, "5.3.5", failedBy: "OneAttemptAtATime", "connects for each result",
      hearing: { input, notes in
        switch input {
        case .network(.found(let endpoint, _, _, _)), .network(.changed(let endpoint, _)):
          notes[1] += 1
          let request = ConnectRequest(endpoint: endpoint, interfaces: notes.configuration.interfaces)
          notes.ask(.connect(ConnectionID(1_000_000 + 2 * notes[1]), request))
        default: break
        }
        return input.isAboutOwnConnection ? [] : [input]
      }),
    .adjusted("waits-forever", .beamGuest, "5.3.6", "waits for the platform to give up") { $0.attemptTime = nil },
    .seam(
      "showing-too-early", .beamGuest, "5.3.7", "shows SHOWING when the stream is ready",
      asking: { effect, _ in
        if case .state(BeamState.connected.rawValue)? = effect.beam {
          return [effect, .report(.state(BeamState.showing.rawValue))]
        }
        return [effect]
      }),
    .seam(
      "comes-back-after-leaving", .beamGuest, "5.8.5", "leaves its retry timer set when its person leaves",
      hearing: { input, notes in
        if case .user(let action) = input, case .leave? = action.beam { notes.setTimer(after: .seconds(1)) }
        guard case .timer(SeamNotes.timer) = input else { return [input] }
        return [.user(BeamAction.join)]
      }),
    .seam(
      "says-hello", .beamGuest, "1.2", failedBy: "GuestsSendNothing", "sends a packet when it is connected",
      hearing: { input, notes in
        if case .network(.ready(let id, _)) = input {
          let frame = Frame(body: BeamPacket.alert(.batteryLow).encoded())
          notes.ask(.send(id, octets: frame.encoded(.length)))
        }
        return [input]
      }),
    .adjusted("invites-forever", .beamGuest, "6.1", "invites without a timeout") {
      if $0.isMPC { $0.attemptTime = nil }
    },
    .seam(
      "polls", .beamGuest, "7.6", failedBy: "NoCrashNoHang", "asks its browser again each millisecond",
      hearing: { input, notes in
        guard case .timer(SeamNotes.timer) = input else { return [input] }
        notes.setTimer(after: .milliseconds(1))
        return []
      },
      asking: { effect, notes in
        if case .network(.browse) = effect { notes.setTimer(after: .milliseconds(1)) }
        return [effect]
      }),
  ]

  private static let guestRetries: [Mutant] = [
    .seam(
      "lost-unshown", .beamGuest, "5.9.1", "shows SHOWING until a retry has failed",
      hearing: { input, notes in
        if case .network(.ready) = input { notes[1] = 0 }
        return [input]
      },
      asking: { effect, notes in
        guard case .state(BeamState.lost.rawValue)? = effect.beam else { return [effect] }
        notes[1] += 1
        return notes[1] == 1 ? [] : [effect]
      }),
    .adjusted("retries-at-once", .beamGuest, "5.9.2", failedBy: "RetriesWait", "tries again without waiting") {
      $0.retryWaits = [.zero, .zero, .zero]
    },
    .adjusted("constant-retry", .beamGuest, "5.9.2", failedBy: "RetriesWait", "waits 1 s each time") {
      $0.retryWaits = [.seconds(1), .seconds(1), .seconds(1)]
    },
    .adjusted("retries-on", .beamGuest, "5.9.3", failedBy: "RetriesWait", "goes on with 8 s, 16 s") {
      $0.retryWaits = [1, 2, 4, 8, 16].map { .seconds($0) }
    },
    .seam(
      "gives-up", .beamGuest, "5.9.3", failedBy: "LostGuestsReturn", "does nothing after the third failure",
      hearing: { input, notes in
        switch input {
        case .user: notes[1] = 0
        case .network(.found), .network(.changed): if notes[1] == 1 { return [] }
        default: break
        }
        return [input]
      },
      asking: { effect, notes in
        switch effect.beam {
        case .state(BeamState.lost.rawValue): notes[2] = 1
        case .state(BeamState.looking.rawValue): if notes[2] == 1 { notes[1] = 1 }
        case .historyShown: notes[2] = 0
        default: break
        }
        return [effect]
      }),
    .seam(
      "ready-resets-retries", .beamGuest, "5.9.4", failedBy: "RetriesWait",
      "counts from the start with each ready stream",
      hearing: { input, notes in
        if case .network(.ready) = input { notes[1] = 1 }
        return [input]
      },
      asking: { effect, notes in
        guard case .setTimer(let id, let instant) = effect, notes[1] == 1, notes.state == BeamState.lost.rawValue,
          instant - notes.now == .seconds(2) || instant - notes.now == .seconds(4)
        else { return [effect] }
        notes[1] = 0
        return [.setTimer(id, at: notes.now + .seconds(1))]
      }),
    .seam(
      "retries-a-ghost", .beamGuest, "5.9.5", "tries to reach an event that is gone",
      hearing: { input, _ in
        if case .network(.lost) = input { return [] }
        return [input]
      }),
    .seam(
      "two-at-once", .beamGuest, "5.9.6", failedBy: "OneAttemptAtATime", "connects for the timer and for the browser",
      hearing: { input, notes in
        if case .network(.found(let endpoint, _, _, _)) = input, notes.state == BeamState.lost.rawValue {
          notes[1] += 1
          let request = ConnectRequest(endpoint: endpoint, interfaces: notes.configuration.interfaces)
          notes.ask(.connect(ConnectionID(1_000_000 + 2 * notes[1]), request))
        }
        return input.isAboutOwnConnection ? [] : [input]
      }),
    .seam(
      "refusal-is-final", .beamGuest, "7.3", failedBy: "LostGuestsReturn", "stays away from a host that it refused",
      hearing: { input, notes in
        if case .user = input { notes[1] = 0 }
        if case .network(.found) = input, notes[1] == 1 { return [] }
        return [input]
      },
      asking: { effect, notes in
        if case .refused? = effect.beam { notes[1] = 1 }
        if case .network(.connect(let id, _)) = effect, notes[1] == 1 {
          notes.feed(.failed(id, .refused))
          return []
        }
        return [effect]
      }),
    .adjusted(
      "guest-without-keep-alive", .beamGuest, "5.9.9", failedBy: "VanishedHostsAreNoticed", "asks for no keep-alive"
    ) {
      $0.keepAlive = nil
    },
    .seam(
      "waits-in-front", .beamGuest, "5.10.3", "continues the wait that it had",
      hearing: { input, _ in
        if case .background(false) = input { return [] }
        return [input]
      }),
    .seam(
      "vanished-unnoticed", .beamGuest, "5.7.5", failedBy: "VanishedHostsAreNoticed",
      "shows no alert that it was not sent",
      asking: { effect, _ in
        if case .alertShown(_, isOwn: true)? = effect.beam { return [] }
        return [effect]
      }),
  ]

  private static let guestPaths: [Mutant] = [
    .seam(
      "viability-is-loss", .beamGuest, "5.11.6", "cancels a stream that is not viable",
      hearing: { input, notes in
        guard case .network(.viable(let id, false)) = input else { return [input] }
        notes.ask(.cancel(id))
        return [.network(.failed(id, .noPath))]
      }),
    .adjusted("awdl-first", .beamGuest, "5.11.1", failedBy: "InfrastructurePreferred", "prefers AWDL") {
      $0.interfaces = [.peerToPeer, .infrastructure]
    },
    .adjusted("needs-infrastructure", .beamGuest, "5.11.2", "connects over infrastructure only") {
      $0.interfaces = [.infrastructure]
    },
    .seam(
      "switches-hard", .beamGuest, "5.11.3", "cancels the old stream when the new one is ready",
      hearing: { input, notes in
        guard case .network(.ready(let id, _)) = input, let old = notes.ready.first, old != id else { return [input] }
        notes.ask(.cancel(old))
        notes.ready.removeAll { $0 == old }
        return [input, .network(.failed(old, .reset))]
      }),
    .seam(
      "ignores-better-path", .beamGuest, "5.11.3", "stays on AWDL",
      hearing: { input, _ in
        if case .network(.betterPath) = input { return [] }
        return [input]
      }),
    .seam(
      "second-failure-is-loss", .beamGuest, "5.11.4", "counts the failure of the second stream as a loss",
      hearing: { input, notes in
        guard case .network(.failed(let id, _)) = input, let first = notes.ready.first, first != id else {
          return [input]
        }
        notes.ask(.cancel(first))
        notes.ready = []
        return [input, .network(.failed(first, .reset))]
      }),
  ]
}

extension AppInput {
  /// About a connection that a mutant opened by itself.
  var isAboutOwnConnection: Bool {
    switch self {
    case .network(.ready(let id, _)), .network(.waiting(let id, _)), .network(.failed(let id, _)),
      .network(.received(let id, _)), .network(.ended(let id)), .network(.submitted(let id, _)),
      .network(.room(let id)), .network(.viable(let id, _)), .network(.betterPath(let id, _)),
      .network(.cancelled(let id)):
      id.rawValue > 1_000_000
    default: false
    }
  }
}
