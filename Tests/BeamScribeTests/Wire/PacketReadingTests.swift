import BeamScribe
import Expectations
import Testing

/// What a receiver takes beyond the canonical text, and what it does not.
@Suite("Reading packets")
struct PacketReadingTests {
  private func decode(_ text: String) throws -> BeamPacket { try BeamPacket(decoding: Array(text.utf8)) }

  private func refusal(_ body: [UInt8]) -> PacketRefusal.Reason? {
    do throws(PacketRefusal) {
      _ = try BeamPacket(decoding: body)
      return nil
    } catch {
      expect((0...body.count).contains(error.offset))
      return error.reason
    }
  }

  @Test(
    "Other orders, white space, escapes and unknown members are read",
    arguments: [
      #"{"type":"liveChunk","text":"Hi","sequence":1,"isFinal":true}"#,
      " \t\r\n{ \"isFinal\" : true ,\n\"sequence\":1,\"text\":\"Hi\",\"type\":\"liveChunk\" } \n",
      #"{"isFinal":true,"sequence":1,"text":"\u0048\u0069","type":"live\u0043hunk"}"#,
      #"{"is\u0046inal":true,"sequence":1,"text":"Hi","type":"liveChunk"}"#,
      #"{"isFinal":true,"sequence":1,"text":"Hi","type":"liveChunk","chunks":7,"alert":[],"x":{"y":[null,-1.5e+3]}}"#,
    ])
  func lenient(_ text: String) throws {
    try equal(decode(text), .liveChunk(.init(isFinal: true, sequence: 1, text: "Hi")))
  }

  @Test("Every escape is read, and pairs of surrogates make one scalar")
  func escapes() throws {
    let text = #"{"isFinal":true,"sequence":1,"text":"\"\\\/\b\f\n\r\t\u00e9\uD83D\ude00\u0000","type":"liveChunk"}"#
    guard case .liveChunk(let chunk) = try decode(text) else { return expect(false, "no chunk") }
    equal(chunk.text.unicodeScalars.map(\.value), [34, 92, 47, 8, 12, 10, 13, 9, 0xE9, 0x1F600, 0])
  }

  /// A body that begins with a space is read member by member; one without may be read in one go.
  @Test(
    "A chunk is read the same in one go and member by member, whatever octet of it is another one or missing",
    arguments: [
      #"{"isFinal":true,"sentTimestamp":1700000012.34,"sequence":12,"text":"café 🎤 \"a\\\tb","type":"liveChunk"}"#,
      #"{"isFinal":false,"sequence":9007199254740991,"text":"x","type":"liveChunk"}"#,
    ])
  func inOneGo(_ text: String) {
    func result(_ body: [UInt8]) -> Result<BeamPacket, PacketRefusal> {
      Result { () throws(PacketRefusal) in try BeamPacket(decoding: body) }
    }
    let octets = Array(text.utf8)
    expect((try? result(octets).get()) != nil)
    for place in octets.indices {
      for octet in [nil] + Array(UInt8.min...UInt8.max) {
        var body = octets
        body.replaceSubrange(place...place, with: octet.map { [$0] } ?? [])
        let expected = result([0x20] + body).mapError { refusal in
          PacketRefusal(refusal.reason, at: max(0, refusal.offset - 1))
        }
        equal(result(body), expected)
      }
    }
  }

  static let bad: [(String, PacketRefusal.Reason)] = [
    ("", .notAnObject), ("[]", .notAnObject), ("7", .notAnObject), ("{}", .memberMissing), ("{} {}", .notAnObject),
    ("\u{FEFF}{}", .notAnObject), (#"{"type":"alert","alert":"batteryLow"}x"#, .notAnObject),
    (#"{"type":"alert","alert":"batteryLow""#, .notAnObject), (#"{"type":"alert",}"#, .notAnObject),
    (#"{"type":'alert'}"#, .notAnObject), (#"{"type":"al\ert"}"#, .notAnObject), (#"{"type":"\u12g4"}"#, .notAnObject),
    ("{\"type\":\"a\u{1}\"}", .notAnObject), (#"{"x":01}"#, .notAnObject), (#"{"x":1.}"#, .notAnObject),
    (#"{"x":+1}"#, .notAnObject), (#"{"x":tru}"#, .notAnObject),
    (#"{"type":"alert","alert":"\ud800"}"#, .loneSurrogate), (#"{"x":"\udc00\ud800"}"#, .loneSurrogate),
    (#"{"x":"\ud800\u0041"}"#, .loneSurrogate),
    (#"{"type":"alert","alert":"batteryLow","type":"alert"}"#, .keyTwice),
    (#"{"type":"alert","alert":"batteryLow","\u0074ype":"alert"}"#, .keyTwice),
    (#"{"type":"alert","alert":"batteryLow","x":{"a":1,"a":2}}"#, .keyTwice),
    (#"{"type":"hello"}"#, .unknownType), (#"{"type":"Alert","alert":"batteryLow"}"#, .unknownType),
    (#"{"type":null,"alert":"batteryLow"}"#, .wrongKind), (#"{"alert":"batteryLow"}"#, .memberMissing),
    (#"{"type":"alert"}"#, .memberMissing), (#"{"type":"alert","alert":"batterylow"}"#, .outsideLimits),
    (#"{"type":"alert","alert":1}"#, .wrongKind),
    (#"{"sequence":1,"text":"a","type":"liveChunk"}"#, .memberMissing),
    (#"{"isFinal":1,"sequence":1,"text":"a","type":"liveChunk"}"#, .wrongKind),
    (#"{"isFinal":true,"sequence":0,"text":"a","type":"liveChunk"}"#, .outsideLimits),
    (#"{"isFinal":true,"sequence":9007199254740992,"text":"a","type":"liveChunk"}"#, .outsideLimits),
    (#"{"isFinal":true,"sequence":99999999999999999999,"text":"a","type":"liveChunk"}"#, .outsideLimits),
    (#"{"isFinal":true,"sequence":1.0,"text":"a","type":"liveChunk"}"#, .wrongKind),
    (#"{"isFinal":true,"sequence":1e3,"text":"a","type":"liveChunk"}"#, .wrongKind),
    (#"{"isFinal":true,"sequence":-1,"text":"a","type":"liveChunk"}"#, .wrongKind),
    (#"{"isFinal":true,"sequence":"1","text":"a","type":"liveChunk"}"#, .wrongKind),
    (#"{"isFinal":true,"sequence":1,"text":"","type":"liveChunk"}"#, .outsideLimits),
    (#"{"isFinal":true,"sequence":1,"text":null,"type":"liveChunk"}"#, .wrongKind),
    (#"{"isFinal":true,"sentTimestamp":1.2345,"sequence":1,"text":"a","type":"liveChunk"}"#, .outsideLimits),
    (#"{"isFinal":true,"sentTimestamp":-1,"sequence":1,"text":"a","type":"liveChunk"}"#, .outsideLimits),
    (#"{"isFinal":true,"sentTimestamp":1e9,"sequence":1,"text":"a","type":"liveChunk"}"#, .outsideLimits),
    (#"{"isFinal":true,"sentTimestamp":9007199254740.001,"sequence":1,"text":"a","type":"liveChunk"}"#, .outsideLimits),
    (#"{"isFinal":true,"sentTimestamp":"1","sequence":1,"text":"a","type":"liveChunk"}"#, .wrongKind),
    (#"{"type":"fullHistory","upToSequence":0}"#, .memberMissing),
    (#"{"chunks":[],"type":"fullHistory"}"#, .memberMissing),
    (#"{"chunks":{},"type":"fullHistory","upToSequence":0}"#, .wrongKind),
    (#"{"chunks":[1],"type":"fullHistory","upToSequence":1}"#, .wrongKind),
    (#"{"chunks":[{"sequence":1}],"type":"fullHistory","upToSequence":1}"#, .memberMissing),
    (#"{"chunks":[{"sequence":1,"text":""}],"type":"fullHistory","upToSequence":1}"#, .outsideLimits),
    (#"{"chunks":[],"type":"fullHistory","upToSequence":1}"#, .notConsecutive),
    (#"{"chunks":[{"sequence":2,"text":"a"}],"type":"fullHistory","upToSequence":1}"#, .notConsecutive),
    (
      #"{"chunks":[{"sequence":1,"text":"a"},{"sequence":3,"text":"b"}],"type":"fullHistory","upToSequence":3}"#,
      .notConsecutive
    ),
    (
      #"{"chunks":[{"sequence":1,"text":"a"},{"sequence":1,"text":"b"}],"type":"fullHistory","upToSequence":3}"#,
      .notConsecutive
    ),
  ]

  @Test("What is no packet is refused", arguments: bad.indices)
  func refused(_ index: Int) {
    let (text, reason) = Self.bad[index]
    equal(refusal(Array(text.utf8)), reason, "\(text)")
  }

  @Test(
    "What is not UTF-8 is refused", arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82]] as [[UInt8]])
  func notUTF8(_ octets: [UInt8]) {
    equal(refusal(Array(#"{"type":"alert","alert":""#.utf8) + octets + Array("\"}".utf8)), .notUTF8)
  }

  @Test("Nesting is read to 16 and no further, and 100 000 brackets do no harm")
  func nesting() throws {
    func nested(_ depth: Int) -> String {
      let open = String(repeating: "[", count: depth - 1)
      let close = String(repeating: "]", count: depth - 1)
      return #"{"alert":"batteryLow","type":"alert","x":"# + open + close + "}"
    }
    try equal(decode(nested(16)), .alert(.batteryLow))
    equal(refusal(Array(nested(17).utf8)), .nestedTooDeep)
    equal(refusal(Array(nested(100_000).utf8)), .nestedTooDeep)
  }

  @Test("A key is found twice among many, wherever it is")
  func manyKeys() throws {
    let members = (0..<40).map { #""k\#($0)":0"# }
    let rest = #","alert":"batteryLow","type":"alert"}"#
    try equal(decode("{" + members.joined(separator: ",") + rest), .alert(.batteryLow))
    for key in [0, 20, 39] {
      let text = "{" + (members + [#""k\#(key)":1"#]).joined(separator: ",") + rest
      equal(refusal(Array(text.utf8)), .keyTwice)
    }
  }

  @Test("Texts of exactly the limit are read")
  func limits() throws {
    let long = String(repeating: "é", count: 4_096)
    let chunk = BeamPacket.liveChunk(
      .init(isFinal: false, sentMilliseconds: BeamLimits.sentMilliseconds, sequence: BeamLimits.sequence, text: long))
    try equal(BeamPacket(decoding: chunk.encoded()), chunk)
    let longer = BeamPacket.liveChunk(.init(isFinal: false, sequence: 1, text: long + "a"))
    equal(refusal(longer.encoded()), .outsideLimits)
  }

  @Test(
    "Times are decimal, without a zero at the end when written",
    arguments: [("0", 0), ("1700000012.25", 1_700_000_012_250), ("0.5", 500), ("7.070", 7_070), ("1.001", 1_001)])
  func times(_ text: String, _ milliseconds: Int64) throws {
    let packet = try decode(#"{"isFinal":true,"sentTimestamp":\#(text),"sequence":1,"text":"a","type":"liveChunk"}"#)
    equal(packet, .liveChunk(.init(isFinal: true, sentMilliseconds: milliseconds, sequence: 1, text: "a")))
    let written = String(decoding: packet.encoded(), as: UTF8.self)
    let shortest = text == "7.070" ? "7.07" : text
    expect(written.contains(#""sentTimestamp":\#(shortest),"#))
  }
}
