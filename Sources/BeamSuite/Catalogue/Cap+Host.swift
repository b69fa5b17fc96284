import AppSeam
import BeamScribe
import Conformance
import Platform
import SimKernel

/// CAP and PATH, host: eight peers, and several streams of one (BEAM 1, 5.9, 5.11).
extension Catalog {
  static let capHost: [TestPurpose] = [
    TestPurpose(
      "BEAM/HOST/CAP/BI-01-C", ["BEAM 5.9.9"],
      "A guest vanishes while nothing is spoken: its place is free within 20 s.",
      initial: "Seven guests' streams are open.", expects: ["an eighth guest is taken 20.5 s after guest-1 vanished"],
      testers: 8
    ) { t in
      try t.preamble { try t.seat(7) }
      let id = try t.connection(t.guest).id
      t.guest.suffers(.vanish, "vanishes")
      try t.pause(.milliseconds(20_500))
      try t.require("the IUT is told that the stream is over", actual: "it is not", t.iut.over(id) != nil)
      let stream = try t.guests[7].connect()
      try t.guests[7].expectHistory(on: stream)
    },
    TestPurpose(
      "BEAM/HOST/CAP/BV-01-C", ["BEAM 1.3", "BEAM 8.12"], "Seven guests at once are taken, and all get everything.",
      initial: "Seven guests connect in the same instant.", expects: ["seven histories, and a final for each"],
      testers: 7
    ) { t in
      try t.preamble {
        try t.startEvent()
        for guest in t.guests { guest.look() }
        try t.expect("all find the event", within: .seconds(10)) { t.guests.allSatisfy { !$0.found.isEmpty } }
      }
      for guest in t.guests where guest.gives("connects") { guest.dial() }
      for guest in t.guests {
        try t.expect("\(guest.name)'s stream is ready", within: .seconds(5)) { guest.newestStream != nil }
      }
      for guest in t.guests {
        guard let stream = guest.newestStream else { continue }
        try guest.expectHistory(on: stream)
      }
      t.speak("for all")
      for guest in t.guests {
        try guest.expect("is sent the final", within: .seconds(1)) { $0.chunks.map(\.text) == ["for all"] }
      }
    },
    TestPurpose(
      "BEAM/HOST/CAP/BI-02-C", ["BEAM 1.3", "BEAM 1.4"],
      "An eighth is refused at once with `full`, without a packet; the seven see nothing of it.",
      initial: "Seven guests' streams are open.",
      expects: ["the eighth stream is cancelled in the instant in which it is ready", "the seven go on"], testers: 8
    ) { t in
      try t.preamble { try t.seat(7) }
      let last = t.guests[7]
      try t.preamble { try last.connect() }
      let (ready, id) = try t.connection(last)
      try t.pause(.milliseconds(100))
      try t.requireRefusal(of: id, at: ready, .full, clause: "BEAM 1.4")
      try t.pause(.seconds(5))
      try t.requireSilence(id, "nothing is sent to guest-8", clause: "BEAM 1.4")
      t.speak("for seven")
      for guest in t.guests.prefix(7) {
        try guest.expect("is sent the final, and nothing else", within: .seconds(1), clause: "BEAM 1.4") {
          $0.isUp && $0.packets.count == 2 && $0.chunks.map(\.text) == ["for seven"]
        }
      }
    },
    TestPurpose(
      "BEAM/HOST/CAP/BV-02-C", ["BEAM 5.9.7"], "A guest leaves and another comes at once: it is taken.",
      initial: "Seven guests' streams are open.", expects: ["an eighth guest is served after guest-1 has left"],
      testers: 8
    ) { t in
      try t.preamble { try t.seat(7) }
      t.guest.cancel()
      try t.pause(.milliseconds(10))
      let stream = try t.guests[7].connect()
      try t.guests[7].expectHistory(on: stream)
      try t.never("the stream ends", for: .seconds(1)) { !stream.isUp }
    },
    TestPurpose(
      "BEAM/HOST/CAP/BV-03-C", ["BEAM 1.5", "BEAM 5.11.5"], "Seven guests, one with two streams: nobody is refused.",
      initial: "guest-1 has a stream on each interface.",
      expects: ["six more guests are taken, and all eight streams go on"],
      testers: 7
    ) { t in
      try t.preamble { try t.startEvent() }
      var streams = [
        try t.preamble { try t.guest.connect(over: [.infrastructure]) },
        try t.preamble { try t.guest.connect(over: [.peerToPeer]) },
      ]
      for guest in t.guests.dropFirst() { streams.append(try t.preamble { try guest.connect() }) }
      try t.pause(.milliseconds(4_500))
      t.speak("for all")
      try t.pause(.milliseconds(500))
      for (number, stream) in streams.enumerated() {
        try t.require(
          "stream \(number + 1) goes on", actual: stream.isUp ? "nothing came" : "it has ended",
          stream.isUp && stream.chunks.map(\.text) == ["for all"])
      }
    },
  ]

  static let pathHost: [TestPurpose] = [
    TestPurpose(
      "BEAM/HOST/PATH/BI-01-C", ["BEAM 5.11.5"],
      "A second stream on the same interface: the older is refused with `superseded`.",
      initial: "A guest's stream is open.",
      expects: ["the older stream is cancelled when the newer is ready", "the newer is served"]
    ) { t in
      try t.preamble {
        try t.startEvent()
        try t.guest.join(over: [.infrastructure])
      }
      let old = try t.connection(t.guest).id
      let stream = try t.preamble { try t.guest.connect(over: [.infrastructure]) }
      let ready = try t.connection(t.guest).instant
      try t.pause(.milliseconds(100))
      try t.requireRefusal(of: old, at: ready, .superseded)
      try t.guest.expectHistory(on: stream)
    }
  ]
}
