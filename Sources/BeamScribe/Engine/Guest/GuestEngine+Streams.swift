import AppSeam
import SimKernel

/// Attempts and streams (BEAM 3, 5.3, 5.11, 6).
extension GuestEngine {
  // MARK: Attempts

  func connect(isSecond: Bool) {
    guard let target else { return }
    let id = ConnectionID(nextConnection)
    nextConnection += 2
    let format: Frame.Format = configuration.isMPC ? .kindAndLength : .length
    attempt = GuestStream(id: id, isSecond: isSecond, reader: FrameReader(format, limit: configuration.frameLimit))
    let interfaces = isSecond ? [.infrastructure] : configuration.interfaces
    ask(
      .connect(
        id,
        ConnectRequest(endpoint: target.endpoint, interfaces: interfaces, keepAlive: configuration.keepAlive)))
    if let time = configuration.attemptTime { effects.append(.setTimer(BeamTimer.attempt, at: now + time)) }
    if !isSecond { show(.connecting) }
  }

  func ready(_ attempt: GuestStream, _ interface: NetworkInterface) {
    attempt.interface = interface
    if configuration.isMPC { invite(attempt) } else { up(attempt) }
  }

  func invite(_ attempt: GuestStream) {
    attempt.owesInvitation = false
    ask(.send(attempt.id, octets: Frame(.invitation).encoded(.kindAndLength)))
  }

  private func up(_ stream: GuestStream) {
    endAttempt()
    stream.isUp = true
    streams.append(stream)
    if !isReading { ask(.read(stream.id, false)) }
    updateScanning()
    if !stream.isSecond { show(.connected) }
  }

  private func endAttempt() {
    attempt = nil
    if configuration.attemptTime != nil { effects.append(.cancelTimer(BeamTimer.attempt)) }
  }

  func attemptIsDue() {
    guard let attempt else { return }
    ask(.cancel(attempt.id))
    failAttempt()
  }

  private func failAttempt() {
    guard let attempt else { return }
    endAttempt()
    if !attempt.isSecond { loss() }
  }

  // MARK: Ends

  /// A connection is over: it failed, or its other end has nothing more to send.
  func over(_ id: ConnectionID, isEnded: Bool) {
    guard let connection = stream(id) ?? attempt(id) else { return }
    if connection.isUp, connection.reader.isWithinFrame {
      report(.refused(id, reason: RefusalReason.truncated.rawValue))
    }
    if isEnded { ask(.cancel(id)) }
    if connection.isUp { lose(connection) } else { failAttempt() }
  }

  func refuse(_ stream: GuestStream, _ reason: RefusalReason) {
    report(.refused(stream.id, reason: reason.rawValue))
    ask(.cancel(stream.id))
    if stream.isUp { lose(stream) } else { failAttempt() }
  }

  func lose(_ stream: GuestStream) {
    remove(stream)
    if let rest = streams.first { return show(rest.isComplete ? .showing : .connected) }
    // A second stream that is not ready is none that is left.
    if let attempt {
      ask(.cancel(attempt.id))
      endAttempt()
    }
    loss()
  }

  func remove(_ stream: GuestStream) {
    stream.timers.stopAll(effects)
    streams.removeAll { $0 === stream }
  }

  func cancelAll() {
    for stream in streams {
      ask(.cancel(stream.id))
      remove(stream)
    }
    if let attempt {
      ask(.cancel(attempt.id))
      endAttempt()
    }
  }

  // MARK: What a stream tells

  func received(_ stream: GuestStream, _ octets: [UInt8]) {
    if stream.isUp, !stream.reader.isWithinFrame,
      let known = configuration.memory.chunk(of: octets, stream.reader.format, limit: stream.reader.limit)
    {
      return read(known, stream)
    }
    var piece = octets[...]
    do throws(FrameRefusal) {
      while let frame = try stream.reader.next(&piece) {
        read(frame, stream)
        if stream !== self.stream(stream.id), stream !== attempt { return }
      }
    } catch {
      switch error {
      case .empty: return refuse(stream, .frameEmpty)
      case .tooLong: return refuse(stream, .frameTooLong)
      case .unknownKind: return refuse(stream, .notAPacket)
      }
    }
    guard stream.reader.isWithinFrame else { return }
    stream.lastGrowth = now
    watchGrowth(stream)
  }

  private func read(_ frame: Frame, _ stream: GuestStream) {
    switch frame.kind {
    case .message: if stream.isUp { read(frame.body, stream) } else { refuse(stream, .notAPacket) }
    case .connected: if stream.isUp { refuse(stream, .notAPacket) } else { up(stream) }
    case .accepted: if stream.isUp { refuse(stream, .notAPacket) }
    case .declined:
      ask(.cancel(stream.id))
      if stream.isUp { lose(stream) } else { failAttempt() }
    case .invitation: refuse(stream, .notAPacket)
    }
  }

  func setViable(_ stream: GuestStream, _ isViable: Bool) {
    if isViable, let since = stream.deadSince {
      stream.deadSince = nil
      stream.timers.stop(.viability, effects)
      stream.lastGrowth = stream.lastGrowth + (now - since)
      if stream.reader.isWithinFrame { watchGrowth(stream) }
    } else if !isViable, stream.deadSince == nil {
      stream.deadSince = now
      stream.timers.stop(.stall, effects)
      stream.timers.start(.viability, at: now + configuration.viabilityTime, effects)
    }
  }

  /// Sets a timer for the frame that has begun, unless one runs that will see to it.
  private func watchGrowth(_ stream: GuestStream) {
    guard stream.deadSince == nil, !stream.timers.isSet(.stall) else { return }
    stream.timers.start(.stall, at: stream.lastGrowth + configuration.stallTime, effects)
  }

  func stallIsDue(_ stream: GuestStream) {
    guard stream.reader.isWithinFrame else { return }
    if now - stream.lastGrowth < configuration.stallTime {
      watchGrowth(stream)
    } else {
      refuse(stream, .stalled)
    }
  }

  /// Infrastructure can be used: another stream over it takes the place of the one over peer to peer (BEAM 5.11.3).
  func betterPath(_ stream: GuestStream) {
    guard !configuration.isMPC, stream.interface == .peerToPeer, attempt == nil, streams.count == 1 else { return }
    connect(isSecond: true)
  }

  func setReading(_ isReading: Bool) {
    guard isReading != self.isReading else { return }
    self.isReading = isReading
    for stream in streams { ask(.read(stream.id, isReading)) }
  }
}
