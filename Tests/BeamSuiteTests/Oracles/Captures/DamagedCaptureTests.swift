import CaptureCheck
import CaptureFormats
import Conformance
import Expectations
import Judging
import SimKernel
import Testing

/// Whatever a recorder loses, cuts, mixes or repeats: who did as the protocol asks is accused of nothing.
@Suite("Damaged captures of right behaviour")
struct DamagedCaptureTests {
  private static let worlds: [(name: String, text: String)] = [
    ("talk", JudgedWorld.talk), ("crowd", JudgedWorld.crowd), ("outage", JudgedWorld.outage),
    ("vanishing", JudgedWorld.vanishing), ("flaky", JudgedWorld.flaky), ("partial", JudgedWorld.partial),
  ]

  @Test("Damage accuses nobody", arguments: worlds.map { $0.name })
  func damage(_ name: String) throws {
    let text = try required(Self.worlds.first { $0.name == name }).text
    let records = try CapturedWorld(text).records
    var judged = 0
    for damage in CaptureDamage.allCases {
      for seed in UInt64(1)...Self.rounds {
        var random = RandomStream(seed: seed, component: "capture", purpose: damage.rawValue)
        let judgement = CapturedWorld.judge(damage.apply(to: records, &random))
        equal(CapturedWorld.accusations(judgement), [], "\(damage) with seed \(seed)")
        if judgement.oracles.contains(where: { $0.judged > 0 }) { judged += 1 }
      }
    }
    // What is left of most captures is judged.
    expect(judged > CaptureDamage.allCases.count * Int(Self.rounds) / 2)
  }

  /// Tens of thousands of records are damaged by nobody here.
  private static let shipped = CapturedRunTests.shipped.filter {
    !["guest-that-never-reads", "long-talk"].contains($0)
  }

  @Test("Damage to captures of shipped scenarios accuses nobody", arguments: shipped)
  func scenarios(_ name: String) throws {
    let records = try CapturedWorld(try BeamScenarios.text(name)).records
    for (index, damage) in CaptureDamage.allCases.enumerated() {
      var random = RandomStream(seed: UInt64(index), component: "capture", purpose: name)
      let judgement = CapturedWorld.judge(damage.apply(to: records, &random))
      equal(CapturedWorld.accusations(judgement), [], "\(damage)")
    }
  }

  private static let rounds: UInt64 = 8

  @Test("What is wrong is found in a capture that is damaged elsewhere")
  func defect() throws {
    let records = try CapturedWorld(JudgedWorld.talk, host: "unsorted-keys").records
    var found = 0
    for seed in UInt64(1)...8 {
      var random = RandomStream(seed: seed, component: "capture", purpose: "defect")
      let judgement = CapturedWorld.judge(CaptureDamage.drops.apply(to: records, &random))
      if CapturedWorld.verdict(judgement, "PacketsAreCanonical") == .fail { found += 1 }
      expect(CapturedWorld.accusations(judgement).allSatisfy { $0.hasPrefix("PacketsAreCanonical ") })
    }
    expect(found >= 6)
  }
}
