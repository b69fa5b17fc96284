import AppSeam
import BeamScribe
import Conformance
import SimKernel

/// LIVE and HIST, guest: what is shown of chunks and histories (BEAM 5.5, 5.6).
extension Catalog {
  static let liveGuest: [TestPurpose] = [
    TestPurpose(
      "BEAM/GUEST/LIVE/BV-01-C", ["BEAM 5.5.8"],
      "Partials replace each other and go with their final; an old one is not shown.",
      initial: "The guest shows a history of one final.",
      expects: ["two partials, their final, and nothing of a late partial"],
      needs: [.beamScreen]
    ) { t in
      try t.preamble { try t.host.serve(["one"]) }
      t.host.say(.partial(2, "tw"))
      try t.pause(.milliseconds(50))
      t.host.say(.partial(2, "two"))
      try t.pause(.milliseconds(50))
      t.host.say(.final(2, "two!"))
      try t.pause(.milliseconds(50))
      t.host.say(.partial(2, "two, late"), .partial(1, "one, late"))
      try t.pause(.milliseconds(200))
      let partials = t.iut.partialsShown.map(\.text)
      try t.require("two partials were shown", actual: "\(partials)", partials == ["tw", "two"])
      try t.requireTexts(["one", "two!"])
    },
    TestPurpose(
      "BEAM/GUEST/LIVE/BV-02-C", ["BEAM 1.1", "BEAM 5.6.4"],
      "Three finals live after the history are shown once, in order, with the text that was sent.",
      initial: "The guest shows a history of one final.", expects: ["four finals with exactly their texts"],
      needs: [.beamScreen]
    ) { t in
      try t.preamble { try t.host.serve([" one "]) }
      t.host.say(.final(2, "  two\n"), .final(3, "\t"), .final(4, "e\u{301} é"))
      try t.expectTexts([" one ", "  two\n", "\t", "e\u{301} é"])
      let octets = t.iut.transcript.last.map { Array($0.text.utf8) } ?? []
      try t.require("the octets are those that were sent", octets == Array("e\u{301} é".utf8))
    },
  ]

  static let histGuest: [TestPurpose] = histGuestValid + histGuestInvalid

  private static let histGuestValid: [TestPurpose] = [
    TestPurpose(
      "BEAM/GUEST/HIST/BV-01-C", ["BEAM 5.6.4", "BEAM 5.6.5"],
      "Chunks that are in the history and come live again are shown once.",
      initial: "The guest shows a history of three finals.", expects: ["four finals, each once"], needs: [.beamScreen]
    ) { t in
      let stream = try t.preamble { try t.host.serve(["1", "2", "3"]) }
      t.host.say(.final(2, "2"), .final(3, "3"), .final(4, "4"), .final(4, "4"), .final(1, "1"))
      try t.pause(.milliseconds(200))
      let finals = t.iut.finalsShown.map(\.sequence)
      try t.require("each final was shown once", actual: "\(finals)", finals == [1, 2, 3, 4])
      try t.require("the stream is up", actual: "it has ended", stream.isUp)
    },
    TestPurpose(
      "BEAM/GUEST/HIST/BV-02-C", ["BEAM 5.6.4", "BEAM 5.9.8"],
      "Lost after 5 finals and back with a history of 9: the first 5 stay, 4 are added.",
      initial: "The guest shows five finals.", expects: ["nothing is dropped at the loss, and four finals are added"],
      needs: [.beamScreen]
    ) { t in
      let texts = (1...9).map { "\($0)" }
      try t.preamble {
        try t.host.serve(Array(texts.prefix(3)))
        t.host.say(.final(4, "4"), .final(5, "5"))
        try t.expectTexts(Array(texts.prefix(5)))
      }
      t.host.cancel()
      try t.pause(.milliseconds(500))
      try t.requireTexts(Array(texts.prefix(5)), clause: "BEAM 5.9.8")
      try t.host.expectStream(2)
      t.host.open(texts)
      try t.expectTexts(texts)
      let finals = t.iut.finalsShown.map(\.sequence)
      try t.require("each final was shown once", actual: "\(finals)", finals == Array(1...9) && !t.iut.isCleared)
    },
    TestPurpose(
      "BEAM/GUEST/HIST/BV-03-C", ["BEAM 5.6.2", "BEAM 5.3.7"], "A history in three pages: SHOWING after the last.",
      initial: "A guest's stream is ready.", expects: ["no SHOWING after the first two pages", "all six finals"],
      needs: [.beamScreen]
    ) { t in
      try t.preamble {
        try t.host.listen()
        t.iut.user(.join)
        try t.host.expectStream()
      }
      for page in 0..<3 {
        try t.require("the IUT does not show SHOWING yet", actual: "it does", !t.iut.shows(.showing))
        t.host.say(.history(["\(2 * page + 1)", "\(2 * page + 2)"], from: 2 * page + 1, upTo: 6))
        try t.pause(.milliseconds(300))
      }
      try t.expectState(.showing)
      try t.requireTexts((1...6).map { "\($0)" })
      t.host.say(.final(7, "7"))
      try t.expectTexts((1...7).map { "\($0)" })
    },
    TestPurpose(
      "BEAM/GUEST/HIST/BV-04-C", ["BEAM 5.6.8"],
      "A history that is shorter, or has another text, replaces what was shown.",
      initial: "The guest shows three finals, and has lost its stream.",
      expects: ["the two of the shorter history", "then the four of one with another text"], needs: [.beamScreen]
    ) { t in
      try t.preamble { try t.host.serve(["1", "2", "3"]) }
      for (number, texts) in [["1", "2"], ["1", "zwei", "drei", "vier"]].enumerated() {
        t.host.cancel()
        try t.host.expectStream(number + 2)
        t.host.open(texts)
        try t.pause(.milliseconds(200))
        t.iut.seeks("transcriptCleared")
        try t.requireTexts(texts)
      }
    },
  ]

  private static let histGuestInvalid: [TestPurpose] = [
    TestPurpose(
      "BEAM/GUEST/HIST/BI-01-C", ["BEAM 5.6.6"],
      "A final whose number is two above the last is refused with `gap`; nothing of it is shown; a retry follows.",
      initial: "The guest shows three finals.", expects: ["gap, three finals, and a new stream after 1 s"],
      needs: [.beamScreen]
    ) { t in
      let stream = try t.preamble { try t.host.serve(["1", "2", "3"]) }
      t.host.say(.final(5, "5"))
      try t.expectRefusal(.gap, of: stream)
      try t.requireTexts(["1", "2", "3"])
      try t.host.expectStream(2, within: .seconds(2))
    },
    TestPurpose(
      "BEAM/GUEST/HIST/BI-02-C", ["BEAM 5.6.7"], "A live chunk before or within the history is refused with `gap`.",
      initial: "A guest's stream is ready.",
      expects: ["gap for a chunk before the history, and for one between two pages"],
      needs: [.beamScreen]
    ) { t in
      try t.preamble {
        try t.host.listen()
        t.iut.user(.join)
      }
      let first = try t.host.expectStream()
      t.host.say(.final(1, "1"))
      try t.expectRefusal(.gap, of: first)
      try t.requireTexts([])
      let second = try t.host.expectStream(2)
      t.host.say(.history(["1"], upTo: 2), .final(2, "2"))
      try t.expectRefusal(.gap, of: second, count: 2)
      try t.requireTexts(["1"])
    },
    TestPurpose(
      "BEAM/GUEST/HIST/BI-03-C", ["BEAM 5.6.11"], "A second history on a stream is refused.",
      initial: "The guest shows two finals.", expects: ["notAPacket, and nothing new is shown"], needs: [.beamScreen]
    ) { t in
      let stream = try t.preamble { try t.host.serve(["1", "2"]) }
      t.host.say(.history(["1", "2", "3"]))
      try t.expectRefusal(.notAPacket, of: stream)
      try t.requireTexts(["1", "2"])
    },
    TestPurpose(
      "BEAM/GUEST/HIST/BI-04-C", ["BEAM 7.7"],
      "2 000 finals are kept over a loss; a history of 1 000 001 is refused.",
      initial: "The guest shows 2 000 finals.",
      expects: ["nothing is dropped or shown again when the history comes again", "notAPacket for the longer one"],
      needs: [.beamScreen]
    ) { t in
      let texts = (1...2_001).map { "\($0)" }
      try t.preamble {
        try t.host.serve(Array(texts.prefix(2_000)))
        try t.expectTexts(Array(texts.prefix(2_000)))
      }
      t.host.cancel()
      try t.host.expectStream(2)
      t.host.open(texts)
      try t.expectTexts(texts)
      try t.require(
        "each final was shown once", actual: "\(t.iut.finalsShown.count) were shown",
        t.iut.finalsShown.count == 2_001 && !t.iut.isCleared)
      t.host.cancel()
      let stream = try t.host.expectStream(3)
      t.host.say(.history(texts, upTo: 1_000_001))
      try t.expectRefusal(.notAPacket, of: stream)
    },
  ]
}
