import Bench
import Campaigns
import Conformance
import Judging

extension SelftestRun {
  /// Plays each mutant that survives the test purposes in a room, in place of all devices of its role, and books those
  /// that their oracle fails.
  /// - Throws: a room that the reference itself does not pass, or in which nobody plays the protocol.
  mutating func play(in room: String, on bench: Bench) throws {
    let scenario = try bench.load(try ScenarioLibrary.shipped.path(of: room), [])
    guard scenario.apps.contains(where: { $0.app.name == app.name }) else {
      throw UsageProblem("\(room): no device speaks \(app.name); name a scenario of this protocol")
    }
    let options = RunOptions(seed: scenario.seed)
    let first = try bench.judge(scenario, options, readers: [])
    guard first.verdict == .pass else {
      throw UsageProblem("\(room): the reference does not pass; babbench run \(Shell.line([room])) says why")
    }
    for mutant in matrix.survivors {
      guard let oracle = mutant.oracle, !Interruption.isRequested else { continue }
      let devices = scenario.devices.indices.filter {
        scenario.devices[$0].app == app.name && scenario.devices[$0].role == mutant.role
      }
      if devices.isEmpty { continue }
      var changed = scenario
      for device in devices {
        changed.devices[device].engine = mutant.name
        changed.devices[device].program = nil
      }
      let judgement = try bench.judge(changed, options, readers: [])
      if judgement.oracles.contains(where: { $0.id == oracle && $0.verdict == .fail }) {
        failedByOracles.append(mutant.name)
      }
    }
  }
}
