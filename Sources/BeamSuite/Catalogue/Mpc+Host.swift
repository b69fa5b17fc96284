import AppSeam
import BeamScribe
import Conformance
import SimKernel

/// MPC, host: the old transport (BEAM 6).
extension Catalog {
  static let mpcHost: [TestPurpose] = [
    TestPurpose(
      "BEAM/HOST/MPC/BV-01-C", ["BEAM 6.2"],
      "An invitation is accepted while there are fewer than seven, declined with the eighth peer, invited "
        + "ones counted.",
      initial: "Eight guests ask at once.",
      expects: ["seven are accepted and one is declined", "after one has left the eighth is accepted"],
      needs: [.beamMPC], dialects: [.beamMPC], testers: 8
    ) { t in
      try t.preamble {
        try t.startEvent()
        for guest in t.guests { try guest.connect() }
      }
      try t.pause(.milliseconds(300))
      for (place, guest) in t.guests.enumerated() {
        let kinds = guest.newestStream?.frames.map(\.kind) ?? []
        try t.require(
          "\(guest.name) is \(place < 7 ? "accepted" : "declined")",
          actual: "came: \(ShownText.list(kinds.map { "\($0)" }))",
          kinds.first == (place < 7 ? .accepted : .declined))
      }
      try t.pause(.seconds(3))
      t.guest.cancel()
      try t.pause(.milliseconds(200))
      let stream = try t.preamble { try t.guests[7].connect() }
      try t.guests[7].expect("is accepted", within: .seconds(1), on: stream) { $0.frames.first?.kind == .accepted }
    },
    TestPurpose(
      "BEAM/HOST/MPC/BV-02-C", ["BEAM 6.4", "BEAM 6.5"], "No BLE; the history comes as soon as the guest is connected.",
      initial: "A guest asks.", expects: ["the history in the instant in which the guest is connected", "no BLE"],
      needs: [.beamMPC], dialects: [.beamMPC]
    ) { t in
      try t.preamble {
        try t.startEvent()
        t.speak("final 1")
      }
      let stream = try t.preamble { try t.guest.connect() }
      try t.guest.expect("is connected", within: .seconds(3), on: stream) {
        $0.frames.contains { $0.kind == .connected }
      }
      try t.pause(.milliseconds(20))
      try t.require(
        "the history is there", clause: "BEAM 6.5", actual: t.guest.words(stream),
        stream.packets == [.history(["final 1"])])
      t.guest.cancel()
      try t.pause(.seconds(2))
      try t.require(
        "the IUT has used no BLE", actual: "it has", t.iut.firstAsked(\.isOfBluetooth) == nil)
    },
    TestPurpose(
      "BEAM/HOST/MPC/BV-03-C", ["BEAM 6.6"], "Each message is one packet without a length.",
      initial: "A guest is connected.", expects: ["each message begins with {"], needs: [.beamMPC], dialects: [.beamMPC]
    ) { t in
      let stream = try joined(t)
      t.iut.user(.speakPartial("one"))
      try t.pause(.milliseconds(20))
      t.speak("one")
      try t.pause(.milliseconds(200))
      let messages = stream.frames.filter { $0.kind == .message }
      try t.require("three messages came", actual: t.guest.words(stream), messages.count == 3)
      for frame in messages {
        try t.require(
          "the message is a packet", record: frame.record, actual: frame.words,
          frame.packet != nil && frame.body.first == 0x7B)
      }
    },
    TestPurpose(
      "BEAM/HOST/MPC/BV-04-C", ["BEAM 6.7"], "History and live join once; alerts and end are as in `network`.",
      initial: "A guest is connected.",
      expects: ["every final once", "batteryLow", "hostDisconnected, and then the end"],
      needs: [.beamMPC], dialects: [.beamMPC]
    ) { t in
      let stream = try joined(t)
      let texts = t.speak(5)
      t.iut.user(.batteryLow)
      try t.pause(.milliseconds(200))
      try t.requireFinals(texts, on: stream, of: t.guest)
      try t.require("batteryLow came", actual: t.guest.words(stream), stream.alerts == [.batteryLow])
      t.iut.user(.endEvent)
      try t.pause(.milliseconds(200))
      try t.require(
        "hostDisconnected came last", actual: t.guest.words(stream), stream.packets.last == .alert(.hostDisconnected))
      try t.require("the stream is finished", actual: "it is not", stream.finish != nil)
    },
  ]

  private static func joined(_ t: BeamBed) throws -> TesterStream {
    try t.preamble {
      try t.startEvent()
      let stream = try t.guest.connect()
      try t.guest.expect("is connected", within: .seconds(3), on: stream) {
        $0.frames.contains { $0.kind == .connected }
      }
      try t.pause(.milliseconds(20))
      return stream
    }
  }
}
