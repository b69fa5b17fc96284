import BabSuite
import Bench
import Dispatch
import Expectations
import LobbyRules
import Platform
import SimKernel
import Testing
import VirtualRoom

@testable import sound_host

@Suite("Apps of a test play in the room of a scenario file")
struct ScenarioRoomTests {
  /// The lobby with a host that is written for CoreBluetooth.
  private static func lobby(
    _ text: String = Rooms.lobby, mistake: Mistake? = nil, seed: UInt64 = 1
  ) throws -> (room: VirtualRoom, host: RoomPhone<HostManager>) {
    let room = try VirtualRoom(scenarioText: text, named: "lobby.yaml", players: .bab, seed: seed)
    let host = try room.app(of: "host", user: Sample.use) { Sample.host($0, mistake: mistake) }
    return (room, host)
  }

  @Test("The sound host serves three reference clients: nobody finds anything", arguments: 1...3 as ClosedRange<UInt64>)
  func sound(seed: UInt64) throws {
    let (room, _) = try Self.lobby(seed: seed)
    let result = room.play()
    expect(result.findings.isEmpty && result.isPass, "\(result)")
    expect(result.judgedCount > 100)
    let (again, _) = try Self.lobby(seed: seed)
    try again.run(for: .seconds(7))
    equal(again.play().outcome.digest, result.outcome.digest)
  }

  @Test("Mistakes of guides are found", arguments: ["raw-chunks", "misses-the-end"])
  func mistaken(_ name: String) throws {
    let mistake = try required(Mistake(rawValue: name))
    let result = try Self.lobby(mistake: mistake).room.play()
    expect(!result.isPass)
  }

  @Test("A test waits and touches while steps play: its app and conditions of scenarios")
  func interplay() throws {
    let (room, host) = try Self.lobby()
    try room.wait(within: .seconds(20), until: "all clients in lobby")
    try equal(host.ask { $0.guests.count }, 3)
    try room.run(for: .seconds(1))
    let told = try required((1...9).first { try room.holds("client-1 has exactly \($0) LOBBY_UPDATE packets") == true })
    try host.act { $0.lobby.select("coffee-shop") }
    try room.wait(within: .seconds(1), until: "client-1 has exactly \(told + 1) LOBBY_UPDATE packets")
    try host.apply(.vanish)
    try room.run(for: .seconds(1))
    try host.apply(.appear)
    try equal(room.player(of: "client-3").engine, "reference")
  }

  @Test("A mutant among the clients of the file is found, beside a host of the test")
  func mutant() throws {
    let text = Rooms.lobby.replacing("radius: 2 m }", with: "radius: 2 m }\n  client-3: { engine: clock-goes-back }")
    let result = try Self.lobby(text).room.play()
    expect(result.findings.map(\.device).contains("client-3"), "\(result)")
    expect(result.findings.allSatisfy { $0.oracle == "VectorClocksNeverGoBack" }, "\(result)")
  }

  @Test("What is wrong with a file is one line with its place")
  func fileErrors() {
    func problem(_ text: String) -> String {
      do {
        _ = try VirtualRoom(scenarioText: text, named: "lobby.yaml", players: .bab)
        return ""
      } catch { return error.description }
    }
    equal(
      problem(Rooms.lobby.replacing("client-2: vanish", with: "client-2: vanihs")),
      "lobby.yaml:12:41: there is no action “vanihs”; did you mean “vanish”?")
    #expect(throws: ScenarioProblems.self) { try VirtualRoom(scenario: "no-such.yaml", players: .bab) }
  }

  @Test("A word for an app that nobody does is refused with its step, and a name with those that there are")
  func refused() throws {
    let room = try VirtualRoom(scenarioText: Rooms.lobby, named: "lobby.yaml", players: .bab)
    func problem(_ body: () throws -> Void) -> String {
      do {
        try body()
        return ""
      } catch { return "\(error)" }
    }
    equal(
      problem { _ = try room.app(of: "host") { HostManager() } },
      "lobby.yaml:8:5: “host: start hosting” is a word for an engine of the bench, and the app of host is the "
        + "test's; give “user:” to do it with the app, or take the step out")
    equal(
      problem { _ = try room.app(of: "hots") { HostManager() } }, "there is no device “hots”; did you mean “host”?")
    equal(
      problem { _ = try room.apps(of: "cliemt", user: { _, _ in }) { _ in HostManager() } },
      "there is no group “cliemt”; did you mean “client”?")
    // What a client of the test shows is unknown.
    expect(
      problem { _ = try room.app(of: "client-1", user: { _, _ in }) { HostManager() } }
        .hasPrefix("lobby.yaml:19:5: what client-1 shows is unknown"))
    // Nothing of it has changed the room.
    expect(room.play().isPass)
  }

  @Test("An app that is stopped ends the play as a finding against its device")
  func stopped() throws {
    let room = try VirtualRoom(scenarioText: Rooms.lobby, players: .bab)
    _ = try room.app(of: "host", user: { (_: Restless, _) in Restless.spin() }) { Restless() }
    let result = room.play()
    equal(result.outcome.ending, .breakdown)
    expect(result.findings.map(\.oracle) == ["NoCrashNoHang"] && result.findings.first?.device == "host", "\(result)")
  }

  private final class Restless: @unchecked Sendable {
    static func spin() { DispatchQueue.main.async { spin() } }
  }
}
