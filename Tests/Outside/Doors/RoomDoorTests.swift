import Foundation
import Platform
import RoomTimelines
import SimKernel
import Testing
import VirtualRadio
import VirtualRoom

@Suite("A room of CoreBluetooth apps, tested by an outsider")
struct RoomDoorTests {
  @Test("A remote sets a lamp")
  func lamp() throws {
    let room = VirtualRoom(seed: 7, environment: .livingRoom)
    let timeline = RoomTimeline(of: room)
    let lamp = room.phone("lamp") { Lamp() }
    let remote = room.phone("remote", at: Position(x: 200, y: 0)) { Remote() }
    // Where one of these does not come true, the page of the room is there.
    try timeline.keeping("out/lamp.html") {
      try room.wait(within: .seconds(20)) { remote.app?.isReady == true }
      try remote.act { $0.set(80) }
      try remote.wait(within: .seconds(2)) { $0.confirmed == 1 }
    }
    #expect(try lamp.ask { $0.brightness } == 80)
    #expect(remote.remarks.allSatisfy { $0.kind != "misuse" })
  }

  @Test("A lamp that is gone is noticed; the room is drawn")
  func gone() throws {
    let room = VirtualRoom(seed: 7, environment: .livingRoom)
    let timeline = RoomTimeline(of: room)
    let lamp = room.phone("lamp") { Lamp() }
    let remote = room.phone("remote", at: Position(x: 200, y: 0)) { Remote() }
    try room.wait(within: .seconds(20)) { remote.app?.isReady == true }
    try lamp.apply(.vanish)
    try remote.act { $0.set(10) }
    #expect(throws: RoomProblem.self) { try room.wait(within: .seconds(2)) { remote.app?.confirmed == 1 } }
    #expect(lamp.app?.brightness == 0)

    let page = FileManager.default.temporaryDirectory.appendingPathComponent("lamp-\(UUID().uuidString).html")
    defer { try? FileManager.default.removeItem(at: page) }
    try timeline.write(to: page.path)
    #expect(try String(contentsOf: page, encoding: .utf8).contains("<title>"))
  }
}
