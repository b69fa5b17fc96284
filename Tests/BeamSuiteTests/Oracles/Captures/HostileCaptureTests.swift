import BeamOracles
import CaptureCheck
import CaptureFormats
import Conformance
import Expectations
import Judging
import SimKernel
import Testing

/// Captures that nobody's stack has made.
@Suite("Hostile captures of BeamScribe")
struct HostileCaptureTests {
  @Test("Octets that are changed anywhere are survived, and give the same judgement twice")
  func mutated() throws {
    let records = try CapturedWorld(JudgedWorld.early).records
    for seed in UInt64(1)...60 {
      var random = RandomStream(seed: seed, component: "capture", purpose: "hostile")
      var changed = records
      for _ in 0..<1 + Int(random.below(40)) {
        let index = Int(random.below(UInt64(changed.count)))
        var octets = Array(changed[index].octets)
        if octets.isEmpty { continue }
        octets[Int(random.below(UInt64(octets.count)))] = UInt8(truncatingIfNeeded: random.next())
        // Checksums are left to the network card, so that what is wrong is read.
        if octets.count > 52 { octets.replaceSubrange(50..<52, with: [0, 0]) }
        changed[index].octets = octets[...]
      }
      let first = CapturedWorld.judge(changed)
      equal(CapturedWorld.summary(first), CapturedWorld.summary(CapturedWorld.judge(changed)))
    }
  }

  /// What a hostile host may put on its stream.
  private static func stream(_ random: inout RandomStream) -> [UInt8] {
    var octets: [UInt8] = []
    while octets.count < 6_000 {
      switch random.below(6) {
      case 0: octets += (0..<Int(random.below(200))).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      case 1: octets += [0, 0x0F, 0xFF, 0xFF, 0x7B]
      case 2:
        let chunk = #"{"sequence":\#(random.below(9_007_199_254_740_991)),"text":"a"}"#
        octets += frame(#"{"chunks":[\#(chunk)],"type":"fullHistory","upToSequence":9007199254740991}"#)
      case 3:
        let number = 1 + random.below(2_000_000)
        octets += frame(#"{"isFinal":true,"sequence":\#(number),"text":"b","type":"liveChunk"}"#)
      case 4: octets += frame(#"{"alert":"batteryLow","type":"alert"}"#)
      default: octets += frame(#"{"chunks":[],"type":"fullHistory","upToSequence":0}"#)
      }
    }
    return octets
  }

  private static func frame(_ body: String) -> [UInt8] {
    [0, 0, UInt8(body.utf8.count >> 8), UInt8(body.utf8.count & 0xFF)] + Array(body.utf8)
  }

  @Test("Streams of anything are survived, from the start and from the middle, in every dialect")
  func streams() {
    for seed in UInt64(1)...60 {
      var random = RandomStream(seed: seed, component: "capture", purpose: "stream")
      var script = StreamScript()
      if random.below(2) == 0 { script.open() }
      let octets = Self.stream(&random)
      var offset = 0
      while offset < octets.count {
        let count = min(octets.count - offset, 1 + Int(random.below(1_200)))
        if random.below(12) > 0 { script.segment(fromHost: true, offset, Array(octets[offset..<offset + count])) }
        if random.below(9) == 0 { script.segment(fromHost: false, Int(random.below(50)), octets.suffix(3)) }
        offset += count
      }
      for dialect in [nil, "network", "mpc"] { _ = CapturedWorld.judge(script.records, dialect: dialect) }
    }
  }

  @Test("A number far away fills no memory")
  func numbers() {
    var script = StreamScript()
    script.open()
    let far = 9_007_199_254_740_991
    let octets =
      Self.frame(#"{"chunks":[],"type":"fullHistory","upToSequence":0}"#)
      + Self.frame(#"{"isFinal":true,"sequence":\#(far),"text":"b","type":"liveChunk"}"#)
    script.segment(fromHost: true, 0, octets)
    let judgement = CapturedWorld.judge(script.records, dialect: "network")
    equal(CapturedWorld.verdict(judgement, "HistoryThenLive"), .fail)
  }
}
