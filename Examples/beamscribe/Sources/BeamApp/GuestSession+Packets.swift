extension GuestSession {
  func read(_ body: [UInt8], on stream: GuestStream) {
    guard let packet = try? TranscriptPacket(body) else { return refuse(stream, "notAPacket") }
    screen(
      "packetReceived", ["stream": stream.stream.number, "type": packet.type, "octets": body.count + 4])
    switch packet {
    case .liveChunk(let chunk, let isFinal, let sent): read(chunk, isFinal, sent, stream)
    case .fullHistory(let chunks, let upTo): read(chunks, upTo, stream)
    case .alert(let alert):
      screen("alertShown", ["alert": alert.rawValue, "own": false])
      if alert == .hostDisconnected { end() }
    }
  }

  private func read(_ chunk: TranscriptPacket.Chunk, _ isFinal: Bool, _ sent: Int?, _ stream: GuestStream) {
    if let sent { screen("latency", ["sequence_": chunk.sequence, "milliseconds": wallClock() - sent]) }
    guard stream.isComplete, chunk.sequence <= finals.count + 1 else { return refuse(stream, "gap") }
    guard chunk.sequence > finals.count else { return }
    if !isFinal {
      screen("partialShown", ["sequence_": chunk.sequence, "text": chunk.text])
    } else if finals.count < Beam.mostFinals {
      append(chunk.text)
    } else {
      refuse(stream, "notAPacket")
    }
  }

  private func append(_ text: String) {
    finals.append(text)
    screen("finalShown", ["sequence_": finals.count, "text": text])
  }

  private func read(_ chunks: [TranscriptPacket.Chunk], _ upTo: Int, _ stream: GuestStream) {
    guard !stream.isComplete, upTo <= Beam.mostFinals, stream.upTo == nil || stream.upTo == upTo else {
      return refuse(stream, "notAPacket")
    }
    if let first = chunks.first {
      guard first.sequence <= min(stream.nextOfHistory, finals.count + 1) else { return refuse(stream, "gap") }
      guard first.sequence == stream.nextOfHistory else { return refuse(stream, "notAPacket") }
    }
    // While another stream of the session is there, a shorter history is only an older one.
    if stream.upTo == nil, upTo < finals.count, !streams.contains(where: \.isComplete) { clear(keeping: 0) }
    stream.upTo = upTo
    for chunk in chunks {
      if chunk.sequence > finals.count {
        append(chunk.text)
      } else if !finals[chunk.sequence - 1].hasOctets(of: chunk.text) {
        clear(keeping: chunk.sequence - 1)
        append(chunk.text)
      }
    }
    stream.nextOfHistory += chunks.count
    guard stream.nextOfHistory > upTo else { return }
    stream.isComplete = true
    screen("historyShown", ["upTo": upTo])
    completed(stream)
  }

  /// The history is of another session; what both have is shown again.
  private func clear(keeping count: Int) {
    let kept = finals.prefix(count)
    finals = []
    screen("transcriptCleared", [:])
    for text in kept { append(text) }
  }
}
