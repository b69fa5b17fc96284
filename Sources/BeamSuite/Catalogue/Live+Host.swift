import AppSeam
import BeamScribe
import Bench
import Conformance
import SimKernel

/// LIVE, host: what is spoken goes out (BEAM 5.5).
extension Catalog {
  static let liveHost: [TestPurpose] = [
    TestPurpose(
      "BEAM/HOST/LIVE/BV-01-C", ["BEAM 5.5.1", "BEAM 5.5.3"],
      "Each final comes once on every open stream, numbered 1, 2, 3 … as spoken.",
      initial: "guest-1's stream is open, and guest-2's after five finals.",
      expects: ["both are sent 30 finals, each once, with the same numbers"], testers: 2
    ) { t in
      try t.preamble { try t.seat(1) }
      var texts = t.speak(5)
      let second = try t.preamble { try t.guests[1].join() }
      for number in 6...30 {
        texts.append(BeamBed.text(number))
        t.speak(texts[number - 1])
        try t.pause(.milliseconds(40))
      }
      try t.pause(.seconds(1))
      guard let first = t.guest.newestStream else { throw t.inconclusive("the stream is up") }
      try t.requireFinals(texts, on: first, of: t.guest, clause: "BEAM 5.5.3")
      try t.requireFinals(texts, on: second, of: t.guests[1], clause: "BEAM 5.5.3")
      let chunks = second.chunks.map(\.sequence)
      try t.require(
        "guest-2's live chunks have the numbers 6 to 30", actual: "\(chunks)", chunks == Array(6...30))
    },
    TestPurpose(
      "BEAM/HOST/LIVE/BV-02-C", ["BEAM 5.5.2"], "Partials have the number of their final.",
      initial: "A guest's stream is open.", expects: ["two partials and a final of each number, in this order"]
    ) { t in
      let stream = try opened(t, [])
      for number in 1...3 {
        for text in ["it", "it is"] {
          t.iut.user(.speakPartial(text))
          try t.pause(.milliseconds(50))
        }
        t.speak("it is \(number)")
        try t.pause(.milliseconds(50))
      }
      try t.pause(.milliseconds(200))
      let chunks = stream.chunks.map { "\($0.sequence)\($0.isFinal ? "!" : "")" }
      try t.require(
        "partials have the number of their final", actual: chunks.joined(separator: " "),
        chunks == ["1", "1", "1!", "2", "2", "2!", "3", "3", "3!"])
    },
    TestPurpose(
      "BEAM/HOST/LIVE/BI-01-C", ["BEAM 5.5.6", "BEAM 8.8"],
      "A guest that does not read is refused with `slow` at the limit, not before.",
      initial: "Two guests' streams are open, and do not read.",
      expects: [
        "the first is cancelled 30 s after the platform took no more",
        "the second goes on with 3 MiB that wait, and is cancelled with 5 MiB",
      ], testers: 2, arrange: { $0.scenario.beamScribe.resumes = false }
    ) { t in
      try t.preamble { try t.seat(2) }
      let (old, large) = (try t.connection(t.guest).id, try t.connection(t.guests[1]).id)
      t.guest.setReading(false)
      t.speak(40, octets: 8_000)
      try t.pause(.milliseconds(100))
      let told = t.iut.told { $0 == .submitted(old, accepted: false) }
      guard let full = told else { throw t.inconclusive("the platform takes no more") }
      try t.pause(until: full + .milliseconds(29_900))
      try t.require("the stream is up 29.9 s after that", actual: "it is cancelled", t.iut.cancelled(old) == nil)
      try t.pause(until: full + .milliseconds(30_100))
      try t.requireRefusal(of: old, at: full + .seconds(30), .slow)
      t.guests[1].setReading(false)
      t.speak(400, from: 41, octets: 8_000)
      try t.pause(.seconds(2))
      try t.require("the stream is up with 3 MiB", actual: "it is cancelled", t.iut.cancelled(large) == nil)
      t.speak(250, from: 441, octets: 8_000)
      try t.pause(.milliseconds(100))
      guard let spoken = t.iut.userInstant else { throw t.inconclusive("finals are spoken") }
      try t.requireRefusal(of: large, at: spoken, .slow)
    },
    TestPurpose(
      "BEAM/HOST/LIVE/BI-02-C", ["BEAM 5.5.7", "BEAM 7.4"],
      "Beside a guest that does not read, six others get every chunk in time.",
      initial: "Seven guests' streams are open, and guest-1 does not read.",
      expects: ["each of 100 finals is with the others within 1 s"], testers: 7,
      arrange: { $0.scenario.limits.events = 5_000_000 }
    ) { t in
      try t.preamble { try t.seat(7) }
      t.guest.setReading(false)
      var texts: [String] = []
      for number in 1...100 {
        texts.append(BeamBed.text(number, octets: 8_000))
        t.iut.user(.speakFinal(texts[number - 1]))
        try t.pause(.milliseconds(100))
        guard number % 10 == 0 else { continue }
        try t.pause(.milliseconds(900))
        for guest in t.guests.dropFirst() {
          let count = guest.newestStream?.finals.count ?? 0
          try t.require(
            "\(guest.name) has final \(number) within 1 s", actual: "it has \(count)", count == number)
        }
      }
      for guest in t.guests.dropFirst() {
        guard let stream = guest.newestStream else { continue }
        try t.requireFinals(texts, on: stream, of: guest)
      }
    },
  ]
}
