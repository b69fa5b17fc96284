extension BeamPacket {
  /// The canonical text (BEAM 4.1, 4.3, 4.4).
  package func encoded() -> [UInt8] {
    var body: [UInt8] = []
    switch self {
    case .liveChunk(let chunk):
      // With the numbers, and some octets for escapes.
      body.reserveCapacity(chunk.text.utf8.count + 128)
      body.append(chunk.isFinal ? #"{"isFinal":true"# : #"{"isFinal":false"#)
      if let sent = chunk.sentMilliseconds {
        body.append(#","sentTimestamp":"#)
        DecimalText.append(milliseconds: sent, to: &body)
      }
      body.append(#","sequence":"#)
      DecimalText.append(Int64(chunk.sequence), to: &body)
      body.append(#","text":"#)
      body.append(quoted: chunk.text)
      body.append(#","type":"liveChunk"}"#)
    case .fullHistory(let history):
      body.append(#"{"chunks":["#)
      for (index, chunk) in history.chunks.enumerated() {
        if index > 0 { body.append(UInt8(ascii: ",")) }
        body.append(chunk)
      }
      body.append(historyEnd: history.upToSequence)
    case .alert(let alert):
      body.append(#"{"alert":""#)
      body.append(contentsOf: alert.rawValue.utf8)
      body.append(#"","type":"alert"}"#)
    }
    return body
  }

  /// A page of the history: as many finals as fit, at least one if there are any left (BEAM 5.6.2).
  ///
  /// - Parameters:
  ///   - finals: those of the whole history, from number 1.
  ///   - first: the number of the page's first final.
  /// - Returns: the body, and the number of the first final of the next page.
  package static func page(
    of finals: [String], from first: Int, octets: Int, chunks: Int
  ) -> (body: [UInt8], next: Int) {
    var (body, end): ([UInt8], [UInt8]) = ([], [])
    body.append(#"{"chunks":["#)
    end.append(historyEnd: finals.count)
    var sequence = first
    while sequence <= finals.count, sequence - first < chunks {
      let before = body.count
      if sequence > first { body.append(UInt8(ascii: ",")) }
      body.append(Chunk(sequence: sequence, text: finals[sequence - 1]))
      if body.count > octets - end.count, sequence > first {
        body.removeLast(body.count - before)
        break
      }
      sequence += 1
    }
    return (body + end, sequence)
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  fileprivate mutating func append(_ chunk: BeamPacket.Chunk) {
    append(#"{"sequence":"#)
    DecimalText.append(Int64(chunk.sequence), to: &self)
    append(#","text":"#)
    append(quoted: chunk.text)
    append(UInt8(ascii: "}"))
  }

  fileprivate mutating func append(historyEnd upTo: Int) {
    append(#"],"type":"fullHistory","upToSequence":"#)
    DecimalText.append(Int64(upTo), to: &self)
    append(UInt8(ascii: "}"))
  }

  /// A string in quotes with the escapes of BEAM 4.3 and no others.
  fileprivate mutating func append(quoted text: String) {
    append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { octets in
      // What needs no escape is nearly all of it, and goes in whole.
      var start = 0
      for place in octets.indices where Self.isEscaped(octets[place]) {
        append(contentsOf: octets[start..<place])
        append(escaped: octets[place])
        start = place + 1
      }
      append(contentsOf: octets[start...])
    }
    append(UInt8(ascii: "\""))
  }

  private static func isEscaped(_ octet: UInt8) -> Bool {
    octet < 0x20 || octet == UInt8(ascii: "\"") || octet == UInt8(ascii: "\\")
  }

  private mutating func append(escaped octet: UInt8) {
    switch octet {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      append(UInt8(ascii: "\\"))
      append(octet)
    case 0x08: append(#"\b"#)
    case 0x09: append(#"\t"#)
    case 0x0A: append(#"\n"#)
    case 0x0C: append(#"\f"#)
    case 0x0D: append(#"\r"#)
    default:
      append(#"\u00"#)
      append(UInt8(ascii: "0") + octet >> 4)
      append(octet & 0xF < 10 ? UInt8(ascii: "0") + octet & 0xF : UInt8(ascii: "a") + octet & 0xF - 10)
    }
  }
}
