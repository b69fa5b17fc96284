import AppSeam
import BeamScribe
import Conformance
import Platform
import SimKernel

/// ALERT, host: what guests are told beside the text (BEAM 5.7).
extension Catalog {
  static let alertHost: [TestPurpose] = [
    TestPurpose(
      "BEAM/HOST/ALERT/BV-01-C", ["BEAM 5.7.1", "BEAM 5.7.2"],
      "`batteryLow` goes once to every open stream, and again when the battery was good in between.",
      initial: "Three guests' streams are open.",
      expects: ["one alert each, no more with the finals after it, and a second one the next time"], testers: 3
    ) { t in
      try t.preamble { try t.seat(3) }
      for time in 1...2 {
        t.iut.user(.batteryLow)
        try t.pause(.milliseconds(100))
        t.speak(3, from: 3 * time - 2)
        t.iut.user(.batteryLow)
        try t.pause(.milliseconds(500))
        for guest in t.guests {
          let alerts = guest.newestStream?.alerts ?? []
          try t.require(
            "\(guest.name) has been sent \(time) alerts", clause: alerts.count < time ? "BEAM 5.7.2" : nil,
            actual: "\(alerts.map(\.rawValue))", alerts == Array(repeating: .batteryLow, count: time))
        }
        t.iut.user(.batteryOK)
        try t.pause(.seconds(1))
      }
    },
    TestPurpose(
      "BEAM/HOST/ALERT/BV-02-C", ["BEAM 5.7.1"],
      "A stream whose gate opens while the battery is low gets the alert after its history.",
      initial: "A guest's stream is ready, and the battery becomes low within its gate.",
      expects: ["history, then batteryLow, once"]
    ) { t in
      try t.preamble {
        try t.startEvent()
        t.speak(2)
        try t.guest.connect()
      }
      try t.pause(.seconds(1))
      t.iut.user(.batteryLow)
      try t.pause(.seconds(4))
      guard let stream = t.guest.newestStream else { throw t.inconclusive("the stream is up") }
      try t.require(
        "the history and the alert came, in this order", actual: t.guest.words(stream),
        stream.packets == [.history((1...2).map { BeamBed.text($0) }), .alert(.batteryLow)])
    },
    TestPurpose(
      "BEAM/HOST/ALERT/BV-03-C", ["BEAM 5.7.3"],
      "Relaunched with its transcript, it sends `sessionResumed` after the history to those who were there, "
        + "once, and not to newcomers.",
      initial: "guest-1 was there for three finals; the host's app is killed and launched again.",
      expects: [
        "history and sessionResumed for guest-1", "the history alone for guest-2, and for guest-1 the next time",
      ],
      needs: [.beamResume], testers: 2
    ) { t in
      try t.preamble {
        try t.seat(1)
        t.speak(3)
        try t.pause(.milliseconds(200))
      }
      t.iut.suffers(.kill, "its app is killed")
      try t.pause(.seconds(1))
      t.iut.suffers(.relaunch, "its app is launched again")
      try t.pause(.seconds(3))
      try t.expect("the IUT listens again", within: .seconds(5)) { t.iut.isListening }
      let history = BeamPacket.history((1...3).map { BeamBed.text($0) })
      for (guest, expected) in [
        (t.guest, [history, .alert(.sessionResumed)]), (t.guests[1], [history]), (t.guest, [history]),
      ] {
        let stream = try t.preamble { try guest.connect() }
        try t.pause(.milliseconds(4_500))
        try t.require(
          "\(guest.name) is sent " + expected.map(\.words).joined(separator: " and "), actual: guest.words(stream),
          stream.packets == expected)
        guest.cancel()
        try t.pause(.milliseconds(500))
      }
    },
  ]
}
