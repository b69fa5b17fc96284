import BabSuite
import Bench
import CoreBluetooth
import GuideApps
import LobbyRules
import Platform
import SimKernel
import Testing
import VirtualRadio
import VirtualRoom

@testable import sound_host

// The tests of Docs/virtual-room.md, as they are there: PageTests holds the page against this file.

@Test func everyGuestHearsTheHost() throws {
  let room = VirtualRoom(seed: 7, environment: .livingRoom)
  let host = room.phone("host") { ChatHost(queue: .main) }
  let guests = (1...7).map { number in
    room.phone("guest-\(number)", at: Position(x: number * 100, y: 0)) { ChatGuest(queue: .main) }
  }
  try room.wait(within: .seconds(20)) { guests.allSatisfy { $0.app?.isConnected == true } }
  try host.act { $0.say("hello") }
  try room.wait(within: .seconds(5)) { guests.allSatisfy { $0.app?.heard == ["hello"] } }
  try host.apply(.vanish)
  try room.run(for: .seconds(10))
  #expect(guests.allSatisfy { $0.app?.isConnected == false })
}

@Test func theBrokenClientIsFound() throws {
  let room = VirtualRoom(seed: 5, environment: .livingRoom, players: .bab)
  let host = try room.phone("host", role: "host", dialect: "guide") { told in Sample.host(told) }
  let engines = ["reference", "reference", "reference", "clock-goes-back"]
  let clients = try engines.enumerated().map { index, engine in
    try room.player("client-\(index + 1)", role: "client", engine: engine, phone: .android, dialect: "guide")
  }
  try room.run(for: .seconds(1))
  try host.act { $0.startHosting() }
  for client in clients { try client.act("join") }
  try room.wait(within: .seconds(20), until: "all clients in lobby")
  try host.act { $0.lobby.select("first-date") }
  try room.run(for: .seconds(5))
  let result = room.play()
  #expect(result.findings.map(\.device) == ["client-4"])
}

@Test func theLobbyOfTheFile() throws {
  let room = try VirtualRoom(scenario: Rooms.lobbyFile, players: .bab, set: ["radio=convention-hall"])
  let host = try room.app(of: "host") { manager, action in
    if action.name == "startHosting" { manager.startHosting() }
    manager.lobby.perform(action.name, action.text)
  } app: { told in
    Sample.host(told)
  }
  try room.wait(within: .seconds(20), until: "all clients in lobby")
  #expect(try host.ask { $0.guests.count } == 3)
  let result = room.play()
  #expect(result.problems == [] && result.judgedCount > 0)
}
