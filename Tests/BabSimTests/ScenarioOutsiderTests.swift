import BabSim
import Bench
import Expectations
import Testing
import VirtualRadio

@Suite("Scenarios with devices from outside")
struct ScenarioOutsiderTests {
  /// The problems of some steps and expectations when `outsider` is from outside; device 0 is the host.
  private func problems(_ seats: [Seat], steps: String = "", expect: String = "") throws -> [String] {
    let text = """
      name: a
      devices: { host: {}, client: { count: 3 } }
      steps: [ \(steps) ]
      expect: [ \(expect) ]
      """
    let scenario = try ScenarioReader.read(text: text, file: "a.yaml", language: .bab()).get()
    return scenario.unanswerable(seats: seats, file: "a.yaml").map(\.message)
  }

  private let client: [Seat] = [.simulated, .simulated, .foreignHost]
  private let host: [Seat] = [.foreignHost]

  @Test(
    "Everyone and all clients are those that can be asked; of a client from outside the host tells something",
    arguments: [
      "all clients are ACTIVE", "everyone has 8 lines", "all clients agree on lobby", "client-2 in lobby",
      "client-2 is ready", "client-2 on turn", "client-2 has role thief", "client-1 is ACTIVE",
    ])
  func answerable(condition: String) throws {
    try equal(problems(client, expect: condition), [])
  }

  @Test(
    "A device from outside that is named and must show something itself is refused, once and in words",
    arguments: ["client-2 is ACTIVE", "client-1, client-2 have 3 lines", "client-2 agrees on lobby"])
  func unanswerable(condition: String) throws {
    let found = try problems(client, expect: "\"\(condition)\"")
    equal(found.count, 1)
    expect(found.first?.contains("client-2") ?? false)
  }

  @Test("A host from outside tells nobody what it shows")
  func hostFromOutside() throws {
    try equal(problems(host, expect: "all clients in lobby"), [])
    try equal(problems(host, expect: "everyone is ACTIVE"), [])
    try equal(problems(host, expect: "host is ACTIVE").count, 1)
    try equal(problems(host, expect: "all clients agree on lobby").count, 1)
  }

  @Test("Its people do what they like; its radio is ours to break, its app and stack are not")
  func steps() throws {
    try equal(problems(client, steps: "{ client-2: join }, { client-2: vanish }, { all clients: kill }"), [])
    try equal(problems(client, steps: "{ client-2: kill }, { client-2: radio off }").count, 2)
    try equal(problems([.foreignController], steps: "{ host: vanish }").count, 1)
    try equal(problems([.foreignController], steps: "{ host: kill }"), [])
  }

  @Test("Without outsiders every scenario fits")
  func nobody() throws {
    try equal(problems([], steps: "{ host: kill }", expect: "client-2 is ACTIVE"), [])
  }
}
