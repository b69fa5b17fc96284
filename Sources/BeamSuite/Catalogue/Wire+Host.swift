import AppSeam
import BeamScribe
import Conformance
import SimKernel

/// WIRE, host: the octets of packets (BEAM 4). What is compared is written here and not by an encoder.
extension Catalog {
  static let wireHost: [TestPurpose] = [
    TestPurpose(
      "BEAM/HOST/WIRE/BV-01-C", ["BEAM 4.1", "BEAM 4.2"],
      "All packets are canonical: sorted keys, no spaces, no other members, the right types.",
      initial: "One final was spoken, and chunks do not say when they were sent.",
      expects: ["history, partial, final and alert in exactly these octets"],
      arrange: { $0.scenario.beamScribe.writesSentTimestamp = false }
    ) { t in
      let stream = try opened(t, ["Hi."])
      t.iut.user(.speakPartial("good mor"))
      try t.pause(.milliseconds(20))
      t.speak("Good morning.")
      t.iut.user(.batteryLow)
      try expectBodies(
        [
          #"{"chunks":[{"sequence":1,"text":"Hi."}],"type":"fullHistory","upToSequence":1}"#,
          #"{"isFinal":false,"sequence":2,"text":"good mor","type":"liveChunk"}"#,
          #"{"isFinal":true,"sequence":2,"text":"Good morning.","type":"liveChunk"}"#,
          #"{"alert":"batteryLow","type":"alert"}"#,
        ], t, stream)
    },
    TestPurpose(
      "BEAM/HOST/WIRE/BV-02-C", ["BEAM 4.3"], "Text with every kind of character is escaped exactly.",
      initial: "A guest's stream is open.", expects: ["exactly the escapes of the clause"],
      arrange: { $0.scenario.beamScribe.writesSentTimestamp = false }
    ) { t in
      let stream = try opened(t, [])
      let texts = [
        (#"a"b\c/d"#, #"a\"b\\c/d"#), ("\u{8}\t\n\u{C}\r", #"\b\t\n\f\r"#),
        ("\u{0}\u{1}\u{B}\u{E}\u{1F}", #"\u0000\u0001\u000b\u000e\u001f"#),
        ("\u{7F}\u{80}é€😀\u{2028}", "\u{7F}\u{80}é€😀\u{2028}"),
        ("e\u{301}\u{FEFF}", "e\u{301}\u{FEFF}"), ("<script>&'", "<script>&'"),
      ]
      for (text, _) in texts { t.speak(text) }
      try expectBodies(
        [#"{"chunks":[],"type":"fullHistory","upToSequence":0}"#]
          + texts.enumerated().map {
            #"{"isFinal":true,"sequence":\#($0.offset + 1),"text":"\#($0.element.1)","type":"liveChunk"}"#
          }, t, stream)
    },
    TestPurpose(
      "BEAM/HOST/WIRE/BV-03-C", ["BEAM 4.4"], "Sequences are plain integers, also from 1 000 on.",
      initial: "1 200 finals were spoken.",
      expects: ["no number with an exponent, a fraction, a sign or a leading zero"]
    ) { t in
      let texts = try t.preamble {
        try t.startEvent()
        let texts = t.speak(1_200)
        try t.guest.connect()
        return texts
      }
      guard let stream = t.guest.newestStream else { throw t.inconclusive("the stream is up") }
      try t.guest.expect("is sent a history", within: .seconds(8), on: stream) { !$0.frames.isEmpty }
      t.speak("final 1201")
      try t.guest.expect("is sent a final", within: .seconds(2), on: stream) { $0.frames.count > 1 }
      let bodies = stream.frames.map { String(decoding: $0.body, as: UTF8.self) }
      try t.require(
        "the history ends with \"upToSequence\":1200", actual: "\(bodies[0].suffix(40))",
        bodies[0].hasSuffix(#""upToSequence":1200}"#))
      try t.require(
        "the final has \"sequence\":1201", actual: bodies[1], bodies[1].contains(#""sequence":1201,"#))
      try t.requireFinals(texts + ["final 1201"], on: stream, of: t.guest)
    },
    TestPurpose(
      "BEAM/HOST/WIRE/BV-04-C", ["BEAM 4.7"],
      "A final of 20 000 octets becomes three finals, cut at characters; a partial is shortened.",
      initial: "A guest's stream is open.",
      expects: [
        "finals of 8 190, 8 190 and 3 620 octets that are the text together", "a partial that is a start of it",
      ]
    ) { t in
      let stream = try opened(t, [])
      let text = String(repeating: "€", count: 6_666) + "ab"
      t.iut.user(.speakPartial(text))
      try t.pause(.milliseconds(50))
      t.speak(text)
      try t.guest.expect("is sent three finals", within: .seconds(2), on: stream) { $0.finals.count >= 3 }
      try t.pause(.milliseconds(100))
      let finals = stream.finals
      try t.require(
        "the finals are the text", actual: "\(finals.map(\.text.utf8.count)) octets",
        finals.map(\.text).joined() == text && finals.map(\.sequence) == [1, 2, 3])
      try t.require(
        "none has more than 8 192 octets, and each is as long as it can be",
        actual: "\(finals.map(\.text.utf8.count)) octets", finals.map(\.text.utf8.count) == [8_190, 8_190, 3_620])
      let partial = stream.chunks.first { !$0.isFinal }?.text
      try t.require(
        "the partial is a start of the text", actual: partial.map { "\($0.utf8.count) octets" } ?? "none came",
        partial.map { !$0.isEmpty && $0.utf8.count <= BeamLimits.text && text.hasPrefix($0) } ?? false)
    },
    TestPurpose(
      "BEAM/HOST/WIRE/BV-05-C", ["BEAM 4.8"],
      "Histories have consecutive sequences up to `upToSequence`; the empty one has 0.",
      initial: "An event is on.",
      expects: ["0 for the first guest", "2 for a guest that comes while the third final is being spoken"], testers: 2
    ) { t in
      let stream = try opened(t, [])
      try t.require(
        "the first history is empty", actual: t.guest.words(stream),
        stream.histories == [.init(chunks: [], upToSequence: 0)])
      t.speak(2)
      t.iut.user(.speakPartial("final 3, perh"))
      let second = try t.guests[1].connect()
      try t.guests[1].expect("is sent a history", within: .seconds(6), on: second) { !$0.frames.isEmpty }
      let history = second.histories.first
      try t.require(
        "the second history is of 1 and 2", actual: t.guests[1].words(second),
        history?.upToSequence == 2 && history?.chunks.map(\.sequence) == [1, 2])
    },
  ]

  /// These finals were spoken, and the first guest has its history.
  static func opened(_ t: BeamBed, _ texts: [String]) throws -> TesterStream {
    try t.preamble {
      try t.startEvent()
      for text in texts { t.speak(text) }
      let stream = try t.guest.connect()
      try t.guest.expect("is sent a packet", within: .seconds(6), on: stream) { !$0.frames.isEmpty }
      return stream
    }
  }

  private static func expectBodies(_ bodies: [String], _ t: BeamBed, _ stream: TesterStream) throws {
    _ = try t.wait(.seconds(2)) { stream.frames.count >= bodies.count }
    for (place, body) in bodies.enumerated() {
      let came =
        stream.frames.indices.contains(place) ? String(decoding: stream.frames[place].body, as: UTF8.self) : "nothing"
      try t.require(
        "packet \(place + 1) is \(body)", actual: came, Array(came.utf8) == Array(body.utf8))
    }
    try t.require("no other packet came", actual: t.guest.words(stream), stream.frames.count == bodies.count)
  }
}
