import BabSim
import Expectations
import SimKernel
import Testing

/// Corner cases of the published decoder (kotlinx.serialization 1.6.3, lenient, unknown keys ignored, defaults
/// written), whose public sources were read for the rule; the shared vectors show one example of each where they have
/// one.
@Suite("Lenient reading")
struct WireLenientTests {
  static let canonical = packetText(
    #"{"type":"HEARTBEAT","senderId":"x","vectorClock":{"timestamps":{}},"payload":{"type":"@Heartbeat"}}"#)

  @Test(
    "Accepted, and canonical afterwards",
    arguments: [
      #"{type:HEARTBEAT,senderId:x,vectorClock:{},payload:{type:@Heartbeat}}"#,
      #"{"type":"HEARTBEAT" "senderId":"x" "vectorClock":{} "payload":{"type":"@Heartbeat"}}"#,
      #"{"\u0074ype":"HEARTBEAT","senderId":"\u0078","vectorClock":{},"payload":{"\u0074ype":"@Heartbeat"}}"#,
      #"{"payload":{"type":"@Heartbeat"},"vectorClock":{},"senderId":"x","type":"HEARTBEAT"}"#,
      #"{"type":"HEARTBEAT","senderId":"x","vectorClock":{"u":null},"payload":{"a":1,"type":"@Heartbeat"}}"#,
      #"{"type":"HEARTBEAT","senderId":"x","vectorClock":{},"payload":{"type":"@Heartbeat","type":"other"}}"#,
      #"{"type":"HEARTBEAT","senderId":"x","vectorClock":{},"payload":{"a":1,"type":"other","type":"@Heartbeat"}}"#,
      #"{"type":"HEARTBEAT","senderId":"x","vectorClock":{},"z":[,,::\{x}],"payload":{"type":"@Heartbeat"}}"#,
      #"{"type":"HEARTBEAT","senderId":"x","vectorClock":{},"z":nonsense,"payload":{"type":"@Heartbeat"}}"#,
      "\r\n\t {\"type\" : \"HEARTBEAT\" , \"senderId\" : \"x\" , \"vectorClock\" : { } , "
        + "\"payload\" : { \"type\" : \"@Heartbeat\" } }\r\n",
    ])
  func accepted(_ text: String) { equal(verdict(packetText(text)), verdict(Self.canonical)) }

  @Test(
    "Refused, with the reason and the offset",
    arguments: [
      ("", BabPacketError.Reason.unexpectedEnd, 0),
      ("   ", .unexpectedEnd, 3),
      ("null", .expected("{"), 0),
      ("{", .unexpectedEnd, 1),
      ("{,", .leadingComma, 1),
      (#"{"type":"HEARTBEAT",}"#, .trailingComma, 20),
      (#"{"type":"HEARTBEAT",,}"#, .trailingComma, 20),
      (#"{"type":"HEARTBEAT"}"#, .missingKey("senderId"), 20),
      (#"{"type":"heartbeat"}"#, .unknownName("packet type"), 8),
      (#"{"type":null}"#, .unexpectedNull, 8),
      (#"{null:1}"#, .unexpectedNull, 1),
      (#"{"z":[}]}"#, .expected("]"), 6),
      (#"{"z":["a]}"#, .unexpectedEnd, 10),
      (#"{"z":"\u12g4"}"#, .invalidEscape, 6),
      (#"{"vectorClock":{"timestamps":{"a":1 "b":2}}}"#, .missingComma, 36),
      (#"{"vectorClock":{"timestamps":{"a":}}}"#, .expected("value"), 34),
      (#"{"vectorClock":{"timestamps":[]}}"#, .expected("{"), 29),
      (#"{"payload":{"a":1,}}"#, .trailingComma, 18),
      (#"{"payload":{"a":1 "b":2}}"#, .missingComma, 18),
      (#"{"payload":{"a":1}}"#, .missingDiscriminator, 11),
      (#"{"payload":{"type":"x"}}"#, .unknownName("payload type"), 19),
      (#"{"payload":{"type":{}}}"#, .unknownName("payload type"), 11),
      (#"{"payload":{"type":"@VoteCast","voterId":"v","vote":1}}"#, .invalidBoolean, 111),
      (#"{"payload":{"type":"@VoteCast","voterId":"v","vote":"true}}"#, .expected("closing quote"), 116),
      (#"{"payload":{"type":"@TurnAdvanced","nextPlayerId":"v"}}"#, .missingKey("pendingLine"), 113),
    ] as [(String, BabPacketError.Reason, Int)])
  func refused(_ text: String, _ reason: BabPacketError.Reason, _ offset: Int) {
    #expect(throws: BabPacketError(reason, offset: offset)) { try BabPacket(decoding: packetText(text)) }
  }

  static func vote(_ payload: String) -> [UInt8] {
    packetText(#"{"type":"VOTE_CAST","senderId":"x","vectorClock":{},"payload":{\#(payload)}}"#)
  }

  @Test("A boolean is true or false in any case, quoted or not")
  func booleans() {
    let canonical = verdict(Self.vote(#""type":"@VoteCast","voterId":"v","vote":true"#))
    expect(canonical.hasPrefix("ACCEPT"))
    for word in ["TRUE", "True", #""true""#, #""tRuE""#] {
      equal(verdict(Self.vote(#""type":"@VoteCast","voterId":"v","vote":\#(word)"#)), canonical)
      equal(verdict(Self.vote(#""vote":\#(word),"type":"@VoteCast","voterId":"v""#)), canonical)
    }
    for word in ["1", "yes", #"" true""#, "null", "truex", "[]"] {
      equal(verdict(Self.vote(#""type":"@VoteCast","voterId":"v","vote":\#(word)"#)), "REJECT", "\(word)")
      equal(verdict(Self.vote(#""vote":\#(word),"type":"@VoteCast","voterId":"v""#)), "REJECT", "\(word)")
    }
  }

  @Test("A payload whose discriminator comes late reads its scalars as text first")
  func lateDiscriminator() {
    func completed(_ fields: String) -> [UInt8] {
      packetText(#"{"type":"LINE_COMPLETED","senderId":"x","vectorClock":{},"payload":{\#(fields)}}"#)
    }
    let early = completed(
      #""type":"@LineCompleted","lineId":"l","result":{"errorCount":3,"accuracy":0.5,"wordErrors":[],"skipped":false,"duration":12}"#
    )
    // A quoted number may have spaces before and anything after a space behind it: only here.
    let late = completed(
      #""lineId":"l","result":{"errorCount":" 3","accuracy":".5","wordErrors":[],"skipped":"FALSE","duration":"12 34"},"type":"@LineCompleted""#
    )
    expect(verdict(early).hasPrefix("ACCEPT"))
    equal(verdict(late), verdict(early))
    equal(
      verdict(
        completed(
          #""type":"@LineCompleted","lineId":"l","result":{"errorCount":" 3","accuracy":0.5,"wordErrors":[],"skipped":false,"duration":12}"#
        )), "REJECT")
  }

  @Test("Of a key that occurs twice the last value counts, at the first one's place")
  func duplicates() throws {
    let packet = try BabPacket(
      decoding: packetText(
        #"{"type":"HEARTBEAT","senderId":"x","vectorClock":{"timestamps":{"a":1,"b":2,"a":3}},"payload":{"type":"@Heartbeat"}}"#
      ))
    equal(packet.vectorClock.timestamps.entries, [.init(key: "a", value: 3), .init(key: "b", value: 2)])
  }

  @Test("Canonically equivalent texts are different keys")
  func keysAreOctets() {
    let map: OrderedMap<Int64> = ["\u{E9}": 1, "e\u{301}": 2]
    equal(map.count, 2)
    equal(map["e\u{301}"], 2)
  }

  @Test(
    "Invalid UTF-8 becomes U+FFFD as on the JVM",
    arguments: [
      ([0xF0, 0x9F, 0x98], 1), ([0xED, 0xA0, 0x80], 1), ([0xED, 0xA0], 1), ([0xC0, 0x80], 2), ([0xE0, 0x80, 0x80], 3),
      ([0xE2, 0x82], 1), ([0xF5, 0x80, 0x80, 0x80], 4), ([0xF4, 0x90, 0x80, 0x80], 4), ([0x80], 1), ([0xFF, 0xFE], 2),
      ([0xF0, 0x80, 0x80, 0x80], 4), ([0xC3], 1),
    ] as [([UInt8], Int)])
  func malformed(_ octets: [UInt8], _ replacements: Int) throws {
    let head = packetText(#"{"type":"HEARTBEAT","vectorClock":{},"payload":{"type":"@Heartbeat"},"senderId":""#)
    let packet = try BabPacket(decoding: head + octets + Array(#""}"#.utf8))
    equal(packet.senderID, String(repeating: "\u{FFFD}", count: replacements))
    // An offset behind the replacement is one of the text that came in.
    let offset = head.count + octets.count + 3
    #expect(throws: BabPacketError(.trailingOctets, offset: offset)) {
      try BabPacket(decoding: head + octets + Array(#""} }"#.utf8))
    }
  }

  @Test("Values under unknown keys are skipped at any depth, kept values up to the limit")
  func depth() {
    func nested(_ depth: Int) -> String { String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
    equal(
      verdict(
        packetText(
          #"{"type":"HEARTBEAT","senderId":"x","vectorClock":{},"payload":{"type":"@Heartbeat"},"z":\#(nested(130_000))}"#
        )), verdict(Self.canonical))
    for (depth, accepted) in [(WireLimits.nesting - 1, true), (WireLimits.nesting, false), (100_000, false)] {
      let text =
        #"{"type":"HEARTBEAT","senderId":"x","vectorClock":{},"payload":{"z":\#(nested(depth)),"type":"@Heartbeat"}}"#
      equal(verdict(packetText(text)), (accepted ? verdict(Self.canonical) : "REJECT"), "\(depth)")
    }
  }

  @Test("A packet of 256 KiB is read, one octet more is refused; so are maps of more than 256 entries")
  func limits() throws {
    let head = packetText(
      #"{"type":"HEARTBEAT","senderId":"x","vectorClock":{},"payload":{"type":"@Heartbeat"}}"#)
    let largest = head + [UInt8](repeating: 0x20, count: WireLimits.packetOctets - head.count)
    equal(verdict(largest), verdict(Self.canonical))
    #expect(throws: BabPacketError(.tooLarge, offset: WireLimits.packetOctets)) {
      try BabPacket(decoding: largest + [0x20])
    }
    func clock(_ entries: Int) -> [UInt8] {
      let counts = (0..<entries).map { #""\#($0)":1"# }.joined(separator: ",")
      return packetText(
        #"{"type":"HEARTBEAT","senderId":"x","vectorClock":{"timestamps":{\#(counts)}},"payload":{"type":"@Heartbeat"}}"#
      )
    }
    try equal(BabPacket(decoding: clock(256)).vectorClock.timestamps.count, 256)
    equal(verdict(clock(257)), "REJECT")
  }

  @Test("What a snapshot carries uninterpreted comes out as it went in")
  func carried() throws {
    let values = #"{"p":{"level":"A1","hints":[1e3,-0.50,true,null,"a\"b"],"":{}}}"#
    let packet = try BabPacket(
      decoding: packetText(
        #"{"type":"FULL_STATE_SNAPSHOT","senderId":"x","vectorClock":{},"payload":{"type":"@FullStateSnapshot","state":{"playerContexts":\#(values),"activePlotTwist":{"id":word},"recentFeedback":[007]}}}"#
      ))
    let text = String(decoding: packet.encoded(), as: UTF8.self)
    expect(text.contains(#""playerContexts":\#(values),"activePlotTwist":{"id":"word"},"recentFeedback":["007"],"#))
  }
}

@Suite("Vector clocks")
struct WireVectorClockTests {
  @Test("Comparison is BEFORE, AFTER, CONCURRENT or EQUAL, an unknown peer counting 0")
  func comparison() {
    let a = VectorClock(["a": 1])
    let b = VectorClock(["a": 1, "b": 1])
    equal(a.compare(b), .before)
    equal(b.compare(a), .after)
    equal(VectorClock(["a": 2]).compare(b), .concurrent)
    equal(a.compare(VectorClock(["b": 0, "a": 1])), .equal)
    equal(VectorClock().compare(VectorClock(["a": -1])), .after)
  }

  @Test("Merging takes the larger count and appends unknown peers in order; counting stops at the largest count")
  func merging() {
    var clock = VectorClock(["a": 5, "b": 1])
    clock.merge(VectorClock(["c": 2, "b": 7, "a": 3]))
    equal(clock, VectorClock(["a": 5, "b": 7, "c": 2]))
    clock.increment("d")
    equal(clock.timestamps.keys, ["a", "b", "c", "d"])
    var full = VectorClock(["a": Int64.max])
    full.increment("a")
    equal(full["a"], Int64.max)
  }
}
