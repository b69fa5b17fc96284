extension BeamPacket.LiveChunk {
  /// Reads the canonical text of a live chunk (BEAM 4.1, 4.3, 4.4), which nearly all bodies of a talk are, from its
  /// start to its end: two fifths of the instructions that reading member by member takes, with the same result.
  ///
  /// Nil for every other body, whether it is a packet or not, and for what is outside the limits.
  init?(canonical body: [UInt8]) {
    var reader = JSONReader(body)
    isFinal = reader.takes(#"{"isFinal":true"#)
    guard isFinal || reader.takes(#"{"isFinal":false"#) else { return nil }
    if reader.takes(#","sentTimestamp":"#) {
      guard let digits = reader.plainNumber(),
        let sent = DecimalText.milliseconds(body[digits], limit: BeamLimits.sentMilliseconds)
      else { return nil }
      sentMilliseconds = sent
    }
    guard reader.takes(#","sequence":"#), let digits = reader.plainNumber(),
      let sequence = DecimalText.integer(body[digits], limit: Int64(BeamLimits.sequence)), sequence >= 1,
      reader.takes(#","text":"#), let text = reader.validText(), (1...BeamLimits.text).contains(text.utf8.count),
      reader.takes(#","type":"liveChunk"}"#), reader.place == body.count
    else { return nil }
    self.sequence = Int(sequence)
    self.text = text
  }
}
