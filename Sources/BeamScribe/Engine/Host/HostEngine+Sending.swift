import AppSeam
import SimKernel

/// What is spoken, and how it goes out (BEAM 5.5 to 5.7).
extension HostEngine {
  func speakFinal(_ text: String) {
    guard event != nil else { return }
    for piece in TextCuts.pieces(of: text, octets: configuration.textOctets) {
      finals.append(piece)
      report(.finalShown(sequence: finals.count, text: piece))
      broadcast(OutgoingChunk(isFinal: true, sequence: finals.count, text: piece))
      keep(final: piece)
    }
  }

  /// A longer text is shortened: the final will have all of it.
  func speakPartial(_ text: String) {
    let text = TextCuts.start(of: text, octets: configuration.textOctets)
    guard event != nil, !text.isEmpty else { return }
    report(.partialShown(sequence: finals.count + 1, text: text))
    broadcast(OutgoingChunk(isFinal: false, sequence: finals.count + 1, text: text))
  }

  func setBatteryLow(_ isLow: Bool) {
    guard isLow != isBatteryLow else { return }
    isBatteryLow = isLow
    if isLow {
      report(.alertRaised(BeamAlert.batteryLow.rawValue))
      for stream in streams where stream.phase == .open {
        enqueue(stream, .alert(.batteryLow))
        pump(stream)
      }
    }
    keep()
  }

  private func broadcast(_ chunk: OutgoingChunk) {
    for stream in streams where stream.phase == .open {
      stream.dropWaitingPartial()
      enqueue(stream, .chunk(chunk))
      pump(stream)
      if stream.waitingOctets > configuration.slowOctets { refuse(stream, .slow) }
    }
  }

  func enqueue(_ stream: HostStream, _ content: HostStream.Entry.Content) {
    stream.enqueue(content, octets: frame(content, handsOver: false).count, now: now)
  }

  // MARK: Handing over

  private var format: Frame.Format { configuration.isMPC ? .kindAndLength : .length }

  /// The wall time that a chunk says, if it says one.
  private var stamp: Int64? {
    let wall = configuration.wallMilliseconds(now)
    let isWritten = configuration.settings.writesSentTimestamp && (0...BeamLimits.sentMilliseconds).contains(wall)
    return isWritten ? wall : nil
  }

  private func frame(_ content: HostStream.Entry.Content, handsOver: Bool) -> [UInt8] {
    switch content {
    case .chunk(let chunk): chunk.frame(format, sentMilliseconds: stamp, handsOver: handsOver)
    case .alert(let alert): Frame(body: BeamPacket.alert(alert).encoded()).encoded(format)
    case .control(let kind): Frame(kind).encoded(format)
    }
  }

  /// Hands the next octets to the platform, if there are any and it has answered for those before.
  func pump(_ stream: HostStream) {
    guard stream.waiting == .nothing, stream.phase != .finished else { return }
    guard var outgoing = stream.current.take() ?? nextFrame(stream) else {
      if stream.phase == .ending { finish(stream) }
      return
    }
    outgoing.offered = min(configuration.sendOctets, outgoing.octets.count - outgoing.taken)
    let isWhole = outgoing.offered == outgoing.octets.count
    let piece = isWhole ? outgoing.octets : Array(outgoing.octets[outgoing.taken...].prefix(outgoing.offered))
    stream.current = outgoing
    stream.waiting = .answer
    ask(.send(stream.id, octets: piece))
    if !stream.timers.isSet(.slow) {
      stream.timers.start(.slow, at: outgoing.since + configuration.slowTime, effects)
    }
  }

  private func nextFrame(_ stream: HostStream) -> HostStream.Outgoing? {
    if let history = stream.history, !stream.hasControlFirst {
      return HostStream.Outgoing(
        octets: Frame(body: nextPage(of: history, stream)).encoded(format),
        type: .fullHistory, since: now)
    }
    guard let entry = stream.dequeue() else { return nil }
    let type: BeamPacket.Kind? =
      switch entry.content {
      case .chunk: .liveChunk
      case .alert: .alert
      case .control: nil
      }
    // What had to wait for a long history has its own time from the history's end on.
    return HostStream.Outgoing(
      octets: frame(entry.content, handsOver: true), type: type,
      since: max(entry.since, stream.historyTaken))
  }

  private func nextPage(of history: HostStream.OwedHistory, _ stream: HostStream) -> [UInt8] {
    let (body, next) = BeamPacket.page(
      of: history.finals, from: history.next, octets: configuration.pageOctets, chunks: configuration.pageChunks)
    stream.history = next > history.finals.count ? nil : HostStream.OwedHistory(finals: history.finals, next: next)
    return body
  }

  func submitted(_ stream: HostStream, _ accepted: Bool) {
    guard stream.waiting == .answer, var outgoing = stream.current.take() else { return }
    guard accepted else {
      stream.current = outgoing
      stream.waiting = .room
      return
    }
    stream.waiting = .nothing
    outgoing.taken += outgoing.offered
    assert(outgoing.taken <= outgoing.octets.count, "no more was taken than there is")
    if outgoing.taken < outgoing.octets.count {
      stream.current = outgoing
    } else if let type = outgoing.type {
      report(.packetSent(stream.id, type: type.rawValue, octets: outgoing.octets.count))
      if type == .fullHistory { stream.historyTaken = now }
    }
    pump(stream)
  }

  func roomAgain(_ stream: HostStream) {
    guard stream.waiting == .room else { return }
    stream.waiting = .nothing
    pump(stream)
  }

  /// What has waited longest is refused once it is too old.
  func checkAge(_ stream: HostStream) {
    guard let outgoing = stream.current else { return }
    let due = outgoing.since + configuration.slowTime
    if due > now { stream.timers.start(.slow, at: due, effects) } else { refuse(stream, .slow) }
  }
}
