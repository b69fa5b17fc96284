import Bench
import CoreBluetooth
import Expectations
import Foundation
import Platform
import SimKernel
import Testing
import VirtualRadio
import VirtualRoom

@Suite("Apps that the system ends, and launches again for what Bluetooth has for them")
struct RestorationRoomTests {
  /// An archive and a keeper that is subscribed to it.
  private func subscribed(
    identifier: String? = "keeper"
  ) throws -> (room: VirtualRoom, archive: RoomPhone<Archive>, keeper: RoomPhone<Keeper>, diary: Diary) {
    let room = VirtualRoom(seed: 3)
    let diary = Diary()
    let archive = room.phone("archive") { Archive() }
    let keeper = room.phone("keeper", at: Position(x: 200, y: 0)) { Keeper(diary, identifier) }
    try room.wait(within: .seconds(20)) { diary.lines.last == "notifies" }
    try room.run(for: .seconds(2))
    diary.lines = []
    return (room, archive, keeper, diary)
  }

  @Test("A notification launches the app: connection, services and subscription are there")
  func connection() throws {
    let (room, archive, keeper, diary) = try subscribed()
    try keeper.apply(.background)
    try keeper.apply(.reclaim)
    try room.run(for: .seconds(10))
    expect(diary.lines == [] && archive.app?.first.subscribedCentrals?.count == 1)
    try archive.act { app in _ = app.manager.updateValue(Data([9]), for: app.first, onSubscribedCentrals: nil) }
    try room.wait(within: .seconds(5)) { diary.lines.last == "value 9" }
    equal(diary.lines, ["launch", "restored connected, 4 characteristics, 1 on", "on", "value 9"])
    equal(archive.app?.log.filter { $0.hasPrefix("subscribed") }.count, 1)
    // The app goes on with the objects that it was given.
    try keeper.act { $0.peer?.readValue(for: $0.boxes[1]) }
    try room.wait(within: .seconds(5)) { diary.lines.last == "value 7" }
  }

  @Test("A pending connection is made without the app, and launches it")
  func pending() throws {
    let (room, archive, keeper, diary) = try subscribed()
    try archive.apply(.outOfRange)
    try room.wait(within: .seconds(20)) { diary.lines == ["disconnected"] }
    try keeper.apply(.reclaim)
    try room.run(for: .seconds(100))
    equal(diary.lines, ["disconnected"])
    try archive.apply(.comeBack)
    try room.wait(within: .seconds(20)) { diary.lines.last == "notifies" }
    equal(diary.lines, ["disconnected", "launch", "restored connecting", "on", "connected", "notifies"])
  }

  @Test("So does a peripheral that a scan for its service finds")
  func scan() throws {
    let room = VirtualRoom(seed: 3)
    let diary = Diary()
    let keeper = room.phone("keeper", at: Position(x: 200, y: 0)) { Keeper(diary, "keeper") }
    _ = room.phone("archive", starts: .zero + .seconds(30)) { Archive() }
    try room.run(for: .seconds(5))
    try keeper.apply(.background)
    try keeper.apply(.reclaim)
    try room.wait(within: .seconds(60)) { diary.lines.last == "notifies" }
    equal(diary.lines, ["launch", "on", "launch", "restored scan", "on", "connected", "notifies"])
    expect(room.now > .zero + .seconds(30))
  }

  @Test("What the person closes stays closed, and an app without an identifier does, too", arguments: [true, false])
  func closed(byPerson: Bool) throws {
    let (room, archive, keeper, diary) = try subscribed(identifier: byPerson ? "keeper" : nil)
    try keeper.apply(byPerson ? .kill : .reclaim)
    try room.run(for: .seconds(5))
    equal(archive.app?.first.subscribedCentrals?.isEmpty, true)
    try archive.act { app in _ = app.manager.updateValue(Data([9]), for: app.first, onSubscribedCentrals: nil) }
    try room.run(for: .seconds(5))
    equal(diary.lines, [])
    // The phone still knows whom it has met.
    let identifier = try required(diary.identifier)
    try keeper.apply(.relaunch)
    try room.run(for: .milliseconds(10))
    equal(diary.lines, ["launch", "on"])
    try equal(keeper.ask { $0.manager.retrievePeripherals(withIdentifiers: [identifier]).first?.name }, "Archive")
  }

  @Test("After the system has ended it, the person who closes it or switches Bluetooth off ends what was kept")
  func closedLater() throws {
    for fault in [DeviceFault.kill, .radioOff] {
      let (room, archive, keeper, diary) = try subscribed()
      try keeper.apply(.reclaim)
      try keeper.apply(fault)
      try room.run(for: .seconds(5))
      expect(archive.app?.first.subscribedCentrals?.isEmpty == true && diary.lines == [])
    }
  }

  @Test("The person may launch it first: it is restored then")
  func launchedByHand() throws {
    let (room, archive, keeper, diary) = try subscribed()
    try keeper.apply(.reclaim)
    try keeper.apply(.relaunch)
    try room.run(for: .seconds(2))
    equal(diary.lines, ["launch", "restored connected, 4 characteristics, 1 on", "on"])
    equal(archive.app?.first.subscribedCentrals?.count, 1)
  }

  @Test("A peripheral goes on advertising, keeps its subscribers, and is launched to answer")
  func peripheral() throws {
    let room = VirtualRoom(seed: 4)
    let diary = Diary()
    let shelf = room.phone("shelf") { Shelf(diary) }
    let first = room.phone("first", at: Position(x: 200, y: 0)) { Visitor() }
    let second = room.phone("second", at: Position(x: 0, y: 200), starts: .zero + .seconds(30)) { Visitor() }
    try room.wait(within: .seconds(20)) { first.app?.log.contains("characteristics 1") == true }
    try first.act { app in app.boxes.forEach { app.peer?.setNotifyValue(true, for: $0) } }
    try room.wait(within: .seconds(5)) { diary.lines.last == "subscribed" }
    diary.lines = []
    try shelf.apply(.reclaim)
    try room.run(for: .seconds(10))
    equal(diary.lines, [])
    // Another central finds it, which launches it.
    try room.wait(within: .seconds(60)) { second.app?.log.contains("characteristics 1") == true }
    equal(diary.lines, ["launch", "restored 1 service, advertising, 1 subscriber", "on"])
    try second.act { $0.peer?.readValue(for: $0.boxes[0]) }
    try room.wait(within: .seconds(5)) { second.app?.values.last?.value == Data([5]) }
    try shelf.act { $0.update(6) }
    try room.wait(within: .seconds(5)) { first.app?.values.last?.value == Data([6]) }
    equal(diary.lines.last, "asked")
  }

  @Test("The same seed gives the same digest")
  func repeatable() throws {
    func digest() throws -> String {
      let (room, archive, keeper, diary) = try subscribed()
      try keeper.apply(.reclaim)
      try archive.act { app in _ = app.manager.updateValue(Data([9]), for: app.first, onSubscribedCentrals: nil) }
      try room.wait(within: .seconds(5)) { diary.lines.last == "value 9" }
      return room.finish().digest.hexadecimal
    }
    try equal(digest(), digest())
  }
}
