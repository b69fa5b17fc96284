import BabSim
import BabSuite
import BeamScribe
import BeamSuite
import Bench
import Expectations
import LobbyRules
import SimKernel
import Testing
import VirtualRadio
import VirtualRoom

@testable import sound_host

@Suite("Engines of the bench play in a room by their names")
struct PlayerRoomTests {
  /// A host of the test and four clients of the bench, who join.
  private static func lobby(fourth: String, players: Players = .bab) throws -> (VirtualRoom, RoomPhone<HostManager>) {
    let room = VirtualRoom(seed: 5, environment: .livingRoom, players: players)
    // Nobody claims anything of it.
    room.advertiser("sensor", data: [2, 0x01, 0x06])
    let host = try room.phone("host", role: "host", dialect: "guide") { Sample.host($0) }
    let clients = try (1...4).map { number in
      try room.player(
        "client-\(number)", role: "client", engine: number == 4 ? fourth : "reference", phone: .android,
        at: Position(x: number * 100, y: 0), dialect: "guide")
    }
    try room.run(for: .seconds(1))
    try host.act { $0.startHosting() }
    for client in clients { try client.act("join") }
    try room.wait(within: .seconds(20), until: "all clients in lobby")
    try host.act { $0.lobby.select("first-date") }
    try room.run(for: .seconds(5))
    try host.act { $0.lobby.start() }
    try room.run(for: .seconds(5))
    return (room, host)
  }

  @Test("Four reference clients at a host of the test: nothing is found")
  func reference() throws {
    let (room, host) = try Self.lobby(fourth: "reference")
    try equal(host.ask { $0.guests.count }, 4)
    try equal(room.holds("all clients in lobby"), true)
    let result = room.play()
    expect(result.isPass && result.judgedCount > 50, "\(result)")
  }

  @Test("One mutant among the clients is found, and blamed")
  func mutant() throws {
    let (room, _) = try Self.lobby(fourth: "clock-goes-back")
    let result = room.play()
    expect(result.findings.contains { $0.device == "client-4" }, "\(result)")
  }

  @Test("The light players need no suite: they play, and nobody judges")
  func light() throws {
    let result = try Self.lobby(fourth: "reference", players: .babReference).0.play()
    expect(result.isPass && result.judgedCount == 0)
  }

  @Test("A wrong name says which names there are")
  func names() {
    func problem(players: Players? = .bab, _ body: (VirtualRoom) throws -> Void) -> String {
      do {
        try body(VirtualRoom(players: players))
        return ""
      } catch { return "\(error)" }
    }
    expect(problem(players: nil) { try $0.player("a", role: "client") }.contains("no players"))
    equal(
      problem { try $0.player("a", role: "cliemt") }, "a: bab has no role “cliemt”; did you mean “client”?")
    equal(
      problem { try $0.player("a", role: "client", of: "bob") }, "a: there is no protocol “bob”; did you mean “bab”?")
    equal(
      problem { try $0.player("a", role: "client", dialect: "sdx") }, "a: bab has no dialect “sdx”; did you mean “sdk”?"
    )
    equal(
      problem { try $0.player("client-4", role: "client", engine: "clock-goes-bakc") },
      "client-4: engine “clock-goes-bakc” does not exist; did you mean “clock-goes-back”?")
    expect(
      problem { try $0.player("a", role: "host", engine: "clock-goes-back") }.contains("is a client, and a is a host"))
    equal(
      problem(players: .babReference) { try $0.player("a", role: "client", engine: "refrence") },
      "a: engine “refrence” does not exist; did you mean “reference”?")
    equal(
      problem {
        let player = try $0.player("a", role: "client")
        try $0.run(for: .seconds(1))
        try player.act("jion")
      }, "a: there is no action “jion”; did you mean “join”?")
    expect(problem { try $0.player("a", role: "client").act("join") }.contains("not launched yet"))
    expect(problem { try $0.wait(within: .seconds(1), until: "a in loby") }.hasPrefix("“a in loby”: "))
  }

  @Test("A guest of BeamScribe hears its host, over the network of the room", arguments: [true, false])
  func beamScribe(isJudged: Bool) throws {
    let room = VirtualRoom(players: isJudged ? .beamScribe : .beamScribeReference)
    let host = try room.player("host", role: "host")
    let guest = try room.player("guest", role: "guest", at: Position(x: 200, y: 0))
    try room.run(for: .seconds(1))
    try host.act("start event: Keynote")
    try room.run(for: .seconds(1))
    try guest.act("join")
    try room.wait(within: .seconds(20), until: "guest is showing")
    try host.act("say: Good morning.")
    try room.run(for: .seconds(20))
    let result = room.play()
    expect(result.isPass && (result.judgedCount > 0) == isJudged, "\(result)")
  }
}
