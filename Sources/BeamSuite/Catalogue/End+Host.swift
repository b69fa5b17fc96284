import AppSeam
import BeamScribe
import Conformance
import SimKernel

/// END, host: the end of an event (BEAM 5.8).
extension Catalog {
  static let endHost: [TestPurpose] = [
    TestPurpose(
      "BEAM/HOST/END/BV-01-C", ["BEAM 5.8.1"],
      "Ending sends `hostDisconnected` last on every open stream, then FIN; the service and BLE end.",
      initial: "Two guests' streams are open, and a final was spoken.",
      expects: ["hostDisconnected as the last packet, then FIN", "no service and no BLE after it"], testers: 2
    ) { t in
      try t.preamble { try t.seat(2) }
      t.speak("final 1")
      try t.pause(.milliseconds(200))
      t.iut.user(.endEvent)
      try t.pause(.milliseconds(50))
      for guest in t.guests {
        guard let stream = guest.newestStream else { continue }
        try t.require(
          "\(guest.name)'s last packet is hostDisconnected", actual: guest.words(stream),
          stream.packets.last == .alert(.hostDisconnected) && stream.alerts.count == 1)
        try t.require("\(guest.name) is sent FIN", actual: "it is not", stream.finish != nil)
        try t.require("\(guest.name) is sent nothing after it", stream.rest == 0)
      }
      try t.require("the IUT has ended its service", actual: "it listens", !t.iut.isListening)
      try t.require("the IUT does not advertise", actual: "it does", t.iut.advertisement == nil)
      try t.never("the IUT advertises or listens", for: .seconds(3)) {
        t.iut.advertisement != nil || t.iut.isListening
      }
    },
    TestPurpose(
      "BEAM/HOST/END/BV-02-C", ["BEAM 5.8.2"], "A gated stream gets FIN and no octet.",
      initial: "A guest's stream is gated.", expects: ["FIN, and nothing before it"]
    ) { t in
      try t.preamble {
        try t.startEvent()
        t.speak("final 1")
        try t.guest.connect()
        try t.pause(.seconds(1))
      }
      let id = try t.connection(t.guest).id
      t.iut.user(.endEvent)
      try t.pause(.milliseconds(50))
      try t.require("the stream is finished", actual: "it is not", t.guest.newestStream?.finish != nil)
      try t.requireSilence(id, "nothing was handed over")
    },
    TestPurpose(
      "BEAM/HOST/END/BI-01-C", ["BEAM 5.8.3", "BEAM 8.9"], "A guest that does not end its side is cancelled after 5 s.",
      initial: "A guest's stream is open, and the guest will not end its side.",
      expects: ["the stream is cancelled 5 s after it was finished"]
    ) { t in
      try t.preamble { try t.seat(1) }
      t.guest.answersFinish = false
      let id = try t.connection(t.guest).id
      t.iut.user(.endEvent)
      try t.pause(.seconds(1))
      guard let finished = t.iut.finished(id) else {
        throw t.failed("the stream is finished", "it is not", record: nil, clause: "BEAM 5.8.1")
      }
      try t.pause(.seconds(6))
      try t.require("the stream is cancelled", t.iut.cancelled(id), is: .seconds(5), after: finished)
    },
  ]
}
