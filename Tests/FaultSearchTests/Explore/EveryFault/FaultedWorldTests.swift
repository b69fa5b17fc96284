import Bench
import Conformance
import Expectations
import Explore
import SimKernel
import Testing

@Suite("A world with a fault in it")
struct FaultedWorldTests {
  /// Numbers of worlds that are drawn, with one fault and with two.
  private static func drawn(_ count: UInt64, _ plan: EveryFaultPlan) -> [Int] {
    var stream = RandomStream(seed: 7, component: "test", purpose: "worlds")
    return (0..<count).map { _ in Int(stream.below(UInt64(plan.singles * 3 / 2))) }
  }

  @Test("From a world that stands before the place and from its file: one digest, at drawn places, stepped and skipped")
  func oneDigest() throws {
    let bench = try FaultBench()
    for number in Self.drawn(24, bench.plan) {
      let disturbance = bench.plan.world(number)
      let held = try bench.held(disturbance)
      try equal(bench.held(disturbance, earlier: .milliseconds(700)).digest, held.digest, "world \(number)")
      try equal(bench.plan.playFromStart(disturbance, on: bench.worlds), held, "world \(number)")
      let filed = try bench.filed(disturbance)
      equal(filed.digest.hexadecimal, held.digest, "world \(number)")
      expect(filed.endInstant == disturbance.end && filed.ending == .finished)
      try equal(bench.filed(disturbance, stepsIdleEvents: true).digest, filed.digest, "world \(number)")
    }
  }

  @Test("Each kind of fault changes a run", arguments: FaultKind.allCases.filter { $0 != .wifiOff })
  func changes(kind: FaultKind) throws {
    let bench = try FaultBench(kinds: [kind])
    let plan = bench.plan
    // In the middle of the run, where all are linked.
    let place = plan.places.count / 2
    let none = try bench.worldWithoutFault()
    for choice in plan.choices.indices {
      let result = try bench.held(plan.world(place * plan.choices.count + choice))
      expect(result.events > 0 && result.digest != none.digest)
    }
  }

  @Test("Its run goes on after the last thing that is done until every claim is due")
  func endsLate() throws {
    let plan = try FaultBench().plan
    for number in Self.drawn(200, plan) {
      let disturbance = plan.world(number)
      let first = disturbance.faults.map { plan.places[$0.place].instant }.max() ?? .zero
      expect(disturbance.end >= first + plan.margin && disturbance.end >= plan.end)
      expect(disturbance.end <= first + EveryFaultPlan.longestFault + plan.margin)
    }
  }

  @Test("A claim that a host breaks only after a loss is found at some place, and the reference breaks none")
  func bites() throws {
    let broken = FaultBench.twoPeers.replacing("host: {}", with: "host: { engine: ghost-kept }")
    expect(broken != FaultBench.twoPeers)
    let (mutant, reference) = (try FaultBench(broken, kinds: [.radioOff]), try FaultBench(kinds: [.radioOff]))
    expect(mutant.undisturbed.isSound && reference.undisturbed.isSound)
    var found: [FaultCause] = []
    for rank in 0..<40 {
      let result = try mutant.held(mutant.plan.world(mutant.plan.number(atRank: rank)))
      found += result.sightings.map(\.cause)
      let sound = try reference.held(reference.plan.world(reference.plan.number(atRank: rank)))
      expect(sound.isSound, "\(sound.sightings)")
    }
    let ghost = FaultCause(oracle: "NoGhostsAfterSupervisionTimeout", clause: "BAB 5.7.1", role: "host")
    expect(found.contains(ghost), "\(found)")
  }
}

extension FaultBench {
  /// A world in which nothing is done but to wait for the end.
  func worldWithoutFault() throws -> FaultedWorld {
    let world = try JudgedWorld(plan.scenario, seed: plan.seed, on: worlds, isHeld: true)
    world.play(to: plan.end)
    world.add([])
    return world.finish()
  }
}
