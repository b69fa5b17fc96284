import AppSeam
import BeamScribe
import Bench
import Conformance
import Platform
import SimKernel
import VirtualRadio

/// BACK and LAT, host: the background, and what chunks say of time (BEAM 5.10, 9).
extension Catalog {
  static let backHost: [TestPurpose] = [
    TestPurpose(
      "BEAM/HOST/BACK/BV-01-C", ["BEAM 5.10.1"], "In the background it keeps advertising, listening and streams.",
      initial: "The host advertises.", expects: ["it stops nothing, and a guest joins and is served in the background"],
      needs: [.beamBLE]
    ) { t in
      try t.preamble {
        try t.startEvent()
        try t.expect("the IUT advertises") { t.iut.advertisement != nil }
      }
      t.iut.suffers(.background, "its app goes to the background")
      try t.never("the IUT stops BLE or its listener", for: .seconds(3)) {
        t.iut.advertisement == nil || !t.iut.isListening
      }
      let stream = try t.guest.join()
      t.iut.suffers(.foreground, "its app comes to the front")
      try t.pause(.seconds(1))
      t.iut.suffers(.background, "its app goes to the background")
      t.speak("heard")
      try t.guest.expect("is sent the final", within: .seconds(1), on: stream) { $0.chunks.map(\.text) == ["heard"] }
      try t.never("the stream ends", for: .seconds(2)) { !stream.isUp }
    },
    TestPurpose(
      "BEAM/HOST/BACK/BV-02-C", ["BEAM 5.10.3"],
      "In front again after its listener was reclaimed: it listens and registers again.",
      initial: "The app was suspended in the background for more than a minute.",
      expects: ["it listens in the instant in which it is in front", "a guest finds the event and joins"],
      arrange: { stage in
        stage.iut.phone.background.suspendsAfter = .seconds(5)
        stage.iut.phone.background.reclaimsSockets = true
      }
    ) { t in
      try t.preamble { try t.startEvent() }
      t.iut.suffers(.background, "its app goes to the background")
      try t.pause(.seconds(80))
      let before = t.newestRecord
      t.iut.suffers(.foreground, "its app comes to the front")
      try t.pause(.milliseconds(100))
      let isTold = t.iut.told { if case .listenerFailed(_, .reclaimed) = $0 { true } else { false } } != nil
      guard isTold else { throw t.inconclusive("the listener is reclaimed") }
      let asked = t.iut.asked(after: before) { if case .network(.listen) = $0 { true } else { false } }
      try t.require("the IUT listens again", actual: "it does not", asked != nil)
      try t.guest.join()
    },
  ]

  static let latHost: [TestPurpose] = [
    TestPurpose(
      "BEAM/HOST/LAT/BV-01-C", ["BEAM 9.1", "BEAM 8.11"],
      "`sentTimestamp` is the time at which the chunk was first handed over, with at most three digits.",
      initial: "A guest's stream is open; the host's clock is 1.234 s ahead.",
      expects: [
        "the time of speaking for a chunk that goes out at once", "the time of the first hand-over for one that waits",
      ],
      needs: [.beamLatency], arrange: { $0.iut.clockOffsetMilliseconds = 1_234 }
    ) { t in
      let stream = try opened(t, [])
      for milliseconds in [0, 7, 100, 250] as [Int64] {
        let next = SimInstant.zero + .seconds(t.now.nanoseconds / 1_000_000_000 + 1) + .milliseconds(milliseconds)
        try t.pause(until: next)
        t.speak("now")
        try t.pause(.milliseconds(100))
        let expected = stamp(at: next)
        let body = stream.frames.last.map { String(decoding: $0.body, as: UTF8.self) } ?? "nothing"
        try t.require(
          "the chunk says \(expected)", actual: body, body.contains(#","sentTimestamp":\#(expected),"#))
      }
      let count = stream.finals.count
      t.guest.setReading(false)
      t.speak(60, from: count + 1, octets: 8_000)
      try t.pause(.milliseconds(500))
      t.speak("late")
      try t.pause(.seconds(3))
      let again = t.now
      t.guest.setReading(true)
      try t.guest.expect("is sent all", within: .seconds(5), on: stream) { $0.chunks.count == count + 61 }
      guard let late = stream.chunks.last, let came = stream.frames.last?.instant else {
        throw t.inconclusive("the chunk comes")
      }
      let said = late.sentMilliseconds ?? 0
      try t.require(
        "the chunk that waited says when it was handed over", actual: "\(said), and room was there at \(wall(again))",
        (wall(again)...wall(came)).contains(said))
    }
  ]

  /// BEAM 8.11, with the clock of the purpose.
  private static func wall(_ instant: SimInstant) -> Int64 {
    1_700_000_000_000 + instant.nanoseconds / 1_000_000 + 1_234
  }

  /// Seconds without trailing zeros.
  private static func stamp(at instant: SimInstant) -> String {
    let milliseconds = wall(instant)
    var text = "\(milliseconds / 1_000)"
    if milliseconds % 1_000 > 0 {
      text += "." + "\(1_000 + milliseconds % 1_000)".dropFirst()
      while text.hasSuffix("0") { text.removeLast() }
    }
    return text
  }
}
