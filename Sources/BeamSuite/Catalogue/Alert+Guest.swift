import AppSeam
import BeamScribe
import Conformance
import Platform
import SimKernel

/// ALERT and END, guest (BEAM 5.7, 5.8).
extension Catalog {
  static let alertGuest: [TestPurpose] = [
    TestPurpose(
      "BEAM/GUEST/ALERT/BV-01-C", ["BEAM 5.7.4", "BEAM 5.7.6"],
      "Each alert is shown in its place; the transcript is as before.",
      initial: "The guest shows one final.", expects: ["final, alert, final, alert, final, in this order"],
      needs: [.beamScreen]
    ) { t in
      try t.preamble { try t.host.serve(["1"]) }
      t.host.say(.alert(.batteryLow), .final(2, "2"), .alert(.sessionResumed), .alert(.batteryLow), .final(3, "3"))
      try t.pause(.milliseconds(200))
      t.iut.seeks("finalShown")
      t.iut.seeks("alertShown")
      let shown = t.iut.shown.compactMap { entry -> String? in
        switch entry.report {
        case .finalShown(let sequence, _): "\(sequence)"
        case .alertShown(let alert, _): alert
        default: nil
        }
      }
      try t.require(
        "alerts and finals are shown in their places", actual: shown.joined(separator: ", "),
        shown == ["1", "batteryLow", "2", "sessionResumed", "batteryLow", "3"])
      try t.requireTexts(["1", "2", "3"], clause: "BEAM 5.7.6")
    },
    TestPurpose(
      "BEAM/GUEST/ALERT/BI-01-C", ["BEAM 5.7.5"],
      "The host vanishes: after the third failed retry it shows `hostDisconnected` once, by itself.",
      initial: "The guest shows a history; the host vanishes.",
      expects: ["no alert before the third retry has failed, and one then"], needs: [.beamScreen]
    ) { t in
      try t.preamble { try t.host.serve(["1"]) }
      t.host.suffers(.vanish, "vanishes")
      try t.expect("the IUT tries three times again", within: .seconds(80)) { t.iut.attempts.count >= 4 }
      try t.require("it shows no alert before", actual: "\(t.iut.alertsShown)", t.iut.alertsShown.isEmpty)
      try t.expect("the IUT shows hostDisconnected by itself", within: .seconds(11), actual: { "\(t.iut.alertsShown)" })
      {
        t.iut.alertsShown == ["(hostDisconnected)"]
      }
      try t.never("the IUT shows another alert", for: .seconds(60)) { t.iut.alertsShown.count > 1 }
      try t.requireTexts(["1"])
    },
  ]

  static let endGuest: [TestPurpose] = [
    TestPurpose(
      "BEAM/GUEST/END/BV-01-C", ["BEAM 5.8.4"],
      "After `hostDisconnected` it shows ENDED, does not retry, keeps the text, and joins when the event is "
        + "there again.",
      initial: "The guest shows two finals.",
      expects: ["ENDED, no attempt for 20 s, two finals", "a stream when the event is there again"],
      needs: [.beamScreen]
    ) { t in
      try t.preamble { try t.host.serve(["1", "2"]) }
      t.host.say(.alert(.hostDisconnected))
      t.host.finish()
      t.host.stopListening()
      try t.expectState(.ended, within: .seconds(1))
      let end = t.now
      try t.never("the IUT tries again", for: .seconds(20), actual: { "it does" }) { !t.attempts(after: end).isEmpty }
      try t.require("the IUT shows ENDED", actual: t.iut.words, t.iut.shows(.ended))
      try t.requireTexts(["1", "2"])
      try t.require("one alert was shown", actual: "\(t.iut.alertsShown)", t.iut.alertsShown == ["hostDisconnected"])
      try t.host.listen()
      try t.host.expectStream(2, within: .seconds(10))
      t.host.open(["new"])
      t.iut.seeks("transcriptCleared")
      try t.expectTexts(["new"])
    }
  ]
}
