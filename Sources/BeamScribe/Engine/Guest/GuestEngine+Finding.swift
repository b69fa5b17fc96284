import AppSeam
import BluetoothWire
import SimKernel

/// How a guest finds its event, loses it, and comes back (BEAM 2.4, 5.2, 5.3, 5.9, 5.10).
extension GuestEngine {
  func join(_ name: String?) {
    if isJoined, wanted.map({ name?.isSame(as: $0) ?? false }) ?? (name == nil) { return }
    if isJoined { leave() }
    isJoined = true
    wanted = name
    browse()
    updateScanning()
    show(.looking)
  }

  func leave() {
    guard isJoined else { return }
    isJoined = false
    cancelAll()
    stopWaiting()
    ask(.stopBrowsing(type: configuration.serviceType))
    found = []
    target = nil
    ended = nil
    retriesUsed = 0
    knowsEndOf = nil
    updateScanning()
    show(.idle)
  }

  private func browse() {
    ask(.browse(type: configuration.serviceType, peerToPeer: configuration.peerToPeer))
  }

  // MARK: Browser

  func eventFound(_ event: FoundEvent) {
    guard isJoined else { return }
    found.removeAll { $0.endpoint == event.endpoint }
    found.append(event)
    if let target, target.name.isSame(as: event.name), !isFound(target) { self.target = event }
    guard attempt == nil, streams.isEmpty else { return }
    if let target {
      guard target.name.isSame(as: event.name) else { return }
    } else if let name = wanted ?? ended {
      guard name.isSame(as: event.name) else { return }
    }
    target = event
    ended = nil
    stopWaiting()
    connect(isSecond: false)
  }

  func eventLost(_ endpoint: EndpointID) {
    found.removeAll { $0.endpoint == endpoint }
    if waitsForRetry { dropTargetIfGone() }
  }

  private func isFound(_ event: FoundEvent) -> Bool { found.contains { $0.endpoint == event.endpoint } }

  /// A wait for an event that is gone ends (BEAM 5.9.5); one that is there under another number is waited for.
  private func dropTargetIfGone() {
    guard let target, !isFound(target) else { return }
    if let again = found.first(where: { $0.name.isSame(as: target.name) }) {
      self.target = again
    } else {
      lookAgain()
    }
  }

  /// Browses from the start, with all retries before it (BEAM 5.9.3).
  private func lookAgain() {
    stopWaiting()
    retriesUsed = 0
    target = nil
    ended = nil
    browseAgain()
    show(.looking)
  }

  private func browseAgain() {
    found = []
    ask(.stopBrowsing(type: configuration.serviceType))
    browse()
  }

  // MARK: Losses and retries

  /// The stream is lost, or the attempt has failed.
  func loss() {
    updateScanning()
    show(.lost)
    guard retriesUsed < configuration.retryWaits.count else {
      if let name = target?.name, !(knowsEndOf.map { name.isSame(as: $0) } ?? false) {
        knowsEndOf = name
        report(.alertShown(BeamAlert.hostDisconnected.rawValue, isOwn: true))
      }
      return lookAgain()
    }
    waitsForRetry = true
    effects.append(.setTimer(BeamTimer.retry, at: now + configuration.retryWaits[retriesUsed]))
    retriesUsed += 1
    dropTargetIfGone()
  }

  func retry() {
    guard waitsForRetry else { return }
    waitsForRetry = false
    connect(isSecond: false)
  }

  private func stopWaiting() {
    guard waitsForRetry else { return }
    waitsForRetry = false
    effects.append(.cancelTimer(BeamTimer.retry))
  }

  /// The host said that the event is over: the guest stays, and joins when the event is found again (BEAM 5.8.4).
  func end() {
    knowsEndOf = target?.name
    cancelAll()
    stopWaiting()
    retriesUsed = 0
    ended = target?.name
    target = nil
    found = []
    show(.ended)
    updateScanning()
  }

  func comeToFront() {
    guard isJoined else { return }
    isScanning = false
    updateScanning()
    guard streams.isEmpty else { return }
    retriesUsed = 0
    if waitsForRetry {
      stopWaiting()
      connect(isSecond: false)
    }
  }

  // MARK: BLE

  func updateScanning() {
    guard configuration.usesBluetooth, isRadioOn else { return }
    let wantsScan = isJoined && streams.isEmpty
    guard wantsScan != isScanning else { return }
    isScanning = wantsScan
    if wantsScan {
      primedUntil = now
      effects.append(.scan(services: [configuration.advertisedUUID]))
    } else {
      effects.append(.stopScanning)
    }
  }

  /// Wakes peer to peer, so that the browser finds the host soon (BEAM 5.3.3, 5.3.4).
  func discovered(_ advertisement: Advertisement) {
    guard isScanning, now >= primedUntil, advertisement.serviceUUIDs.contains(configuration.advertisedUUID) else {
      return
    }
    if let event = wanted ?? ended, let name = advertisement.localName {
      guard name.isSame(as: configuration.advertisedName(of: event)) else { return }
    }
    primedUntil = now + configuration.primeTime
    ask(.prime(configuration.primeTime))
    // An event that is registered again before its goodbye has come through is not found again by the same browser.
    if state == .ended { browseAgain() }
  }
}
