import AppSeam
import BeamScribe
import Conformance
import SimKernel

/// JOIN: finding and connecting (BEAM 2, 5.3, 5.8.5).
extension Catalog {
  static let joinGuest: [TestPurpose] = joinGuestFinding + joinGuestConnecting

  private static let joinGuestFinding: [TestPurpose] = [
    TestPurpose(
      "BEAM/GUEST/JOIN/BV-01-C", ["BEAM 2.3", "BEAM 5.3.2"],
      "It browses with peer to peer allowed and connects to what it finds, without having heard BLE.",
      initial: "A host listens and does not advertise.",
      expects: ["an attempt in the instant in which the event is found"]
    ) { t in
      try t.host.listen()
      t.iut.user(.join)
      try t.host.expectStream(within: .seconds(10), clause: "BEAM 5.3.2")
      let browse = t.iut.asks.first { if case .browse = $0.effect { true } else { false } }
      try t.require(
        "peer to peer is allowed", record: browse?.record, actual: "it is not",
        browse?.effect == .browse(type: t.serviceType, peerToPeer: true))
      guard let found = t.iut.told({ if case .found = $0 { true } else { false } }) else {
        throw t.inconclusive("the event is found")
      }
      try t.require("the IUT connects", t.iut.attempts.first?.instant, is: .zero, after: found, clause: "BEAM 5.3.2")
    },
    TestPurpose(
      "BEAM/GUEST/JOIN/BV-02-C", ["BEAM 2.3"], "It browses for the type of its dialect.",
      initial: "Nobody hosts.", expects: ["a browser for the type of the dialect, and no other"],
      dialects: [.beamNetwork, .beamMPC]
    ) { t in
      t.iut.user(.join)
      try t.pause(.seconds(1))
      let types = t.iut.asks.compactMap { if case .browse(let type, _) = $0.effect { type } else { nil } }
      try t.require("the IUT browses for \(t.serviceType)", actual: "\(types)", types == [t.serviceType])
    },
    TestPurpose(
      "BEAM/GUEST/JOIN/BV-03-C", ["BEAM 2.4"], "Told a name it connects to that event, though another is found first.",
      initial: "host-1 hosts “Other”.", expects: ["no attempt until host-2 hosts “Keynote”, and then one to it"],
      testers: 2
    ) { t in
      try t.host.listen("Other")
      t.iut.user(.joinEvent(name: "Keynote"))
      try t.never("the IUT connects", for: .seconds(3)) { !t.iut.attempts.isEmpty }
      try t.hosts[1].listen("Keynote")
      try t.hosts[1].expectStream()
      try t.require("host-1 has no stream", actual: "it has", t.host.streams.isEmpty)
    },
    TestPurpose(
      "BEAM/GUEST/JOIN/BI-01-C", ["BEAM 2.4"], "`Name (2)` is not `Name`.",
      initial: "host-1 hosts “Keynote (2)”.",
      expects: ["no attempt in 10 s", "a stream to “Keynote” when it is there"], testers: 2
    ) { t in
      try t.host.listen("Keynote (2)")
      t.iut.user(.joinEvent(name: "Keynote"))
      try t.never("the IUT connects", for: .seconds(10)) { !t.iut.attempts.isEmpty }
      try t.hosts[1].listen("Keynote")
      try t.hosts[1].expectStream()
    },
    TestPurpose(
      "BEAM/GUEST/JOIN/BV-04-C", ["BEAM 5.3.5"], "Two results and a report of a change make one attempt.",
      initial: "An attempt to reach host-1 has no answer yet, and host-2 is found on both interfaces.",
      expects: ["one attempt"], testers: 2
    ) { t in
      try t.host.listen("Keynote")
      t.iut.user(.join)
      try t.expect("the IUT connects", within: .seconds(10)) { !t.iut.attempts.isEmpty }
      t.partHost()
      try t.hosts[1].listen("Other")
      try t.pause(.seconds(3))
      let results = t.iut.tellings.count { if case .found = $0.input { true } else { false } }
      guard results >= 2 else { throw t.inconclusive("both events are found") }
      try t.require("there is one attempt", actual: "\(t.iut.attempts.count)", t.iut.attempts.count == 1)
    },
  ]

  private static let joinGuestConnecting: [TestPurpose] = [
    TestPurpose(
      "BEAM/GUEST/JOIN/BI-02-C", ["BEAM 5.3.6"], "An attempt without an answer is cancelled after 10 s and counted.",
      initial: "The stream was lost, and nothing passes to the host any more.",
      expects: ["the attempt is cancelled 10 s after it began", "the next begins 2 s after that"]
    ) { t in
      try t.preamble {
        try t.host.serve()
        t.host.cancel()
        try t.pause(.milliseconds(50))
        t.partHost()
        try t.expect("the IUT tries again", within: .seconds(3)) { t.iut.attempts.count == 2 }
      }
      let attempt = t.iut.attempts[1]
      try t.pause(until: attempt.instant + .milliseconds(10_100))
      try t.require(
        "the IUT cancels the attempt", t.iut.cancelled(attempt.id), is: .seconds(10), after: attempt.instant)
      try t.pause(.seconds(3))
      let next = t.iut.attempts.count > 2 ? t.iut.attempts[2].instant : nil
      try t.require("the IUT tries again", next, is: .seconds(12), after: attempt.instant, clause: "BEAM 5.9.2")
    },
    TestPurpose(
      "BEAM/GUEST/JOIN/BV-05-C", ["BEAM 5.3.7"],
      "The states are shown in the order LOOKING, CONNECTING, CONNECTED, SHOWING.",
      initial: "Nobody hosts.", expects: ["each state when the clauses say so"], needs: [.beamScreen]
    ) { t in
      t.iut.user(.join)
      try t.expectState(.looking)
      try t.host.listen()
      let stream = try t.host.expectStream()
      try t.expectState(.connected)
      try t.never("the IUT shows SHOWING before the history", for: .seconds(4)) { t.iut.shows(.showing) }
      t.host.open(["Hi."])
      try t.expectState(.showing)
      let states = t.iut.states.filter { $0 != BeamState.idle.rawValue }
      try t.require(
        "the states came in their order", actual: states.joined(separator: ", "),
        states == ["LOOKING", "CONNECTING", "CONNECTED", "SHOWING"] && stream.isUp)
    },
    TestPurpose(
      "BEAM/GUEST/JOIN/BV-06-C", ["BEAM 5.8.5", "BEAM 5.3.1"],
      "Leaving cancels the stream, browser and scan, and nothing begins after it.",
      initial: "The guest shows a history; later it waits for a retry.",
      expects: ["everything ends in the instant of leaving", "nothing in the 30 s after it"]
    ) { t in
      try t.preamble { try t.host.serve() }
      let id = t.iut.attempts[0].id
      t.iut.user(.leave)
      try t.pause(.milliseconds(100))
      try requireLeft(t)
      try t.require("the stream is cancelled", actual: "it is not", t.iut.cancelled(id) != nil)
      try t.pause(.seconds(2))
      t.iut.user(.join)
      try t.host.expectStream(2)
      t.host.open()
      try t.pause(.milliseconds(100))
      t.host.cancel()
      try t.pause(.milliseconds(300))
      t.iut.user(.leave)
      try t.pause(.milliseconds(20))
      try requireLeft(t)
      guard let left = t.iut.userInstant else { throw t.inconclusive("the person leaves") }
      try t.never("the IUT connects, browses or scans", for: .seconds(30)) {
        !t.attempts(after: left).isEmpty || t.iut.isBrowsing || t.iut.isScanning
      }
    },
    TestPurpose(
      "BEAM/GUEST/JOIN/BV-07-C", ["BEAM 1.2"], "It sends nothing on a stream, from ready to the end of the session.",
      initial: "A host listens.", expects: ["no octet from the guest through history, chunks, an alert and the end"]
    ) { t in
      let stream = try t.preamble { try t.host.serve(["one"]) }
      t.host.say(.partial(2, "tw"), .final(2, "two"), .alert(.batteryLow))
      try t.pause(.seconds(1))
      t.host.say(.alert(.hostDisconnected))
      t.host.finish()
      try t.pause(.seconds(2))
      let asked = t.iut.asks.first { if case .send = $0.effect { true } else { false } }
      try t.require("the IUT sends nothing", record: asked?.record, actual: "it does", asked == nil)
      try t.require("no octet came", actual: "\(stream.octets.count) came", stream.octets.isEmpty)
    },
  ]

  private static func requireLeft(_ t: BeamBed) throws {
    try t.require("the IUT browses no more", actual: "it browses", !t.iut.isBrowsing)
    try t.require("the IUT scans no more", clause: "BEAM 5.3.1", actual: "it scans", !t.iut.isScanning)
  }
}
