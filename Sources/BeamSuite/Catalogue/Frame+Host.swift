import AppSeam
import BeamScribe
import Conformance
import SimKernel

/// FRAME, host: framing, and what a platform does not take (BEAM 3, 5.5.5, 7).
extension Catalog {
  static let frameHost: [TestPurpose] = [
    TestPurpose(
      "BEAM/HOST/FRAME/BV-01-C", ["BEAM 3.1"], "Every frame has the right big-endian length.",
      initial: "A guest's stream is open.",
      expects: ["history, chunks and an alert are whole frames, and no octet is left"]
    ) { t in
      let stream = try connected(t)
      try expectFrames(1, t, stream)
      t.iut.user(.speakPartial("one"))
      t.speak("one and more")
      t.iut.user(.batteryLow)
      try expectFrames(4, t, stream)
      try t.pause(.milliseconds(500))
      try t.require(
        "no octet is left over", actual: "\(stream.rest) octets", stream.rest == 0 && stream.frames.count == 4)
    },
    TestPurpose(
      "BEAM/HOST/FRAME/BV-02-C", ["BEAM 3.2"],
      "A history of many segments with live chunks spoken while it is sent: frames follow each other, none is mixed.",
      initial: "300 finals of 2 000 octets were spoken; a guest's stream is ready, and it does not read.",
      expects: ["the history whole, then the five chunks that were spoken meanwhile"]
    ) { t in
      let texts = try heldHistory(t, finals: 300)
      try t.pause(.seconds(2))
      t.guest.setReading(true)
      guard let stream = t.guest.newestStream else { throw t.inconclusive("the stream is up") }
      try t.guest.expect("is sent all finals", within: .seconds(10), on: stream) { $0.finals.count >= texts.count }
      try t.requireFinals(texts, on: stream, of: t.guest)
      try t.require(
        "every frame is a packet", actual: t.guest.words(stream), stream.frames.allSatisfy { $0.packet != nil })
    },
    TestPurpose(
      "BEAM/HOST/FRAME/BV-03-C", ["BEAM 3.3", "BEAM 5.6.2"],
      "A transcript above 1 MiB: several histories, each within the limit, same `upToSequence`, as full as "
        + "they can be.",
      initial: "300 finals of 8 000 octets were spoken.", expects: ["three pages, each with as many chunks as fit"]
    ) { t in
      let texts = try t.preamble {
        try t.startEvent()
        let texts = t.speak(300, octets: 8_000)
        try t.pause(.milliseconds(100))
        return texts
      }
      let stream = try t.guest.connect()
      try t.guest.expect("is sent the history", within: .seconds(12), on: stream) {
        $0.framing != nil || $0.finals.count >= texts.count
      }
      try t.requireFinals(texts, on: stream, of: t.guest)
      try t.require(
        "every page says that there are 300 finals", clause: "BEAM 5.6.2",
        actual: stream.histories.map { "\($0.upToSequence)" }.joined(separator: ", "),
        stream.histories.allSatisfy { $0.upToSequence == 300 })
      for (page, frame) in zip(stream.histories, stream.frames).dropLast() {
        guard let last = page.chunks.last, last.sequence < texts.count else { continue }
        // A comma and the next chunk.
        let next = #",{"sequence":\#(last.sequence + 1),"text":"\#(texts[last.sequence])"}"#.utf8.count
        try t.require(
          "page up to \(last.sequence) is as full as it can be", record: frame.record, clause: "BEAM 5.6.2",
          actual: "\(frame.body.count) octets, and \(next) for the next final",
          frame.body.count <= BeamLimits.body && frame.body.count + next > BeamLimits.body)
      }
    },
    TestPurpose(
      "BEAM/HOST/FRAME/BI-01-C", ["BEAM 5.5.5"],
      "The platform takes nothing at first: everything comes later, whole and once.",
      initial: "A guest's stream is open; it does not read, and buffers are full.",
      expects: ["all finals, each once, when it reads again"]
    ) { t in
      let stream = try connected(t)
      try t.preamble { try t.guest.expectHistory(on: stream) }
      t.guest.setReading(false)
      let texts = t.speak(100, octets: 8_000)
      try t.pause(.seconds(5))
      let id = try t.connection(t.guest).id
      let refused = t.iut.told { $0 == .submitted(id, accepted: false) }
      guard refused != nil else { throw t.inconclusive("the platform takes no more") }
      t.guest.setReading(true)
      try t.guest.expect("is sent all finals", within: .seconds(10), on: stream) { $0.finals.count >= texts.count }
      try t.requireFinals(texts, on: stream, of: t.guest)
    },
    TestPurpose(
      "BEAM/HOST/FRAME/BI-02-C", ["BEAM 7.1", "BEAM 7.2"],
      "One octet from a guest: the stream is cancelled with `unexpectedData`, nothing more is sent on it.",
      initial: "Two guests' streams are open.",
      expects: ["guest-1's stream is cancelled at once", "guest-2 goes on"], testers: 2
    ) { t in
      try t.preamble { try t.seat(2) }
      let id = try t.connection(t.guest).id
      t.guest.transmit([0x7B], note: "sends an octet")
      try t.pause(.milliseconds(200))
      let told = t.iut.told { if case .received(id, _) = $0 { true } else { false } }
      guard let came = told else { throw t.inconclusive("the octet comes") }
      let count = t.iut.sends(id).count
      try t.require("the IUT cancels the stream", t.iut.cancelled(id), is: .zero, after: came, clause: "BEAM 7.1")
      t.speak("after")
      try t.guests[1].expect("is sent the final", within: .seconds(1)) { $0.chunks.map(\.text) == ["after"] }
      try t.require(
        "nothing more is sent on the stream", clause: "BEAM 7.2", actual: "something is", t.iut.sends(id).count == count
      )
      try t.requireRefusal(of: id, at: came, .unexpectedData)
    },
  ]

  /// An event is on, and the first guest's stream is ready.
  private static func connected(_ t: BeamBed) throws -> TesterStream {
    try t.preamble {
      try t.startEvent()
      return try t.guest.connect()
    }
  }

  private static func expectFrames(_ count: Int, _ t: BeamBed, _ stream: TesterStream) throws {
    try t.guest.expect("is sent \(count) packets", within: .seconds(6), on: stream) {
      $0.framing == nil && $0.frames.count(where: { $0.packet != nil }) == count
    }
  }

  /// The history of so many long finals is half taken, because the guest does not read, and five more were spoken.
  /// - Returns: all texts.
  static func heldHistory(_ t: BeamBed, finals: Int) throws -> [String] {
    let texts = try t.preamble {
      try t.startEvent()
      let texts = t.speak(finals, octets: 2_000)
      try t.guest.connect()
      return texts
    }
    t.guest.setReading(false)
    try t.pause(until: try t.connection(t.guest).instant + gate + .milliseconds(50))
    let id = try t.connection(t.guest).id
    guard t.iut.told({ $0 == .submitted(id, accepted: false) }) != nil else {
      throw t.inconclusive("the platform takes no more")
    }
    return texts + t.speak(5, from: finals + 1)
  }
}
