package import BeamScribe
package import SimKernel

/// Draws packets of every kind, sessions that a host keeps, and other texts of the same packets.
package struct BeamPacketGenerator {
  package var stream: RandomStream

  package init(_ stream: RandomStream) { self.stream = stream }

  package mutating func below(_ bound: Int) -> Int { Int(stream.below(UInt64(bound))) }

  /// Characters of every width and every escape; at least one.
  package mutating func text() -> String {
    let alphabet: [Unicode.Scalar] = [
      "a", "Z", "0", " ", "\"", "\\", "/", "\n", "\r", "\t", "\u{0}", "\u{8}", "\u{C}", "\u{1F}", "\u{7F}", "é",
      "\u{2028}", "\u{FEFF}", "\u{FFFD}", "😀", "\u{10FFFF}", "\u{301}", "{", "}", ",", ":", "n", "u",
    ]
    var text = String.UnicodeScalarView()
    for _ in 0...below(20) { text.append(alphabet[below(alphabet.count)]) }
    return String(text)
  }

  /// 1 … the greatest, small ones and the ends of the range more often.
  package mutating func sequence() -> Int {
    switch below(4) {
    case 0: 1 + below(10)
    case 1: BeamLimits.sequence - below(3)
    case 2: [1, 9, 10, 999_999, 1_000_000, 4_294_967_296][below(6)]
    default: 1 + below(BeamLimits.sequence)
    }
  }

  package mutating func packet() -> BeamPacket {
    switch below(4) {
    case 0: return .alert(BeamAlert.allCases[below(BeamAlert.allCases.count)])
    case 1:
      let count = below(6)
      let first = 1 + below(100)
      let chunks = (0..<count).map { BeamPacket.Chunk(sequence: first + $0, text: text()) }
      return .fullHistory(.init(chunks: chunks, upToSequence: count == 0 ? 0 : first + count - 1 + below(3)))
    default:
      let sent: Int64? = below(3) == 0 ? nil : Int64(stream.below(UInt64(BeamLimits.sentMilliseconds) + 1))
      return .liveChunk(
        .init(isFinal: below(2) == 0, sentMilliseconds: sent, sequence: sequence(), text: text()))
    }
  }

  package mutating func session() -> KeptSession {
    KeptSession(
      name: text(), isBatteryLow: below(2) == 0, guests: (0..<below(4)).map { _ in text() },
      finals: (0..<below(6)).map { _ in text() })
  }

  /// The packet in a text of another form: with white space and escapes, members in another order, and some more.
  package mutating func looseText(of packet: BeamPacket) -> [UInt8] {
    var members: [String] = []
    switch packet {
    case .alert(let alert): members = [#""alert":"\#(alert.rawValue)""#]
    case .fullHistory(let history):
      let chunks = history.chunks.map { chunk in
        object([#""sequence":\#(chunk.sequence)"#, #""text":"# + quoted(chunk.text)])
      }
      members = [
        #""chunks":["# + chunks.joined(separator: space() + ",") + "]", #""upToSequence":\#(history.upToSequence)"#,
      ]
    case .liveChunk(let chunk):
      members = [#""isFinal":\#(chunk.isFinal)"#, #""sequence":\#(chunk.sequence)"#, #""text":"# + quoted(chunk.text)]
      if let sent = chunk.sentMilliseconds {
        let thousandths = String(1_000 + sent % 1_000).dropFirst()
        members.append(#""sentTimestamp":\#(sent / 1_000).\#(thousandths)"#)
      }
    }
    members.append(#""type":"# + quoted(packet.kind.rawValue))
    if below(2) == 0 { members.append(#""extra":{"a":[null,true,-1.5e+3,"\u0000"],"b":{}}"#) }
    return Array(object(members).utf8)
  }

  private mutating func space() -> String { ["", "", " ", "\n", "\t", "\r\n  "][below(6)] }

  private mutating func object(_ members: [String]) -> String {
    var rest = members
    var text = "{" + space()
    while !rest.isEmpty {
      text += rest.remove(at: below(rest.count)) + space()
      if !rest.isEmpty { text += "," + space() }
    }
    return text + "}"
  }

  /// Some characters are escaped that need not be.
  private mutating func quoted(_ text: String) -> String {
    var result = "\""
    for unit in text.utf16 {
      let isPlain = unit >= 0x20 && unit < 0x7F && unit != 0x22 && unit != 0x5C
      if isPlain, below(4) != 0 {
        result.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
      } else {
        let digits = String(unit, radix: 16, uppercase: below(2) == 0)
        result += #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return result + "\""
  }
}
