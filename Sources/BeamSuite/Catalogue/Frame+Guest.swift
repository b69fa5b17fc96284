import AppSeam
import BeamScribe
import Bench
import Conformance
import SimKernel
import VirtualNetwork

/// FRAME, guest: where streams are cut, and frames that are broken (BEAM 3).
extension Catalog {
  static let frameGuest: [TestPurpose] = frameGuestValid + frameGuestInvalid

  private static let frameGuestValid: [TestPurpose] = [
    TestPurpose(
      "BEAM/GUEST/FRAME/BV-01-C", ["BEAM 3.4"],
      "The same packets for every cut of the stream: octet by octet, and at each place of five frames.",
      initial: "A guest's stream is ready; the first seed's network gives it one octet at a time.",
      expects: ["the finals, alerts and partials that were sent"], needs: [.beamScreen], seeds: [1, 2],
      arrange: { if $0.scenario.seed == 1 { $0.scenario.network?.room.chopping = .exactly(1) } }
    ) { t in
      let stream = try t.preamble { try t.host.serve([]) }
      var texts: [String] = []
      func packets(_ number: Int) -> [BeamPacket] {
        [
          .partial(number, "a"), .final(number, "one"), .final(number + 1, "two"), .alert(.batteryLow),
          .partial(number + 2, "é"),
        ]
      }
      func octets() -> [UInt8] { packets(texts.count + 1).flatMap { t.host.frame($0.encoded()) } }
      let cuts = t.seed == 1 ? [1] : Array(1..<octets().count)
      t.step("host-1 sends five frames" + (t.seed == 1 ? "" : ", cut at each place in turn"))
      for cut in cuts {
        let whole = octets()
        t.host.send(Array(whole.prefix(cut)), on: stream)
        try t.pause(.milliseconds(3))
        t.host.send(Array(whole.dropFirst(cut)), on: stream)
        try t.pause(.milliseconds(3))
        texts += ["one", "two"]
        if t.iut.texts != texts { break }
      }
      try t.expectTexts(texts)
      try t.require(
        "every alert was shown", actual: "\(t.iut.alertsShown.count)", t.iut.alertsShown.count == cuts.count)
      try t.require(
        "every partial was shown", actual: "\(t.iut.partialsShown.count)", t.iut.partialsShown.count == 2 * cuts.count)
    },
    TestPurpose(
      "BEAM/GUEST/FRAME/BV-02-C", ["BEAM 3.4"], "Several frames in one piece are all read.",
      initial: "A guest's stream is ready.", expects: ["history and six finals that came in one piece"],
      needs: [.beamScreen]
    ) { t in
      try t.preamble {
        try t.host.listen()
        t.iut.user(.join)
        try t.host.expectStream()
      }
      t.host.say(
        [.history(["1", "2"])] + (3...8).map { .final($0, "\($0)") }, note: "sends a history and six finals at once")
      try t.expectTexts((1...8).map { "\($0)" })
    },
    TestPurpose(
      "BEAM/GUEST/FRAME/BV-03-C", ["BEAM 3.3"], "A frame of exactly 1 048 576 octets is read.",
      initial: "The guest shows a history.", expects: ["the alert in it is shown, and the stream goes on"],
      needs: [.beamScreen]
    ) { t in
      let stream = try t.preamble { try t.host.serve([]) }
      let (start, end) = (#"{"alert":"batteryLow","pad":""#, #"","type":"alert"}"#)
      let pad = String(repeating: "x", count: BeamLimits.body - start.utf8.count - end.utf8.count)
      t.host.say(body: start + pad + end, note: "sends an alert in a frame of 1 048 576 octets")
      try t.expect("the IUT shows the alert", within: .seconds(5), actual: { "it does not" }) {
        t.iut.alertsShown == ["batteryLow"]
      }
      t.host.say(.final(1, "after"))
      try t.expectTexts(["after"])
      try t.require("the stream is up", stream.isUp)
    },
  ]

  private static let frameGuestInvalid: [TestPurpose] = [
    TestPurpose(
      "BEAM/GUEST/FRAME/BI-01-C", ["BEAM 3.5"], "A length of 0 is refused with `frameEmpty` as soon as it is there.",
      initial: "The guest shows a history.", expects: ["the stream is cancelled for frameEmpty"]
    ) { t in
      let stream = try t.preamble { try t.host.serve([]) }
      t.host.transmit([0, 0, 0, 0], note: "sends a length of 0")
      try t.expectRefusal(.frameEmpty, of: stream)
    },
    TestPurpose(
      "BEAM/GUEST/FRAME/BI-02-C", ["BEAM 3.5"],
      "A length of 1 048 577 is refused with `frameTooLong` before any of its body.",
      initial: "The guest shows a history.", expects: ["the stream is cancelled for frameTooLong"]
    ) { t in
      let stream = try t.preamble { try t.host.serve([]) }
      t.host.transmit([0x00, 0x10, 0x00, 0x01], note: "sends a length of 1 048 577")
      try t.expectRefusal(.frameTooLong, of: stream)
    },
    TestPurpose(
      "BEAM/GUEST/FRAME/BI-03-C", ["BEAM 3.6"], "A body that is no packet is refused with `notAPacket`.",
      initial: "The guest shows a history.", expects: ["the stream is cancelled for notAPacket"]
    ) { t in
      let stream = try t.preamble { try t.host.serve([]) }
      t.host.say(body: "hello")
      try t.expectRefusal(.notAPacket, of: stream)
    },
    TestPurpose(
      "BEAM/GUEST/FRAME/BI-04-C", ["BEAM 3.7"], "The host goes away in mid-frame: `truncated`, nothing of it is shown.",
      initial: "The guest shows a history.", expects: ["truncated, and no final"], needs: [.beamScreen]
    ) { t in
      let stream = try t.preamble { try t.host.serve(["one"]) }
      let body = BeamPacket.final(2, "half").encoded()
      let length = body.count + 3
      t.host.transmit([0, 0, 0, UInt8(length)] + body, note: "sends a frame without its last three octets")
      try t.pause(.milliseconds(100))
      t.host.finish()
      try t.expectRefusal(.truncated, of: stream, within: .seconds(1))
      try t.requireTexts(["one"])
    },
    TestPurpose(
      "BEAM/GUEST/FRAME/BI-05-C", ["BEAM 3.8", "BEAM 8.7"],
      "A begun frame that does not grow for 30 s is refused with `stalled`; one that grows by an octet each "
        + "29 s is not.",
      initial: "The guest shows a history.", expects: ["three octets, each after 29 s", "then stalled after 30 s"]
    ) { t in
      let stream = try t.preamble { try t.host.serve([]) }
      let whole = t.host.frame(BeamPacket.final(1, "slow").encoded())
      t.host.transmit(Array(whole.prefix(9)), note: "sends nine octets of a frame")
      for number in 9..<12 {
        try t.pause(.seconds(29))
        try t.require("the stream is up", actual: "it has ended", stream.isUp)
        t.host.transmit([whole[number]], note: "sends an octet more")
      }
      try t.pause(.milliseconds(10))
      let told = t.iut.lastTold { if case .received = $0 { true } else { false } }
      guard let grown = told else { throw t.inconclusive("the octet comes") }
      try t.pause(until: grown + .milliseconds(30_100))
      try t.require(
        "the IUT cancels the stream", t.iut.cancelled(t.iut.attempts[0].id), is: .seconds(30), after: grown)
      try t.expectRefusal(.stalled, of: stream)
    },
    TestPurpose(
      "BEAM/GUEST/FRAME/BI-06-C", ["BEAM 3.9"], "Frames in a flood: it never holds more than the limit of octets.",
      initial: "The guest shows a history.", expects: ["16 frames of 1 MiB are read, and a final after them is shown"],
      needs: [.beamScreen], arrange: { $0.scenario.limits.events = 5_000_000 }
    ) { t in
      let stream = try t.preamble { try t.host.serve([]) }
      let (start, end) = (#"{"alert":"batteryLow","pad":""#, #"","type":"alert"}"#)
      let pad = String(repeating: "x", count: BeamLimits.body - start.utf8.count - end.utf8.count)
      let frame = t.host.frame(Array((start + pad + end).utf8))
      if t.host.gives("sends 16 frames of 1 MiB") {
        for _ in 0..<16 {
          t.host.send(frame, on: stream)
          _ = try t.wait(.seconds(20)) { stream.isFlushed }
        }
      }
      t.host.say(.final(1, "after"))
      try t.expectTexts(["after"], within: .seconds(20))
      try t.require(
        "all were read", actual: "\(t.iut.alertsShown.count)", t.iut.alertsShown.count == 16 && stream.isUp)
    },
    TestPurpose(
      "BEAM/GUEST/FRAME/BI-07-C", ["BEAM 3.10", "BEAM 7.2"],
      "Good frames after a bad one are ignored; the stream is cancelled and not used again.",
      initial: "The guest shows a history.", expects: ["nothing of what follows the bad frame is shown"],
      needs: [.beamScreen]
    ) { t in
      let stream = try t.preamble { try t.host.serve(["one"]) }
      let good = t.host.frame(BeamPacket.final(2, "two").encoded())
      t.host.transmit(
        t.host.frame(Array("no".utf8)) + good, note: "sends a body that is no packet, and a final after it")
      t.host.send(t.host.frame(BeamPacket.final(3, "three").encoded()), on: stream)
      try t.expectRefusal(.notAPacket, of: stream)
      try t.pause(.milliseconds(500))
      try t.requireTexts(["one"])
      let id = t.iut.attempts[0].id
      guard let end = t.iut.asks.first(where: { $0.effect == .cancel(id) })?.record else {
        throw t.failed("the IUT cancels the stream", "it does not", record: nil, clause: "BEAM 7.2")
      }
      let again = t.iut.asks.first { entry in
        switch entry.effect {
        case .send(id, _), .finish(id), .read(id, _): entry.record > end
        default: false
        }
      }
      try t.require("the stream is not used again", clause: "BEAM 7.2", again == nil)
    },
  ]
}
