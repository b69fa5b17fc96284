import AppSeam
import BeamScribe
import Bench
import Conformance
import Platform
import SimKernel
import VirtualNetwork

/// PATH: infrastructure and Wi-Fi from peer to peer (BEAM 5.11).
extension Catalog {
  static let pathGuest: [TestPurpose] = [
    TestPurpose(
      "BEAM/GUEST/PATH/BV-01-C", ["BEAM 5.11.1"],
      "Host and guest on one network and in reach by AWDL: the stream is on infrastructure.",
      initial: "A host is found on both interfaces.", expects: ["a stream on infrastructure"]
    ) { t in
      try t.host.listen()
      t.iut.user(.join)
      let stream = try t.host.expectStream()
      try t.require(
        "the stream is on infrastructure", actual: stream.interface.rawValue, stream.interface == .infrastructure)
    },
    TestPurpose(
      "BEAM/GUEST/PATH/BV-02-C", ["BEAM 5.11.2"], "No network: the stream is on AWDL.",
      initial: "There is no infrastructure.", expects: ["a stream over Wi-Fi from peer to peer"],
      arrange: { $0.scenario.network?.room.accessPoint = nil }
    ) { t in
      try t.host.listen()
      t.iut.user(.join)
      let stream = try t.host.expectStream()
      try t.require("the stream is on AWDL", actual: stream.interface.rawValue, stream.interface == .peerToPeer)
    },
    TestPurpose(
      "BEAM/GUEST/PATH/BV-03-C", ["BEAM 5.11.3", "BEAM 5.3.5"],
      "A better path while chunks come, at each octet of a frame: one more stream, every final once, the old "
        + "stream ends.",
      initial: "The guest's stream is over AWDL; the seed says how much of a frame has come when a network is there.",
      expects: ["a second stream on infrastructure", "the first goes on until the second's history is complete"],
      needs: [.beamBetterPath, .beamScreen], seeds: Array(1...64)
    ) { t in
      let old = try onPeerToPeer(t)
      let frame = t.host.frame(BeamPacket.final(2, "two").encoded())
      let cut = Int(t.seed) * frame.count / 65
      t.host.transmit(Array(frame.prefix(cut)), note: "sends \(cut) octets of a final")
      try t.pause(.milliseconds(20))
      t.iut.suffers(.network(.joinNetwork), "joins the network")
      let new = try t.host.expectStream(2, within: .seconds(5))
      try t.require(
        "the second stream is on infrastructure", actual: new.interface.rawValue, new.interface == .infrastructure)
      t.host.send(Array(frame.dropFirst(cut)), on: old)
      t.host.send(t.host.frame(BeamPacket.final(3, "three").encoded()), on: old)
      try t.pause(.seconds(2))
      try t.requireTexts(["one", "two", "three"])
      try t.require("the first stream is up before the history", actual: "it has ended", old.isUp)
      t.host.send(t.host.frame(BeamPacket.history(["one", "two", "three", "four"]).encoded()), on: new)
      try t.host.expectEnd(on: old)
      t.host.send(t.host.frame(BeamPacket.final(5, "five").encoded()), on: new)
      try t.expectTexts(["one", "two", "three", "four", "five"])
      try t.require(
        "each final was shown once, and two streams were opened",
        actual: CountedNoun.text(t.iut.finalsShown.count, "final") + ", "
          + CountedNoun.text(t.iut.attempts.count, "attempt"),
        t.iut.finalsShown.count == 5 && !t.iut.isCleared && t.iut.attempts.count == 2 && new.isUp)
    },
    TestPurpose(
      "BEAM/GUEST/PATH/BI-01-C", ["BEAM 5.11.4"], "The second stream fails: the first goes on, no retry is counted.",
      initial: "The guest's stream is over AWDL, a network is there, and nothing passes for 10 s.",
      expects: ["the first stream goes on", "no other attempt until the next report of a better path"],
      needs: [.beamBetterPath]
    ) { t in
      let old = try onPeerToPeer(t)
      t.iut.suffers(.network(.joinNetwork), "joins the network")
      try t.expect("the IUT opens a second stream", within: .seconds(5), clause: "BEAM 5.11.3") {
        t.iut.attempts.count == 2
      }
      t.partHost()
      let second = t.iut.attempts[1].id
      guard try t.wait(.seconds(11), until: { t.iut.end(second) != nil }) else {
        throw t.inconclusive("the second stream fails")
      }
      let failed = t.now
      t.joinHostAgain()
      t.host.say(.final(2, "two"))
      try t.never("the IUT tries again", for: .seconds(10), actual: { "it does" }) {
        !t.attempts(after: failed).isEmpty
      }
      try t.require("the first stream is up", actual: "it has ended", old.isUp)
      if t.ics.claims(.beamScreen) {
        try t.require("the IUT shows SHOWING", actual: t.iut.words, t.iut.shows(.showing))
        try t.requireTexts(["one", "two"])
      }
      t.iut.suffers(.network(.leaveNetwork), "leaves the network")
      try t.pause(.seconds(2))
      t.iut.suffers(.network(.joinNetwork), "joins the network")
      try t.host.expectStream(2, within: .seconds(5))
    },
  ]

  /// The implementation is outside the network, and shows one final of a stream over AWDL.
  private static func onPeerToPeer(_ t: BeamBed) throws -> TesterStream {
    try t.preamble {
      t.iut.suffers(.network(.leaveNetwork), "leaves the network")
      let stream = try t.host.serve(["one"])
      guard stream.interface == .peerToPeer else { throw t.inconclusive("the stream is over AWDL") }
      return stream
    }
  }
}
