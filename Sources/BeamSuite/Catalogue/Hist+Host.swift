import AppSeam
import BeamScribe
import Bench
import Conformance
import SimKernel

/// HIST, host: the history and its seam (BEAM 5.6).
extension Catalog {
  static let histHost: [TestPurpose] = [
    TestPurpose(
      "BEAM/HOST/HIST/BV-01-C", ["BEAM 5.6.1", "BEAM 5.6.10"],
      "The first packet of a late guest is the whole history; of the first guest of an event, the empty one.",
      initial: "An event is on.", expects: ["the empty history for guest-1, 20 finals for guest-2"], testers: 2
    ) { t in
      try t.preamble { try t.startEvent() }
      let first = try t.guest.connect()
      try t.pause(.seconds(5))
      let empty = BeamPacket.history([])
      try t.require(
        "guest-1's first packet is the empty history", actual: t.guest.words(first), first.packets.first == empty)
      let texts = t.speak(20)
      let second = try t.guests[1].connect()
      try t.guests[1].expect("is sent a packet", within: .seconds(6), on: second) { !$0.frames.isEmpty }
      try t.require(
        "guest-2's first packet is the history of 20", actual: t.guests[1].words(second),
        second.packets.first == .history(texts))
    },
    TestPurpose(
      "BEAM/HOST/HIST/BV-02-C", ["BEAM 5.6.3"],
      "With a final spoken in the instant of the gate, and at each millisecond around it, the numbers join "
        + "without gap or repeat.",
      initial: "A guest comes eleven times, and a final is spoken from 5 ms before its gate to 5 ms after it.",
      expects: ["each time all finals, each once"]
    ) { t in
      try t.preamble { try t.startEvent() }
      for offset in -5...5 {
        let stream = try t.preamble { try t.guest.connect() }
        let ready = try t.connection(t.guest).instant
        try t.pause(until: ready + gate + .milliseconds(Int64(offset)))
        let spoken = offset + 6
        t.speak(BeamBed.text(spoken))
        try t.pause(.milliseconds(200))
        try t.requireFinals((1...spoken).map { BeamBed.text($0) }, on: stream, of: t.guest)
        t.guest.cancel()
        try t.pause(.milliseconds(500))
      }
    },
    TestPurpose(
      "BEAM/HOST/HIST/BV-03-C", ["BEAM 5.6.10"], "A guest that comes back gets the whole history again.",
      initial: "A guest had a history of 3 finals, and has left.", expects: ["a history of 5 finals"]
    ) { t in
      try t.preamble {
        try t.startEvent()
        t.speak(3)
        try t.guest.join()
        t.guest.cancel()
        try t.pause(.milliseconds(500))
        t.speak(2, from: 4)
      }
      let stream = try t.guest.connect()
      try t.guest.expect("is sent a packet", within: .seconds(6), on: stream) { !$0.frames.isEmpty }
      try t.require(
        "the history has 5 finals", actual: t.guest.words(stream),
        stream.packets.first == .history((1...5).map { BeamBed.text($0) }))
    },
    TestPurpose(
      "BEAM/HOST/HIST/BV-04-C", ["BEAM 5.6.9"],
      "1 000 finals, seven guests coming at different times: all show the host's transcript.",
      initial: "An event is on.", expects: ["every guest is sent 1 000 finals, each once"], testers: 7,
      arrange: {
        $0.scenario.limits.events = 5_000_000
        $0.scenario.beamScribe.resumes = false
      }
    ) { t in
      try t.preamble { try t.startEvent() }
      var texts: [String] = []
      for number in 0..<7 {
        try t.guests[number].connect()
        for _ in 0..<10 {
          texts += t.speak(14, from: texts.count + 1)
          try t.pause(.milliseconds(400))
        }
      }
      try t.pause(.seconds(5))
      texts += t.speak(1_000 - texts.count, from: texts.count + 1)
      try t.pause(.seconds(2))
      for guest in t.guests {
        guard let stream = guest.newestStream else { continue }
        try t.requireFinals(texts, on: stream, of: guest)
      }
    },
  ]
}
