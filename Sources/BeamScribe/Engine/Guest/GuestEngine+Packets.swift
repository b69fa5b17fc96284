import AppSeam
import SimKernel

/// Packets, and what is shown of them (BEAM 5.5 to 5.7, 9.2).
extension GuestEngine {
  func read(_ body: [UInt8], _ stream: GuestStream) {
    let packet: BeamPacket
    do throws(PacketRefusal) {
      packet = try BeamPacket(decoding: body)
    } catch {
      return refuse(stream, .notAPacket)
    }
    let octets = body.count + stream.reader.format.headerOctets
    if case .liveChunk(let chunk) = packet { return read(KnownChunk(chunk, octets: octets), stream) }
    report(.packetReceived(stream.id, type: packet.kind.rawValue, octets: octets))
    switch packet {
    case .fullHistory(let history): read(history, stream)
    case .liveChunk: break
    case .alert(let alert):
      report(.alertShown(alert.rawValue, isOwn: false))
      if alert == .hostDisconnected { end() }
    }
  }

  // MARK: Live

  func read(_ known: KnownChunk, _ stream: GuestStream) {
    let chunk = known.chunk
    effects.append(.report(known.received(on: stream.id)))
    if let sent = chunk.sentMilliseconds {
      effects.append(.report(known.latency(Int(configuration.wallMilliseconds(now) - sent))))
    }
    guard stream.isComplete, chunk.sequence <= transcript.count + 1 else { return refuse(stream, .gap) }
    guard chunk.sequence > transcript.count else { return }
    if !chunk.isFinal {
      effects.append(.report(known.shown()))
    } else if transcript.count < configuration.transcriptLimit {
      // Its number is the next one.
      transcript.append(chunk.text)
      effects.append(.report(known.shown()))
    } else {
      refuse(stream, .notAPacket)
    }
  }

  private func append(_ text: String) {
    transcript.append(text)
    report(.finalShown(sequence: transcript.count, text: text))
  }

  // MARK: History

  private func read(_ history: BeamPacket.History, _ stream: GuestStream) {
    guard !stream.isComplete, history.upToSequence <= configuration.transcriptLimit,
      stream.upTo == nil || stream.upTo == history.upToSequence
    else { return refuse(stream, .notAPacket) }
    if let first = history.chunks.first {
      // Another stream's history may have cleared what this one's pages before brought.
      let next = min(stream.nextOfHistory, transcript.count + 1)
      guard first.sequence <= next else { return refuse(stream, .gap) }
      guard first.sequence == stream.nextOfHistory else { return refuse(stream, .notAPacket) }
    }
    // While another stream of the session is there, a shorter history is only older than what that one brought.
    if stream.upTo == nil, history.upToSequence < transcript.count, !streams.contains(where: { $0.isComplete }) {
      _ = clear(keeping: 0)
    }
    stream.upTo = history.upToSequence
    for chunk in history.chunks { show(chunk) }
    stream.nextOfHistory += history.chunks.count
    if stream.nextOfHistory > history.upToSequence { complete(stream, upTo: history.upToSequence) }
  }

  private func show(_ chunk: BeamPacket.Chunk) {
    switch transcript.meet(chunk.sequence, chunk.text) {
    case .shown: break
    case .new: append(chunk.text)
    case .otherText:
      for text in clear(keeping: chunk.sequence - 1) { append(text) }
      append(chunk.text)
    }
  }

  /// The history is of another session; what both have is shown again.
  private func clear(keeping kept: Int) -> [String] {
    report(.transcriptCleared)
    return transcript.clear(keeping: kept)
  }

  private func complete(_ stream: GuestStream, upTo: Int) {
    stream.isComplete = true
    report(.historyShown(upTo: upTo))
    show(.showing)
    retriesUsed = 0
    knowsEndOf = nil
    while let older = streams.first, older !== stream {
      ask(.cancel(older.id))
      remove(older)
    }
  }
}
