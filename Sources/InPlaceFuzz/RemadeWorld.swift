import CUnix
import Conformance
import SimKernel

/// A world in which the children of a `ForkServer` play attacks.
protocol AttackStage: ForkStage {
  var plan: FuzzPlan { get }

  func play(_ attack: Attack, _ extent: Extent) -> Execution
}

extension AttackStage {
  package var patience: UInt32 { plan.patience }
  /// A program that a child starts would inherit a limit, and has one of its own.
  package var room: Int { plan.programs.isEmpty ? plan.memory : 0 }

  package func play(in memory: UnsafeMutableRawBufferPointer) {
    let order = UnsafeRawBufferPointer(memory)
    play(Attack(reading: order), Extent(reading: order)).write(to: memory)
  }
}

extension ForkServer {
  /// Plays attacks, and gives what they came to in their order; nil for those that were not begun.
  func play(_ attacks: [Attack], _ extent: Extent = .whole) throws(FuzzObstacle) -> [Execution?] {
    try play(
      attacks.count, order: { attacks[$0].write(to: $1, extent) }, answer: { Execution(reading: $0) },
      ended: { finding in
        var execution = Execution()
        execution.findings = [finding]
        return execution
      })
  }
}

/// A world with a program under test in it, which cannot be copied: each execution begins at the beginning.
final class RemadeWorld: AttackStage {
  let plan: FuzzPlan
  private let protocols: [AppProtocol]
  /// The state of the world that was played to it first.
  private let state: TraceDigest

  init(_ plan: FuzzPlan, protocols: [AppProtocol], state: TraceDigest) {
    self.plan = plan
    self.protocols = protocols
    self.state = state
  }

  func play(_ attack: Attack, _ extent: Extent) -> Execution {
    // Up to the state the program has its own limits, and whatever takes long is the fault of no attack.
    fork_limit(0)
    guard let world = try? FuzzedWorld(plan, protocols: protocols), world.state == state else {
      var execution = Execution()
      execution.isAstray = true
      return execution
    }
    fork_limit(plan.patience)
    return world.play(attack, extent)
  }
}
