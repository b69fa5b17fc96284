import AppSeam
import BeamScribe
import Bench
import Conformance
import SimKernel

/// ROBUST, host: hostile guests and long runs (BEAM 7).
extension Catalog {
  static let robustHost: [TestPurpose] = [
    TestPurpose(
      "BEAM/HOST/ROBUST/BI-01-C", ["BEAM 3.6", "BEAM 7.4"],
      "One guest breaks a rule: the six others go on without a pause.",
      initial: "Seven guests' streams are open.", expects: ["each final is with the six others at once"], testers: 7
    ) { t in
      try t.preamble { try t.seat(7) }
      t.speak("before")
      try t.pause(.milliseconds(100))
      t.guest.transmit(Array(repeating: 0xFF, count: 64), note: "sends octets")
      try t.pause(.milliseconds(5))
      t.speak("after")
      try t.pause(.milliseconds(100))
      for guest in t.guests.dropFirst() {
        guard let stream = guest.newestStream else { continue }
        try t.require(
          "\(guest.name) goes on", clause: "BEAM 7.4", actual: guest.words(stream),
          stream.isUp && stream.chunks.map(\.text) == ["before", "after"])
      }
    },
    TestPurpose(
      "BEAM/HOST/ROBUST/BI-02-C", ["BEAM 7.5"],
      "10 000 streams that come and go within the gate: no growth, no crash, the eighth rule holds.",
      initial: "guest-1 connects and leaves, again and again.",
      expects: [
        "the host asks for nothing on streams that are over", "seven others are taken then, and an eighth is refused",
      ],
      testers: 9, arrange: { $0.scenario.limits.events = 5_000_000 }
    ) { t in
      try t.preamble {
        try t.startEvent()
        t.guest.look()
        try t.expect("guest-1 finds the event", within: .seconds(10)) { !t.guest.found.isEmpty }
      }
      let first = t.guest
      first.greets = { stream in
        stream.close(at: t.now, .own)
        first.ask(.cancel(stream.id))
        if first.streams.count < 10_000 { first.dial() }
      }
      if first.gives("connects and leaves, 10 000 times") { first.dial() }
      _ = try t.wait(.seconds(200)) { first.streams.count >= 10_000 }
      try t.require(
        "10 000 streams came and went", actual: "\(first.streams.count) did", first.streams.count == 10_000)
      try t.pause(.seconds(6))
      let before = t.newestRecord
      t.speak("to nobody")
      try t.pause(.milliseconds(50))
      let asked = t.iut.asked(after: before) { if case .network(.send) = $0 { true } else { false } }
      try t.require("the IUT sends nothing on streams that are over", record: asked, actual: "it does", asked == nil)
      for guest in t.guests.dropFirst().prefix(7) { try t.preamble { try guest.connect() } }
      for guest in t.guests.dropFirst().prefix(7) {
        guard let stream = guest.newestStream else { continue }
        try guest.expectHistory(on: stream)
      }
      try t.preamble { try t.guests[8].connect() }
      let (ready, id) = try t.connection(t.guests[8])
      try t.pause(.milliseconds(100))
      try t.requireRefusal(of: id, at: ready, .full, clause: "BEAM 1.4")
    },
    TestPurpose(
      "BEAM/HOST/ROBUST/BI-03-C", ["BEAM 7.6"], "An event without guests rests.",
      initial: "An event is on.", expects: ["a minute in which the host asks for nothing"]
    ) { t in
      try t.preamble {
        try t.startEvent()
        try t.pause(.seconds(2))
      }
      let before = t.newestRecord
      try t.pause(.seconds(60))
      let asked = t.iut.asked(after: before) { _ in true }
      try t.require("the IUT asks for nothing", record: asked, actual: "it does", asked == nil)
    },
  ]
}
