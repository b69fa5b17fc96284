import AppSeam
import BeamScribe
import Bench
import Conformance
import Platform
import SimKernel

/// RETRY: loss and retries (BEAM 5.9, 5.11.6).
extension Catalog {
  static let retryGuest: [TestPurpose] = retryGuestWaits + retryGuestEvents

  private static let retryGuestWaits: [TestPurpose] = [
    TestPurpose(
      "BEAM/GUEST/RETRY/BV-01-C", ["BEAM 5.9.1", "BEAM 5.9.2", "BEAM 8.3"],
      "The stream is lost and nobody answers: attempts 1 s after the loss, 2 s and 4 s after the failures.",
      initial: "The guest shows a history; the stream ends, and nothing passes to the host any more.",
      expects: ["three attempts, each so long after what it follows"]
    ) { t in
      try t.preamble { try t.host.serve(["1"]) }
      t.host.cancel()
      try t.pause(.milliseconds(50))
      t.partHost()
      guard var failed = t.iut.end(t.iut.attempts[0].id) else { throw t.inconclusive("the stream is lost") }
      for (number, wait) in [SimDuration.seconds(1), .seconds(2), .seconds(4)].enumerated() {
        try t.expect("the IUT tries again", within: .seconds(6)) { t.iut.attempts.count > number + 1 }
        try t.require("attempt \(number + 1) begins", t.iut.attempts[number + 1].instant, is: wait, after: failed)
        let id = t.iut.attempts[number + 1].id
        try t.expect("the attempt fails", within: .seconds(12)) { t.iut.end(id) != nil }
        failed = t.iut.end(id) ?? failed
      }
    },
    TestPurpose(
      "BEAM/GUEST/RETRY/BV-02-C", ["BEAM 5.9.3"],
      "After the third failure there is no fourth attempt; it browses from the start, and joins what is found.",
      initial: "The stream was lost, and three attempts have failed.",
      expects: [
        "the browser is ended and begun again with the third failure", "no attempt for 20 s",
        "a stream when the host is there again",
      ]
    ) { t in
      try t.preamble {
        try t.host.serve(["1"])
        t.host.cancel()
        try t.pause(.milliseconds(50))
        t.partHost()
        try t.expect("the IUT tries three times", within: .seconds(60)) { t.iut.attempts.count == 4 }
        let id = t.iut.attempts[3].id
        try t.expect("the third attempt fails", within: .seconds(12)) { t.iut.end(id) != nil }
      }
      let failed = try t.endOfNewest()
      try t.pause(.milliseconds(50))
      let stops = t.iut.asks.last { $0.effect == .stopBrowsing(type: t.serviceType) }?.instant
      try t.require("the IUT ends its browser", stops, is: .zero, after: failed)
      try t.require("the IUT browses again", t.iut.isBrowsing)
      if t.ics.claims(.beamScreen) { try t.expectState(.looking) }
      try t.never("the IUT tries again", for: .seconds(20)) { t.iut.attempts.count > 4 }
      t.joinHostAgain()
      t.host.stopListening()
      try t.pause(.seconds(2))
      try t.host.listen()
      try t.host.expectStream(2, within: .seconds(90))
    },
    TestPurpose(
      "BEAM/GUEST/RETRY/BI-01-C", ["BEAM 5.9.4"],
      "Lost 2 s after ready: the next wait is 2 s, then 4 s; after a complete history it is 1 s again.",
      initial: "The guest shows a history, and loses its stream.",
      expects: ["waits of 1 s, 2 s and 4 s without a history, and of 1 s after one"]
    ) { t in
      try t.preamble { try t.host.serve(["1"]) }
      for (number, wait) in [SimDuration.seconds(1), .seconds(2), .seconds(4), .seconds(1)].enumerated() {
        if number == 3 { t.host.open(["1"]) }
        try t.pause(.seconds(2))
        t.host.cancel()
        try t.pause(.milliseconds(50))
        let lost = try t.endOfNewest()
        try t.host.expectStream(number + 2, within: .seconds(6))
        try t.require("the IUT tries again", t.iut.attempts[number + 1].instant, is: wait, after: lost)
      }
    },
  ]

  private static let retryGuestEvents: [TestPurpose] = [
    TestPurpose(
      "BEAM/GUEST/RETRY/BI-02-C", ["BEAM 5.9.5"], "The event leaves the browser during a wait: no attempt follows.",
      initial: "The guest waits 4 s for its third retry.", expects: ["no attempt after the event is gone"]
    ) { t in
      try t.preamble { try waitThirdTime(t) }
      t.host.stopListening()
      let told = { t.iut.told { if case .lost = $0 { true } else { false } } }
      guard try t.wait(.milliseconds(3_500), until: { told() != nil }) else {
        throw t.inconclusive("the IUT is told that the event is gone")
      }
      let gone = t.now
      try t.never("the IUT tries again", for: .seconds(20)) { !t.attempts(after: gone).isEmpty }
      if t.ics.claims(.beamScreen) {
        try t.require("the IUT shows LOOKING", actual: t.iut.words, t.iut.shows(.looking))
      }
    },
    TestPurpose(
      "BEAM/GUEST/RETRY/BI-03-C", ["BEAM 5.9.6"],
      "Another event is found while a retry is waiting: one attempt, by the timer or by the browser.",
      initial: "The guest, who was told no name, waits 4 s for its third retry.",
      expects: ["one attempt and no other while its stream is up"], testers: 2
    ) { t in
      try t.preamble { try waitThirdTime(t) }
      let before = t.iut.attempts.count
      try t.hosts[1].listen("Other")
      let found = { t.iut.tellings.contains { if case .found(_, _, "Other", _, _) = $0.input { true } else { false } } }
      guard try t.wait(.seconds(2), until: found) else {
        throw t.inconclusive("the other event is found within the wait")
      }
      try t.expect("the IUT tries again", within: .seconds(5)) { t.iut.attempts.count > before }
      try t.pause(.seconds(5))
      try t.require(
        "there is one attempt", actual: "\(t.iut.attempts.count - before)", t.iut.attempts.count == before + 1)
    },
    TestPurpose(
      "BEAM/GUEST/RETRY/BI-04-C", ["BEAM 7.3"], "After its own refusal it retries as after any loss.",
      initial: "The guest shows a history.", expects: ["an attempt 1 s after the refusal"]
    ) { t in
      try t.preamble { try t.host.serve(["1"]) }
      t.host.say(body: "no")
      try t.pause(.milliseconds(100))
      guard let refused = t.iut.cancelled(t.iut.attempts[0].id) else {
        throw t.failed("the IUT refuses the stream", "it does not", record: nil, clause: "BEAM 3.6")
      }
      try t.host.expectStream(2, within: .seconds(3))
      try t.require("the IUT tries again", t.iut.attempts[1].instant, is: .seconds(1), after: refused)
      t.host.open(["1", "2"])
      if t.ics.claims(.beamScreen) { try t.expectTexts(["1", "2"]) }
    },
    TestPurpose(
      "BEAM/GUEST/RETRY/BI-05-C", ["BEAM 5.11.6", "BEAM 8.10"],
      "Not viable for 9 s and viable again: the stream stays; for 10 s: lost.",
      initial: "The guest's stream is over Wi-Fi from peer to peer, and the host goes out of reach.",
      expects: ["the stream stays after 9 s", "10 s after it is not viable any more it is cancelled"],
      arrange: { stage in
        for index in stage.scenario.devices.indices { stage.scenario.devices[index].interfaces = [.peerToPeer] }
      }
    ) { t in
      let stream = try t.preamble { try t.host.serve(["1"]) }
      let id = t.iut.attempts[0].id
      t.host.suffers(.outOfRange, "goes out of reach")
      let told = { t.iut.lastTold { $0 == .viable(id, false) } }
      guard try t.wait(.seconds(5), until: { told() != nil }), let first = told() else {
        throw t.inconclusive("the IUT is told that its stream is not viable")
      }
      try t.pause(until: first + .seconds(9))
      try t.require("the stream is up after 9 s", actual: "it is cancelled", t.iut.end(id) == nil)
      t.host.suffers(.comeBack, "is in reach again")
      try t.pause(.seconds(5))
      try t.require("the stream is up", actual: "it has ended", t.iut.end(id) == nil && stream.isUp)
      t.host.suffers(.outOfRange, "goes out of reach")
      guard try t.wait(.seconds(5), until: { told() != first }), let second = told() else {
        throw t.inconclusive("the IUT is told that its stream is not viable")
      }
      try t.pause(until: second + .milliseconds(10_100))
      try t.require("the IUT gives the stream up", t.iut.end(id), is: .seconds(10), after: second)
    },
    TestPurpose(
      "BEAM/GUEST/RETRY/BI-06-C", ["BEAM 5.9.9", "BEAM 8.13"],
      "The host vanishes while nothing is spoken: lost within 20 s, then retries.",
      initial: "The guest shows a history.", expects: ["the stream is over within 20.5 s, and an attempt follows"]
    ) { t in
      try t.preamble { try t.host.serve(["1"]) }
      let id = t.iut.attempts[0].id
      try t.pause(.seconds(2))
      t.host.suffers(.vanish, "vanishes")
      try t.expect("the IUT's stream is over", within: .milliseconds(20_500)) { t.iut.over(id) != nil }
      try t.expect("the IUT tries again", within: .milliseconds(1_100), clause: "BEAM 5.9.2") {
        t.iut.attempts.count == 2
      }
    },
  ]

  /// The implementation has lost three streams, without a history after the first, and waits 4 s.
  static func waitThirdTime(_ t: BeamBed) throws {
    try t.host.serve(["1"])
    for number in 1...3 {
      try t.pause(.milliseconds(200))
      t.host.cancel()
      if number < 3 { try t.host.expectStream(number + 1) }
    }
    try t.pause(.milliseconds(50))
  }
}
