import BabSim
import BabSuite
import Bench
import CaptureTestSupport
import Conformance
import Expectations
import Judging
import Testing

@Suite("Rules on captures of simulated runs")
struct RulesOnSimulatedTrafficTests {
  private static let scenarios = [
    "dialects/dialect-app", "dialects/dialect-guide", "dialects/dialect-sdk", "faults/broken-stack",
    "faults/client-vanishes-and-returns", "faults/host-vanishes", "faults/out-of-range-and-back",
    "lobby/eight-peer-lobby", "lobby/late-joiner", "lobby/ninth-peer-refused", "lobby/role-start",
    "lobby/seven-at-once",
    "lobby/two-peers", "phones/att-mtu-23", "phones/iphone-host-in-background", "radio/crowded-subway",
    "radio/noisy-convention-hall",
  ]

  @Test("Nothing is wrong in what our own devices say, at their HCI and on the air", arguments: scenarios)
  func simulated(_ path: String) throws {
    var scenario = try ScenarioFile.load(Repository.path("Scenarios/\(path).yaml"), language: .bab()).get()
    scenario.limits.events = 100_000
    let folder = try CaptureFolder()
    let air = try AirCaptureReader(path: folder.path + "/air.pcapng")
    let hci = try HCICaptureReader(folder: folder.path)
    _ = try World.run(
      scenario, options: RunOptions(seed: 1), readers: [air, hci],
      engines: [AppProtocol.bab].engines)
    try air.close()
    try hci.close()
    for name in folder.names {
      let results = try required(try RuleCaptures.judge(folder.path + "/" + name))
      equal(RuleCaptures.lines(results), [], "\(path), \(name): \(results.flatMap(\.findings))")
    }
  }
}
