import AppSeam
import SimKernel

/// Streams as they come, open and go (BEAM 1, 5.4, 5.9.7, 5.11, 7.1).
extension HostEngine {
  func incoming(_ id: ConnectionID, _ interface: NetworkInterface, _ peer: String) {
    guard event != nil else { return ask(.cancel(id)) }
    if configuration.isMPC {
      let stream = HostStream(id: id, interface: interface, peer: peer, phase: .uninvited, now: now)
      streams.append(stream)
      if let time = configuration.attemptTime { stream.timers.start(.connect, at: now + time, effects) }
      return
    }
    guard hasSeat(for: peer) else {
      report(.refused(id, reason: RefusalReason.full.rawValue))
      ask(.cancel(id))
      return
    }
    let older = streams.first { $0.peer == peer && $0.interface == interface }
    let stream = HostStream(id: id, interface: interface, peer: peer, phase: .gated, now: now)
    streams.append(stream)
    // The guest has its seat before the older stream goes: BLE stays as it is.
    stream.isUp = true
    if let older { refuse(older, .superseded) }
    up(stream)
  }

  /// The stream is ready; what is sent waits for its gate, if there is one.
  func up(_ stream: HostStream) {
    stream.isUp = true
    if let gate = configuration.gate {
      stream.phase = .gated
      stream.timers.start(.gate, at: now + gate, effects)
      guestsChanged()
    } else {
      open(stream)
    }
  }

  /// Whether a guest may have a stream: capacity is by peer, and whoever has one already may have another.
  func hasSeat(for peer: String) -> Bool {
    guests { $0.takesSeat && $0.peer != peer }.count < configuration.guestLimit
  }

  func gateIsDue(_ stream: HostStream) {
    guard stream.phase == .gated else { return }
    if stream.isViable { open(stream) } else { stream.isGateDue = true }
  }

  /// From now on the stream gets what is broadcast, after all finals that there are (BEAM 5.6.1).
  func open(_ stream: HostStream) {
    stream.phase = .open
    report(.gateOpened(stream.id, peer: stream.peer))
    stream.history = HostStream.OwedHistory(finals: finals)
    if isBatteryLow { enqueue(stream, .alert(.batteryLow)) }
    if let place = owed.firstIndex(of: stream.peer) {
      owed.remove(at: place)
      enqueue(stream, .alert(.sessionResumed))
    }
    if !known.contains(stream.peer) {
      known.append(stream.peer)
      keep()
    }
    guestsChanged()
    pump(stream)
  }

  func setViable(_ stream: HostStream, _ isViable: Bool) {
    guard stream.isViable != isViable else { return }
    stream.isViable = isViable
    if isViable {
      stream.timers.stop(.viability, effects)
      if stream.isGateDue, stream.phase == .gated { open(stream) }
    } else {
      stream.timers.start(.viability, at: now + configuration.viabilityTime, effects)
    }
  }

  func received(_ stream: HostStream, _ octets: [UInt8]) {
    if octets.isEmpty { return }
    if stream.phase == .uninvited { readInvitation(stream, octets) } else { refuse(stream, .unexpectedData) }
  }

  // MARK: Ends

  func failed(_ stream: HostStream, _ reason: NetworkReason) {
    lose(stream)
    if reason == .reclaimed, event != nil, streams.isEmpty { resumeSession() }
  }

  /// A stream that its guest, or the network, ended.
  func lose(_ stream: HostStream) {
    remove(stream)
    if let limit = configuration.unstableBefore, stream.phase == .gated || stream.phase == .open,
      now - stream.start < limit
    {
      countUnstable(stream.peer)
    }
    guestsChanged()
  }

  private func countUnstable(_ peer: String) {
    if let place = unstable.firstIndex(where: { $0.peer == peer }) {
      unstable[place].count += 1
      report(.unstable(peer: peer, count: unstable[place].count))
    } else {
      unstable.append((peer, 1))
      report(.unstable(peer: peer, count: 1))
    }
  }

  func refuse(_ stream: HostStream, _ reason: RefusalReason) {
    report(.refused(stream.id, reason: reason.rawValue))
    cancel(stream)
  }

  func cancel(_ stream: HostStream) {
    ask(.cancel(stream.id))
    remove(stream)
    guestsChanged()
  }

  /// There is nothing more to send; the other end has some time to end the stream too (BEAM 5.8.3).
  func finish(_ stream: HostStream) {
    stream.phase = .finished
    stream.timers.stopAll(effects)
    ask(.finish(stream.id))
    stream.timers.start(.finish, at: now + configuration.finishTime, effects)
  }

  private func remove(_ stream: HostStream) {
    stream.timers.stopAll(effects)
    streams.removeAll { $0 === stream }
  }
}
