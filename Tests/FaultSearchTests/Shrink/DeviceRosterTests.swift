import Bench
import Expectations
import Testing

@testable import Shrink

@Suite("A scenario without some of its devices")
struct DeviceRosterTests {
  private static let text = """
    summary: client-2 is here
    devices:
      host: {}
      client: { count: 3, around: host, radius: 2 m }
      client-2: { phone: android }
      walker: { around: client-3 }
    game:
      autoplay: { players: { client-2: idle, client-3: { skip: 5% } } }
    steps:
      - client-1, client-3: join
      - walker: vanish
      - when: client-2 in lobby
        within: 5s
        host: { assign role: { player: client-3, role: x } }
    expect:
      - that: client-2 in lobby
        within: 5s
      - [client-1 in lobby, client-3 in lobby]
    """

  private func keeping(_ kept: [String]) throws -> String {
    let roster = DeviceRoster(try ShrinkBench.tree(Self.text))
    equal(roster.members.map(\.name), ["host", "client-1", "client-2", "client-3", "walker"])
    return ScenarioText.text(
      of: roster.keeping(roster.members.indices.filter { kept.contains(roster.members[$0].name) }))
  }

  @Test("Members are numbered again, and whatever names a device that is gone goes too")
  func keeping() throws {
    try equal(
      keeping(["host", "client-1", "client-3"]),
      """
      summary: client-2 is here

      devices:
        host: {}
        client: { count: 2, around: host, radius: 2 m }

      game: { autoplay: { players: { client-2: { skip: 5% } } } }

      steps:
        - client-1, client-2: join
        - host: { assign role: { player: client-2, role: x } }

      expect:
        - [client-1 in lobby, client-2 in lobby]

      """)
  }

  @Test("A group goes with its last member")
  func groups() throws {
    let text = try keeping(["host", "walker"])
    expect(text.contains("walker: {}") && text.contains("- walker: vanish"))
    expect(!text.split(separator: "\n").dropFirst().contains { $0.contains("client") })
  }

  @Test("A group of one loses its number")
  func single() throws {
    let tree = try ShrinkBench.tree("{devices: {host: {}, client: {count: 1}}, steps: [{client-1: join}]}")
    let text = ScenarioText.text(of: try required(DeviceRoster(tree).withoutNumber("client")))
    equal(text, "devices:\n  host: {}\n  client: {}\n\nsteps:\n  - client: join\n")
    expect(DeviceRoster(tree).withoutNumber("host") == nil)
  }
}

@Suite("Round numbers between a value and its kind end")
struct LadderTests {
  @Test(
    "Begins at the kind end and ends at the value",
    arguments: [
      ("4%", 0, ["0%", "0.1%", "0.2%", "0.3%", "0.5%", "1%", "2%", "3%", "4%"]),
      ("4", 1, ["1", "2", "3", "4"]), ("60", 1, ["1", "2", "3", "5", "10", "20", "30", "50", "60"]),
      ("3us", 0, ["0s", "1us", "2us", "3us"]), ("12us", 0, ["0s", "1us", "2us", "3us", "5us", "10us", "12us"]),
      ("30 ppm", 20, ["20 ppm", "30 ppm"]),
    ] as [(String, Int64, [String])])
  func texts(text: String, end: Int64, texts: [String]) {
    equal(Ladder(text, downTo: end)?.texts, texts)
  }

  @Test("Other texts have none", arguments: ["", "x", "0s", "1..2", "yes", "-5 dB", "1"])
  func others(text: String) { expect(Ladder(text, downTo: 1) == nil) }
}
