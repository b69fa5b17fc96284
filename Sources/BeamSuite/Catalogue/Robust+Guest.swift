import AppSeam
import BeamScribe
import Bench
import Conformance
import SimKernel

/// ROBUST, guest: hostile hosts and long runs (BEAM 7).
extension Catalog {
  static let robustGuest: [TestPurpose] = [
    TestPurpose(
      "BEAM/GUEST/ROBUST/BI-01-C", ["BEAM 7.5"],
      "1 000 drawn bodies and drawn lengths: it refuses, retries and shows the right text in the end.",
      initial: "The guest shows a history; with each stream it is sent a history and something drawn.",
      expects: ["a new stream each time, and the right text in the end"], needs: [.beamScreen], seeds: [1, 2],
      arrange: { $0.scenario.limits.events = 5_000_000 }
    ) { t in
      let host = t.host
      var draws = t.stream("bodies")
      let drawn = (0..<1_000).map { drawnOctets($0, &draws) }
      host.greets = { stream in
        let octets = host.frame(BeamPacket.history(["one"]).encoded())
        let number = host.streams.count - 1
        host.send(octets + (number < drawn.count ? drawn[number] : []), on: stream)
      }
      try host.listen()
      t.step("host-1 sends a history and something drawn on each stream")
      t.iut.user(.join)
      for hundred in 1...10 {
        try t.expect(
          "the IUT comes more than \(100 * hundred) times", within: .seconds(600),
          actual: { CountedNoun.text(host.streams.count, "time") }
        ) {
          host.streams.count > 100 * hundred
        }
      }
      try t.pause(.milliseconds(100))
      host.say(.final(2, "two"))
      try t.expectTexts(["one", "two"])
    },
    TestPurpose(
      "BEAM/GUEST/ROBUST/BI-02-C", ["BEAM 7.6"], "A guest that has found nobody rests between events of its timers.",
      initial: "The guest looks for an event.", expects: ["a minute in which it asks for nothing"]
    ) { t in
      try t.preamble {
        t.iut.user(.join)
        try t.pause(.seconds(2))
        try t.expect("the IUT looks for an event", within: .zero) { t.iut.isBrowsing && t.iut.isScanning }
      }
      let before = t.newestRecord
      try t.pause(.seconds(60))
      let asked = t.iut.asked(after: before) { _ in true }
      try t.require("the IUT asks for nothing", record: asked, actual: "it does", asked == nil)
    },
  ]

  /// Octets that are no frame with a packet, of a shape that the number says.
  private static func drawnOctets(_ number: Int, _ draws: inout RandomStream) -> [UInt8] {
    func octets(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(draws.below(256)) } }
    func frame(_ body: [UInt8]) -> [UInt8] { Frame(body: body).encoded(.length) }
    switch number % 5 {
    case 0: return frame([0] + octets(Int(draws.below(200))))
    case 1:
      let depth = 17 + Int(draws.below(2_000))
      return frame(Array(#"{"x":"#.utf8) + Array(repeating: 0x5B, count: depth))
    case 2: return [0x7F] + octets(3)
    case 3:
      var body = BeamPacket.final(2, "two and more").encoded()
      body.removeSubrange(Int(draws.below(UInt64(body.count - 1))) + 1..<body.count)
      return frame(body)
    default:
      var body = BeamPacket.history(["one"]).encoded()
      // A control character is nowhere in a packet.
      body[Int(draws.below(UInt64(body.count)))] = UInt8(draws.below(9))
      return frame(body)
    }
  }
}
