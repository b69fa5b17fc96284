import AppSeam
import BeamScribe
import Bench
import Conformance
import Platform
import SimKernel

/// BACK and LAT, guest (BEAM 5.10, 9.2).
extension Catalog {
  static let backGuest: [TestPurpose] = [
    TestPurpose(
      "BEAM/GUEST/BACK/BV-01-C", ["BEAM 5.10.1", "BEAM 5.10.2"],
      "A guest in the background hears the UUID without a name, primes, browses and joins.",
      initial: "The guest looks for an event, and goes to the background.",
      expects: ["scan and browser go on", "priming with the first sighting", "a stream when the host listens"],
      needs: [.beamBLE]
    ) { t in
      try t.preamble {
        t.iut.user(.join)
        try t.expect("the IUT scans and browses") { t.iut.isScanning && t.iut.isBrowsing }
      }
      t.iut.suffers(.background, "its app goes to the background")
      try t.never("the IUT stops scan or browser", for: .seconds(3)) { !t.iut.isScanning || !t.iut.isBrowsing }
      t.host.advertise("")
      try t.expect("the IUT primes", within: .seconds(5), clause: "BEAM 5.10.2", actual: { "it does not" }) {
        !t.iut.primings.isEmpty
      }
      try t.host.listen()
      try t.host.expectStream(within: .seconds(10))
      try t.pause(.seconds(1))
      try t.require("the stream is up", actual: "it has ended", t.host.stream != nil)
    },
    TestPurpose(
      "BEAM/GUEST/BACK/BV-02-C", ["BEAM 5.10.3"],
      "In front again without a stream: it tries at once, and retries begin with 1 s.",
      initial: "The guest waits 4 s for its third retry, in the background.",
      expects: ["an attempt in the instant in which it is in front", "1 s to the next when its stream is lost"]
    ) { t in
      try t.preamble {
        try t.host.serve(["1"])
        t.iut.suffers(.background, "its app goes to the background")
        for number in 1...3 {
          try t.pause(.milliseconds(200))
          t.host.cancel()
          if number < 3 { try t.host.expectStream(number + 1) }
        }
        try t.pause(.seconds(1))
      }
      let before = t.now
      t.iut.suffers(.foreground, "its app comes to the front")
      try t.pause(.milliseconds(50))
      try t.require(
        "the IUT tries at once", t.attempts(after: before - .milliseconds(1)).first, is: .zero, after: before)
      try t.host.expectStream(4)
      t.host.cancel()
      try t.pause(.milliseconds(50))
      let lost = try t.endOfNewest()
      try t.host.expectStream(5, within: .seconds(5))
      try t.require("the IUT tries again", t.iut.attempts.last?.instant, is: .seconds(1), after: lost)
    },
  ]

  static let latGuest: [TestPurpose] = [
    TestPurpose(
      "BEAM/GUEST/LAT/BV-01-C", ["BEAM 9.2"],
      "Latency is reported for each chunk with a time, below zero too when the clocks differ; without a time "
        + "there is none.",
      initial: "The guest shows a history; its clock is 5 s late.",
      expects: ["the difference of both clocks for each chunk that says its time"], needs: [.beamScreen, .beamLatency],
      arrange: { $0.iut.clockOffsetMilliseconds = -5_000 }
    ) { t in
      try t.preamble { try t.host.serve([]) }
      var expected: [Int] = []
      for (number, lead) in [Int64(0), -6_000, 40_000].enumerated() {
        let wall = 1_700_000_000_000 + t.now.nanoseconds / 1_000_000
        let chunk = BeamPacket.LiveChunk(
          isFinal: true, sentMilliseconds: wall + lead, sequence: number + 1, text: "\(number + 1)")
        t.host.say(.liveChunk(chunk))
        try t.pause(.milliseconds(100))
        let told = t.iut.lastTold { if case .received = $0 { true } else { false } }
        guard let came = told else { throw t.inconclusive("the chunk comes") }
        let own = 1_700_000_000_000 + came.nanoseconds / 1_000_000 - 5_000
        expected.append(Int(own - wall - lead))
      }
      t.host.say(.final(4, "4"))
      try t.pause(.milliseconds(100))
      let latencies = t.iut.latencies
      try t.require(
        "the latencies are \(expected)", actual: "\(latencies.map(\.milliseconds))",
        latencies.map(\.milliseconds) == expected && latencies.map(\.sequence) == [1, 2, 3])
    }
  ]
}
