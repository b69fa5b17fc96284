import AppSeam
import BeamScribe
import Conformance
import Platform
import SimKernel
import VirtualNetwork

/// GATE: the gate and what is unstable (BEAM 5.4).
extension Catalog {
  static let gateHost: [TestPurpose] = gateHostValid + gateHostInvalid
  static let gate = SimDuration.seconds(4)

  private static let gateHostValid: [TestPurpose] = [
    TestPurpose(
      "BEAM/HOST/GATE/BV-01-C", ["BEAM 5.4.1", "BEAM 8.1"],
      "The first octet comes 4 s after ready, not before and not later.",
      initial: "A guest's stream is ready.", expects: ["the first octets are handed over 4 s after ready"]
    ) { t in
      try t.preamble {
        try t.startEvent()
        try t.guest.connect()
      }
      let (ready, id) = try t.connection(t.guest)
      try t.pause(until: ready + gate + .milliseconds(100))
      let first = t.iut.sends(id).first
      try t.require(
        "the first octets are handed over", first?.instant, is: gate, after: ready, record: first?.record)
      try t.require("octets came", actual: "none came", !(t.guest.newestStream?.pieces.isEmpty ?? true))
    },
    TestPurpose(
      "BEAM/HOST/GATE/BV-02-C", ["BEAM 5.4.2"],
      "Finals, partials and alerts in these 4 s send nothing on the stream.",
      initial: "A guest's stream is ready.", expects: ["no octet before the gate"]
    ) { t in
      try t.preamble {
        try t.startEvent()
        try t.guest.connect()
      }
      let (ready, id) = try t.connection(t.guest)
      try t.pause(.milliseconds(500))
      t.iut.user(.speakPartial("one"))
      t.speak("one")
      try t.pause(.milliseconds(500))
      t.iut.user(.batteryLow)
      t.iut.user(.speakPartial("two"))
      try t.pause(until: ready + gate - .milliseconds(1))
      try t.requireSilence(id, "nothing is handed over before the gate")
      try t.guest.expect("is sent something", within: .seconds(2)) { !$0.pieces.isEmpty }
    },
    TestPurpose(
      "BEAM/HOST/GATE/BV-03-C", ["BEAM 5.4.4"], "While one stream is gated the open ones get every chunk.",
      initial: "guest-1's stream is open, guest-2's is gated.",
      expects: ["guest-1 is sent what is spoken, at once"], testers: 2
    ) { t in
      try t.preamble {
        try t.seat(1)
        try t.guests[1].connect()
      }
      let id = try t.connection(t.guest).id
      for number in 1...3 {
        t.speak("final \(number)")
        try t.pause(.milliseconds(200))
        let sends = t.iut.sends(id).filter { $0.instant == t.iut.userInstant }
        try t.require(
          "final \(number) is handed over at once", actual: "nothing is handed over", !sends.isEmpty)
      }
      try t.guest.expect("is sent the three finals", within: .seconds(1)) { $0.chunks.count == 3 }
    },
    TestPurpose(
      "BEAM/HOST/GATE/BV-04-C", ["BEAM 5.4.7", "BEAM 5.6.1"], "What was spoken within the gate is in the history.",
      initial: "A guest's stream is ready.", expects: ["the history has the finals of the 4 s"]
    ) { t in
      try t.preamble {
        try t.startEvent()
        t.speak("final 1")
        try t.guest.connect()
      }
      for number in 2...4 {
        try t.pause(.seconds(1))
        t.speak("final \(number)")
      }
      guard let stream = t.guest.newestStream else { throw t.inconclusive("the stream is up") }
      try t.guest.expectHistory(on: stream)
      try t.require(
        "the history has four finals", actual: t.guest.words(stream), stream.histories.first?.chunks.count == 4)
      try t.requireFinals((1...4).map { "final \($0)" }, on: stream, of: t.guest)
    },
  ]

  private static let gateHostInvalid: [TestPurpose] = [
    TestPurpose(
      "BEAM/HOST/GATE/BI-01-C", ["BEAM 5.4.3"],
      "Not viable at 4 s: nothing is sent until it is viable, then at once.",
      initial: "A guest's stream is ready, and 3 s later the host's device leaves the network.",
      expects: ["nothing at the gate", "the history in the instant in which the stream is viable again"]
    ) { t in
      try t.preamble {
        try t.startEvent()
        try t.guest.connect(over: [.infrastructure])
      }
      let (ready, id) = try t.connection(t.guest)
      try t.pause(until: ready + .seconds(3))
      t.iut.suffers(.network(.leaveNetwork), "leaves the network")
      try t.pause(until: ready + .milliseconds(5_500))
      try t.requireSilence(id, "nothing is handed over while the stream is not viable")
      t.iut.suffers(.network(.joinNetwork), "joins the network again")
      try t.pause(.seconds(2))
      let told = t.iut.lastTold { $0 == .viable(id, true) }
      guard let viable = told, viable > ready + gate else { throw t.inconclusive("the stream is viable again") }
      try t.require(
        "the first octets are handed over", t.iut.sends(id).first?.instant, is: .zero, after: viable)
    },
    TestPurpose(
      "BEAM/HOST/GATE/BI-02-C", ["BEAM 5.4.5", "BEAM 8.2"],
      "A stream that ends 4.9 s after ready is counted once, one that ends after 5.1 s is not.",
      initial: "An event is on.", expects: ["unstable with count 1, and nothing for the second stream"],
      needs: [.beamScreen]
    ) { t in
      try t.preamble { try t.startEvent() }
      for time in [SimDuration.milliseconds(4_900), .milliseconds(5_100)] {
        try t.preamble { try t.guest.connect() }
        try t.pause(until: try t.connection(t.guest).instant + time)
        t.guest.cancel()
        try t.pause(.seconds(1))
        let counts = t.iut.unstable(t.guest.name)
        try t.require(
          "the IUT has counted one stream", actual: "counts: \(counts)", counts == [1])
      }
    },
    TestPurpose(
      "BEAM/HOST/GATE/BI-03-C", ["BEAM 5.4.5"], "Streams that the host refused or finished are not counted.",
      initial: "An event is on.", expects: ["no stream is reported as unstable"], needs: [.beamScreen], testers: 2
    ) { t in
      try t.preamble {
        try t.startEvent()
        try t.guest.connect()
        try t.guests[1].connect()
        try t.pause(.seconds(1))
        t.guests[1].cancel()
        try t.expect("guest-2's stream is counted") { t.iut.unstable(t.guests[1].name) == [1] }
        try t.guests[1].connect()
      }
      t.guest.transmit([0], note: "sends an octet")
      try t.pause(.seconds(1))
      t.iut.user(.endEvent)
      try t.pause(.seconds(7))
      for (guest, known) in [(t.guest, []), (t.guests[1], [1])] {
        let counts = t.iut.unstable(guest.name)
        try t.require("\(guest.name) is not counted", actual: "counts: \(counts)", counts == known)
      }
    },
    TestPurpose(
      "BEAM/HOST/GATE/BI-04-C", ["BEAM 5.4.6"],
      "A guest with five unstable streams is taken, gated and served as any other.",
      initial: "A guest has had five streams that ended 1 s after ready.",
      expects: ["the sixth stream is up, gated for 4 s, and gets the history"]
    ) { t in
      try t.preamble { try t.startEvent() }
      for _ in 1...5 {
        try t.guest.connect()
        try t.pause(.seconds(1))
        t.guest.cancel()
        try t.pause(.seconds(1))
      }
      let stream = try t.guest.join()
      let (ready, id) = try t.connection(t.guest)
      try t.require(
        "the first octets are handed over", t.iut.sends(id).first?.instant, is: gate, after: ready)
      try t.never("the stream ends", for: .seconds(1)) { !stream.isUp }
    },
    TestPurpose(
      "BEAM/HOST/GATE/BI-05-C", ["BEAM 5.4.8", "BEAM 5.9.7"],
      "A stream that is lost at 3.9 s and comes again has a gate of its own, 4 s from its own ready.",
      initial: "A guest's stream ended 3.9 s after ready.",
      expects: ["the second gate opens 4 s after the second ready"]
    ) { t in
      try t.preamble {
        try t.startEvent()
        try t.guest.connect()
      }
      try t.pause(until: try t.connection(t.guest).instant + .milliseconds(3_900))
      t.guest.cancel()
      try t.pause(.milliseconds(20))
      try t.preamble { try t.guest.connect() }
      let (ready, id) = try t.connection(t.guest)
      try t.pause(until: ready + gate + .milliseconds(100))
      let first = t.iut.sends(id).first
      try t.require(
        "the first octets are handed over", first?.instant, is: gate, after: ready, record: first?.record)
    },
  ]
}
