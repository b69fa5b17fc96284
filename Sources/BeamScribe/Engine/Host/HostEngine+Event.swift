import AppSeam
import BluetoothWire
import SimKernel

/// The event from its start to its end, its listener and its BLE (BEAM 2, 5.1, 5.2, 5.8, 5.10).
extension HostEngine {
  func launched() {
    report(.state(BeamState.idle.rawValue))
    if configuration.settings.resumes, let session = KeptSession(decoding: configuration.kept) { resume(session) }
  }

  func startEvent(_ name: String) {
    guard event == nil else { return }
    finals = []
    known = []
    owed = []
    keptFinals = []
    keepsNothing = false
    host(TextCuts.start(of: name.isEmpty ? configuration.displayName : name, octets: configuration.nameOctets))
    keep()
  }

  /// Opens the event, new or gone on with.
  func host(_ name: String) {
    event = name
    report(.state(BeamState.hosting.rawValue))
    report(.eventNamed(name))
    listen()
    updateAdvertising()
  }

  func endEvent() {
    guard event != nil else { return }
    event = nil
    report(.alertRaised(BeamAlert.hostDisconnected.rawValue))
    for stream in streams {
      if stream.phase == .open {
        enqueue(stream, .alert(.hostDisconnected))
        stream.phase = .ending
        pump(stream)
      } else if stream.phase != .ending, stream.phase != .finished {
        finish(stream)
      }
    }
    if listener != .off {
      ask(.stopListening(type: configuration.serviceType))
      effects.append(.cancelTimer(BeamTimer.listenAgain))
      listener = .off
    }
    forgetKept()
    report(.state(BeamState.idle.rawValue))
    guestsChanged()
  }

  // MARK: Listener

  func listen() {
    guard let event else { return }
    listener = .asked
    ask(
      .listen(
        ListenRequest(
          type: configuration.serviceType, name: event, peerToPeer: configuration.peerToPeer,
          keepAlive: configuration.keepAlive)))
  }

  func listenerReady(_ name: String) {
    guard let event else { return }
    listener = .ready
    if !name.isSame(as: event) {
      self.event = name
      report(.eventNamed(name))
      keep()
    }
    updateAdvertising()
  }

  func listenerFailed(_ reason: NetworkReason) {
    guard event != nil else { return }
    listener = .failed
    if reason == .reclaimed, !isInBackground {
      listen()
    } else {
      effects.append(.setTimer(BeamTimer.listenAgain, at: now + configuration.listenAgainTime))
    }
  }

  func comeToFront() {
    if listener == .failed {
      effects.append(.cancelTimer(BeamTimer.listenAgain))
      listen()
    }
    advertiseAgain()
  }

  // MARK: BLE

  func radioPower(_ isOn: Bool) {
    isRadioOn = isOn
    advertised = nil
    updateAdvertising()
  }

  /// What the platform may have ended meanwhile.
  func advertiseAgain() {
    if advertised != nil {
      advertised = nil
      updateAdvertising()
    }
  }

  func updateAdvertising() {
    guard configuration.usesBluetooth, isRadioOn else { return }
    let guests = guests { $0.isUp }.count
    let limit = configuration.settings.advertisesFreeSeats ? configuration.guestLimit : 1
    guard let event, guests < limit else {
      if advertised != nil {
        advertised = nil
        effects.append(.stopAdvertising)
      }
      return
    }
    let name = configuration.advertisedName(of: event)
    if advertised.map({ !$0.isSame(as: name) }) ?? true {
      advertised = name
      effects.append(.advertise(AdvertisementRequest(localName: name, serviceUUIDs: [configuration.advertisedUUID])))
    }
  }
}

extension BeamConfiguration {
  /// What of an event's name is on the air (BEAM 5.2.1, 5.2.2).
  package func advertisedName(of event: String) -> String {
    TextCuts.start(of: event, octets: advertisedOctets, characters: advertisedCharacters)
  }
}
