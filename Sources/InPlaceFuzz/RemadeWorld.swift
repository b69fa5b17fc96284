import CFork
import Conformance
import SimKernel

/// What the children of a `ForkServer` play.
protocol AttackStage: AnyObject {
  var plan: FuzzPlan { get }

  func play(_ attack: Attack, _ extent: Extent) -> Execution
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
