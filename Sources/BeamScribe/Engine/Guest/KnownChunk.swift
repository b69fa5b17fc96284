import AppSeam

/// A live chunk that was read, with what guests report of it: mostly the same words seven times.
package final class KnownChunk {
  package let chunk: BeamPacket.LiveChunk
  /// The octets of its whole frame.
  let octets: Int
  private var receivedWord: (stream: ConnectionID, word: AppReport)?
  private var latencyWord: (milliseconds: Int, word: AppReport)?
  private var shownWord: AppReport?

  init(_ chunk: BeamPacket.LiveChunk, octets: Int) {
    self.chunk = chunk
    self.octets = octets
  }

  func received(on stream: ConnectionID) -> AppReport {
    if let receivedWord, receivedWord.stream == stream { return receivedWord.word }
    let word = AppReport(
      BeamReport.packetReceived(stream, type: BeamPacket.Kind.liveChunk.rawValue, octets: octets))
    receivedWord = (stream, word)
    return word
  }

  func latency(_ milliseconds: Int) -> AppReport {
    if let latencyWord, latencyWord.milliseconds == milliseconds { return latencyWord.word }
    let word = AppReport(BeamReport.latency(sequence: chunk.sequence, milliseconds: milliseconds))
    latencyWord = (milliseconds, word)
    return word
  }

  /// It is shown, under its own number.
  func shown() -> AppReport {
    if let shownWord { return shownWord }
    let word = AppReport(
      chunk.isFinal
        ? BeamReport.finalShown(sequence: chunk.sequence, text: chunk.text)
        : BeamReport.partialShown(sequence: chunk.sequence, text: chunk.text))
    shownWord = word
    return word
  }
}
