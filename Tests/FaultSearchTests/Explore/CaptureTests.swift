import Bench
import Conformance
import Expectations
import Foundation
import Judging
import Shrink
import Testing

@testable import Explore

@Suite("Captures of drawn worlds")
struct CaptureTests {
  private static func causes(_ folder: String, on bench: TrialBench) -> [WorldCause] {
    let draw = ExploreBench.draw(.calm, ["bab"], engines: [("host", "oversize-fragment")])
    var trial = WorldTrial(draw, on: bench)
    trial.capturesPermille = 1_000
    trial.captures = CaptureTrial(folder: folder, protocols: ExploreBench.protocols.compactMap(\.traffic))
    var causes: [WorldCause] = []
    for seed in UInt64(2)...4 { causes += trial.play(seed).sightings.map(\.cause) }
    return causes
  }

  @Test("A finding that the run lacks is a cause, one that it has is none; and no file is left")
  func more() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/explore-tests-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // The engine is broken, and the run is judged as if it were not.
    var silent = ExploreBench.real
    silent.judge = { scenario, options, readers in
      var judgement = try ExploreBench.real.judge(scenario, options, readers)
      for place in judgement.oracles.indices {
        judgement.oracles[place].findings = []
        judgement.oracles[place].verdict = .pass
      }
      return judgement
    }
    func isAccused(_ kind: WorldCause.Kind, in causes: [WorldCause]) -> Bool {
      causes.contains { $0.kind == kind && $0.rule == "FragmentsFitATTMTU" && $0.role == "host" }
    }
    expect(isAccused(.capture, in: Self.causes(folder, on: silent)))
    let honest = Self.causes(folder, on: ExploreBench.real)
    expect(isAccused(.oracle, in: honest))
    expect(!isAccused(.capture, in: honest))
    let left = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    expect(left.isEmpty)
  }

  @Test("A capture with less in it has whole records, but for the one that is cut")
  func damage() {
    var octets = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 3, 0xEA]
    for number in UInt8(0)..<20 {
      octets += [0, 0, 0, 4, 0, 0, 0, 4] + [UInt8](repeating: 0, count: 16) + [1, 3, 0xC, number]
    }
    for seed in UInt64(1)...50 {
      let draws = Draws(seed: seed)
      let late = CaptureDamage.late.applied(to: octets, isBTSnoop: true, draws)
      let hole = CaptureDamage.hole.applied(to: octets, isBTSnoop: true, draws)
      let cut = CaptureDamage.cut.applied(to: octets, isBTSnoop: true, draws)
      for less in [late, hole] {
        expect(less.count < octets.count && (less.count - 16) % 28 == 0 && less.starts(with: octets[..<16]))
      }
      expect(octets.starts(with: cut) && cut.count < octets.count)
      expect(late.last == 19 && hole.last == 19)
    }
  }
}
