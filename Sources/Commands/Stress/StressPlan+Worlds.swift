import Stress

extension StressPlan {
  /// What `babbench run` plays one world with.
  /// - Parameter path: the file of the scenario.
  func run(of world: Int, path: String = "") -> (plan: RunPlan, seed: UInt64) {
    let (cell, seed) = grid.world(world)
    var plan = RunPlan(scenario: scenario, path: path)
    plan.settings = settings + grid.settings(of: cell)
    return (plan, seed)
  }

  /// The line that repeats one world.
  func repeatLine(of world: Int) -> String {
    let (plan, seed) = run(of: world)
    return plan.repeatLine(seed: seed)
  }
}
