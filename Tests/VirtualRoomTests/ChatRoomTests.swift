import Bench
import CoreBluetooth
import Expectations
import GuideApps
import Platform
import SimKernel
import Testing
import VirtualRadio
import VirtualRoom

@Suite("Apps of public guides play in a room")
struct ChatRoomTests {
  @Test("A host and seven guests talk through full queues")
  func chat() throws {
    let (room, host, guests) = Self.lobby(seed: 3)
    try Self.talk(room, host, guests)
    expect(guests.allSatisfy { $0.app?.heard == (0..<100).map { "line \($0)" } })
    equal(host.app?.heard.count, 7 * 20)
    expect(host.remarks.allSatisfy { $0.kind != "misuse" && $0.kind != "exception" })
  }

  /// With BABBENCH_PROOFS=1 twenty seeds ten times, else two seeds twice.

  @Test("The same seed gives the same digest; another one another", arguments: 1...UInt64(Part.isAll ? 20 : 2))
  func digests(seed: UInt64) throws {
    let digests = try (0..<(Part.isAll ? 10 : 2)).map { _ in
      let (room, host, guests) = Self.lobby(seed: seed)
      try Self.talk(room, host, guests)
      return room.finish().digest.hexadecimal
    }
    equal(Set(digests).count, 1)
    let (room, host, guests) = Self.lobby(seed: seed + 100)
    try Self.talk(room, host, guests)
    expect(room.finish().digest.hexadecimal != digests[0])
  }

  @Test("Guests come back after the radio was off, and after the host vanished")
  func faults() throws {
    let (room, host, guests) = Self.lobby(seed: 5)
    try room.wait(within: .seconds(20)) { guests.allSatisfy { $0.app?.isConnected == true } }
    try guests[0].apply(.radioOff)
    try room.run(for: .seconds(3))
    equal(guests[0].app?.isConnected, false)
    try guests[0].apply(.radioOn)
    try room.wait(within: .seconds(20)) { guests.allSatisfy { $0.app?.isConnected == true } }
    try host.apply(.vanish)
    try room.run(for: .seconds(12))
    expect(guests.allSatisfy { $0.app?.errors.last == .connectionTimeout })
    try host.apply(.appear)
    try room.wait(within: .seconds(20)) { guests.allSatisfy { $0.app?.isConnected == true } }
  }

  @Test("Who is out of range is not in the chat, and the wait says how long it was")
  func range() throws {
    let room = VirtualRoom(seed: 4, environment: .livingRoom)
    _ = room.phone("host") { ChatHost(queue: .main) }
    let far = room.phone("guest", at: Position(x: 400_000, y: 0)) { ChatGuest(queue: .main) }
    #expect(throws: RoomProblem.timeIsOver(waited: .seconds(30), at: .zero + .seconds(30))) {
      try room.wait(within: .seconds(30)) { far.app?.isConnected == true }
    }
  }

  @Test("Phones of both roles form a mesh with one link for each pair, and everybody hears everybody twice")
  func mesh() throws {
    let room = VirtualRoom(seed: 3)
    let nodes = (0..<4).map { index in
      room.phone("node-\(index)", at: Position(x: index * 100, y: 0)) { MeshNode(queue: DispatchQueue(label: "mesh")) }
    }
    try room.wait(within: .seconds(30)) {
      nodes.allSatisfy { $0.app?.lines.count == 3 && ($0.app?.subscribers.count ?? 0) >= 3 }
    }
    try room.run(for: .seconds(5))
    for (index, node) in nodes.enumerated() { try node.act { $0.send("from \(index)") } }
    try room.run(for: .seconds(5))
    for (index, node) in nodes.enumerated() {
      let others = (0..<4).filter { $0 != index }
      equal(node.app?.heard.sorted(), others.flatMap { ["update from \($0)", "write from \($0)"] }.sorted())
    }
  }

  typealias Lobby = (room: VirtualRoom, host: RoomPhone<ChatHost>, guests: [RoomPhone<ChatGuest>])

  static func lobby(seed: UInt64) -> Lobby {
    let room = VirtualRoom(seed: seed)
    let host = room.phone("host") { ChatHost(queue: DispatchQueue(label: "chat")) }
    let guests = (1...7).map { index in
      room.phone("guest-\(index)", at: Position(x: index * 100, y: 0)) {
        ChatGuest(queue: DispatchQueue(label: "chat"))
      }
    }
    return (room, host, guests)
  }

  static func talk(_ room: VirtualRoom, _ host: RoomPhone<ChatHost>, _ guests: [RoomPhone<ChatGuest>]) throws {
    try room.wait(within: .seconds(20)) { guests.allSatisfy { $0.app?.isConnected == true } }
    try host.act { host in for line in 0..<100 { host.say("line \(line)") } }
    for guest in guests { try guest.act { guest in for line in 0..<20 { guest.say("guest \(line)") } } }
    try room.wait(within: .seconds(60)) {
      guests.allSatisfy { $0.app?.heard.count == 100 } && host.app?.heard.count == 140
    }
  }
}
