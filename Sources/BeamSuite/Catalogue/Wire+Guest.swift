import AppSeam
import BeamScribe
import Conformance
import SimKernel

/// WIRE, guest: what is a packet, and what is none (BEAM 4).
extension Catalog {
  static let wireGuest: [TestPurpose] = [
    TestPurpose(
      "BEAM/GUEST/WIRE/BV-01-C", ["BEAM 4.5"], "Other orders, white space, escapes and unknown members are read.",
      initial: "A guest's stream is ready.", expects: ["each packet is shown as it was meant"], needs: [.beamScreen]
    ) { t in
      try t.preamble {
        try t.host.listen()
        t.iut.user(.join)
        try t.host.expectStream()
      }
      t.host.say(body: #" { "upToSequence" : 1 , "type" : "fullHistory", "chunks":[ {"text":"one","sequence":1} ] }"#)
      t.host.say(body: "{\r\n\t\"type\":\"liveChunk\",\"text\":\"two\",\"sequence\":2,\"isFinal\":true}\n")
      t.host.say(body: #"{"isFinal":true,"sequence":3,"text":"\u0074\u0068\/\u00e9\ud83d\ude00\"","type":"liveChunk"}"#)
      t.host.say(
        body:
          #"{"x":{"a":[1,-2.5e3,null,{}]},"isFinal":true,"sequence":4,"text":"four","type":"liveChunk","z":false}"#
      )
      t.host.say(
        body: #"{"isFinal":true,"sentTimestamp":1700000012.25,"sequence":5,"\u0074ext":"five","type":"liveChunk"}"#)
      try t.expectTexts(["one", "two", "th/é😀\"", "four", "five"])
      try t.pause(.milliseconds(200))
      try t.require("the stream is up", actual: "it has ended", t.host.stream != nil)
    },
    TestPurpose(
      "BEAM/GUEST/WIRE/BI-01-C", ["BEAM 4.6"],
      "Each of 30 wrong bodies is refused: no UTF-8, U+FEFF, surrogate, nesting, key twice, missing member, "
        + "kind, limit.",
      initial: "The guest shows a history; after each body it comes again.",
      expects: ["each body is refused with notAPacket, and nothing of it is shown"], needs: [.beamScreen]
    ) { t in
      try hostAlways(t, ["one"])
      for (number, body) in wrongBodies.enumerated() {
        let stream = try t.host.expectStream(number + 1)
        try t.pause(.milliseconds(50))
        t.host.say(body: body, note: "sends " + String(decoding: body.prefix(80), as: UTF8.self))
        try t.expectRefusal(.notAPacket, of: stream, count: number + 1)
        try t.requireTexts(["one"])
        try t.require("no alert and no partial is shown", t.iut.alertsShown.isEmpty && t.iut.partialsShown.isEmpty)
      }
      try t.host.expectStream(wrongBodies.count + 1)
      try t.pause(.milliseconds(50))
      t.host.say(.partial(2, "two"), .alert(.batteryLow))
      try t.expect("a right partial and a right alert are shown") {
        !t.iut.alertsShown.isEmpty && !t.iut.partialsShown.isEmpty
      }
    },
    TestPurpose(
      "BEAM/GUEST/WIRE/BI-02-C", ["BEAM 4.2"], "An unknown `type` is refused with `notAPacket`.",
      initial: "The guest shows a history.", expects: ["the stream is cancelled for notAPacket"]
    ) { t in
      try hostAlways(t, [])
      for (number, type) in ["greeting", "LiveChunk", "liveChunk "].enumerated() {
        let stream = try t.host.expectStream(number + 1)
        try t.pause(.milliseconds(50))
        t.host.say(body: #"{"isFinal":true,"sequence":1,"text":"a","type":"\#(type)"}"#)
        try t.expectRefusal(.notAPacket, of: stream, count: number + 1)
      }
    },
    TestPurpose(
      "BEAM/GUEST/WIRE/BI-03-C", ["BEAM 4.8"],
      "A history with a gap among its chunks, or beyond its `upToSequence`, is refused.",
      initial: "A guest's stream is ready.", expects: ["each is refused with notAPacket, and nothing of it is shown"],
      needs: [.beamScreen]
    ) { t in
      try t.preamble {
        try t.host.listen()
        t.iut.user(.join)
      }
      for (number, body) in [
        #"{"chunks":[{"sequence":1,"text":"a"},{"sequence":3,"text":"c"}],"type":"fullHistory","upToSequence":3}"#,
        #"{"chunks":[{"sequence":1,"text":"a"},{"sequence":2,"text":"b"}],"type":"fullHistory","upToSequence":1}"#,
        #"{"chunks":[],"type":"fullHistory","upToSequence":5}"#,
      ].enumerated() {
        let stream = try t.host.expectStream(number + 1)
        t.host.say(body: body)
        try t.expectRefusal(.notAPacket, of: stream, count: number + 1)
        try t.requireTexts([])
      }
      try t.host.expectStream(4)
      t.host.open(["a"])
      try t.expectTexts(["a"])
    },
  ]

  /// A host that gives this history to each stream at once, and the implementation's first stream.
  @discardableResult
  static func hostAlways(_ t: BeamBed, _ texts: [String]) throws -> TesterStream {
    try t.preamble {
      let host = t.host
      host.greets = { host.send(host.frame(BeamPacket.history(texts).encoded()), on: $0) }
      try host.listen()
      t.iut.user(.join)
      let stream = try host.expectStream()
      try t.pause(.milliseconds(50))
      return stream
    }
  }

  /// None of these is a packet.
  static let wrongBodies: [[UInt8]] =
    [
      // Not UTF-8, and not one object.
      Array(#"{"alert":"batteryLow","type":"alert","x":""#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8),
      Array(#"{"alert":"batteryLow","type":"alert","x":""#.utf8) + [0xED, 0xA0, 0x80] + Array(#""}"#.utf8),
      [0xEF, 0xBB, 0xBF] + Array(#"{"alert":"batteryLow","type":"alert"}"#.utf8),
    ]
    + [
      #"[{"alert":"batteryLow","type":"alert"}]"#, #""alert""#, #"{"alert":"batteryLow","type":"alert"}{}"#,
      #"{"alert":"batteryLow","type":"alert""#, #"{"alert":"batteryLow","type":"alert",}"#,
      #"{'alert':'batteryLow','type':'alert'}"#, #"{"alert":"batteryLow" "type":"alert"}"#,
      // Escapes and surrogates.
      #"{"isFinal":true,"sequence":2,"text":"\ud800","type":"liveChunk"}"#,
      #"{"isFinal":true,"sequence":2,"text":"\udc00a","type":"liveChunk"}"#,
      #"{"isFinal":true,"sequence":2,"text":"\x41","type":"liveChunk"}"#,
      "{\"isFinal\":true,\"sequence\":2,\"text\":\"a\nb\",\"type\":\"liveChunk\"}",
      // Nesting deeper than 16.
      #"{"alert":"batteryLow","type":"alert","x":"# + String(repeating: "[", count: 16)
        + String(repeating: "]", count: 16) + "}",
      // Keys twice.
      #"{"isFinal":true,"sequence":2,"text":"a","text":"b","type":"liveChunk"}"#,
      #"{"alert":"batteryLow","type":"alert","x":1,"x":2}"#,
      #"{"isFinal":true,"sequence":2,"\u0074ext":"a","text":"b","type":"liveChunk"}"#,
      // Members that are missing.
      #"{"sequence":2,"text":"a","type":"liveChunk"}"#, #"{"isFinal":true,"text":"a","type":"liveChunk"}"#,
      #"{"isFinal":true,"sequence":2,"type":"liveChunk"}"#, #"{"isFinal":true,"sequence":2,"text":"a"}"#,
      #"{"type":"alert"}"#,
      // Other kinds.
      #"{"isFinal":1,"sequence":2,"text":"a","type":"liveChunk"}"#,
      #"{"isFinal":true,"sequence":"2","text":"a","type":"liveChunk"}"#,
      #"{"isFinal":true,"sequence":2.5,"text":"a","type":"liveChunk"}"#,
      #"{"isFinal":true,"sequence":2,"text":null,"type":"liveChunk"}"#,
      // Beyond limits.
      #"{"isFinal":true,"sequence":0,"text":"a","type":"liveChunk"}"#,
      #"{"isFinal":true,"sequence":2,"text":"","type":"liveChunk"}"#,
      #"{"isFinal":true,"sequence":2,"text":""# + String(repeating: "a", count: 8_193) + #"","type":"liveChunk"}"#,
      #"{"isFinal":true,"sentTimestamp":1.2345,"sequence":2,"text":"a","type":"liveChunk"}"#,
      #"{"alert":"battery","type":"alert"}"#,
    ].map { Array($0.utf8) }
}
