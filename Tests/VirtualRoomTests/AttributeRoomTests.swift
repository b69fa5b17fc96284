import Bench
import CoreBluetooth
import Expectations
import Foundation
import Platform
import SimKernel
import Testing
import VirtualRadio
import VirtualRoom

@Suite("Attributes over the whole bench: platform, host stack, link layer, air")
struct AttributeRoomTests {
  /// An archive and its visitor, who has found everything.
  private func meeting(
    metres: Int = 2, seed: UInt64 = 1, acceptsPairing: Bool = true
  ) throws -> (room: VirtualRoom, archive: RoomPhone<Archive>, visitor: RoomPhone<Visitor>) {
    let room = VirtualRoom(seed: seed)
    let archive = room.phone("archive", acceptsPairing: acceptsPairing) { Archive() }
    let visitor = room.phone("visitor", at: Position(x: metres * 100, y: 0)) { Visitor() }
    try room.wait(within: .seconds(20)) { visitor.app?.log.contains("description second") == true }
    return (room, archive, visitor)
  }

  @Test("Included services, two characteristics of one type and their descriptors are found")
  func discovery() throws {
    let (_, archive, visitor) = try meeting()
    equal(archive.app?.log.prefix(2), ["added false true", "added true true"])
    equal(
      visitor.app?.log.sorted(),
      [
        "characteristics 4", "description second", "descriptors 2", "included true", "services 1",
      ])
    // What is not virtual depends on the process (SWIFT_DETERMINISTIC_HASHING).
    expect((archive.remarks + visitor.remarks).allSatisfy { $0.kind == "notVirtual" })
  }

  @Test("The app answers reads from each offset, and its error is what the client is told")
  func reads() throws {
    let (room, archive, visitor) = try meeting()
    try visitor.act { $0.peer?.readValue(for: $0.boxes[0]) }
    try room.wait(within: .seconds(5)) { visitor.app?.values.isEmpty == false }
    equal(visitor.app?.values.first?.value, Data(repeating: 7, count: 400))
    let offsets = archive.app?.log.filter { $0.hasPrefix("first from") } ?? []
    expect(offsets.first == "first from 0" && offsets.count > 1)
    archive.app?.answer = .insufficientAuthorization
    try visitor.act { $0.peer?.readValue(for: $0.boxes[1]) }
    try room.wait(within: .seconds(5)) { visitor.app?.errors == [.insufficientAuthorization] }
    equal(archive.app?.log.last, "second from 0")
  }

  @Test("Long writes come in parts with their offsets; a refused one changes nothing")
  func writes() throws {
    let (room, archive, visitor) = try meeting()
    let long = Data((0..<300).map { UInt8($0 % 251) })
    try visitor.act { $0.peer?.writeValue(long, for: $0.boxes[0], type: .withResponse) }
    try room.wait(within: .seconds(5)) { visitor.app?.log.last == "written true" }
    equal(archive.app?.contents, long)
    expect((archive.app?.parts.first?.count ?? 0) > 1)
    archive.app?.answer = .insufficientResources
    try visitor.act { $0.peer?.writeValue(Data([1]), for: $0.boxes[0], type: .withResponse) }
    try room.wait(within: .seconds(5)) { visitor.app?.log.last == "written false" }
    equal(archive.app?.contents, long)
  }

  @Test("Codes of the app's own reach the other end as they were answered")
  func applicationErrors() throws {
    let (room, archive, visitor) = try meeting()
    let own = try [0x80, 0x9F, 0xFF].map { try required(CBATTError.Code(rawValue: $0)) }
    for (index, code) in own.enumerated() {
      archive.app?.answer = code
      try visitor.act { app in
        if index == 0 {
          app.peer?.writeValue(Data([1]), for: app.boxes[0], type: .withResponse)
        } else {
          app.peer?.readValue(for: app.boxes[1])
        }
      }
      try room.wait(within: .seconds(5)) { visitor.app?.errors.count == index + 1 }
    }
    equal(visitor.app?.errors, own)
  }

  @Test("Notifications and indications of one type reach the characteristic that they are of")
  func updates() throws {
    let (room, archive, visitor) = try meeting()
    try visitor.act { app in for box in app.boxes { app.peer?.setNotifyValue(true, for: box) } }
    try room.wait(within: .seconds(5)) { visitor.app?.log.filter { $0 == "notifies true" }.count == 2 }
    equal(archive.app?.log.filter { $0.hasPrefix("subscribed") }, ["subscribed first", "subscribed second"])
    try archive.act { app in
      _ = app.manager.updateValue(Data([1]), for: app.first, onSubscribedCentrals: nil)
      _ = app.manager.updateValue(Data([2]), for: app.second, onSubscribedCentrals: nil)
    }
    try room.wait(within: .seconds(5)) { visitor.app?.values.count == 2 }
    let boxes = visitor.app?.boxes ?? []
    equal(visitor.app?.values.map { $0.characteristic === boxes[0] }, [true, false])
    equal(visitor.app?.values.map(\.value), [Data([1]), Data([2])])
  }

  @Test("A service that is removed is told to a connected central, which finds nothing there any more")
  func removal() throws {
    let (room, archive, visitor) = try meeting()
    // The platform of the central listens to Service Changed by itself.
    try room.run(for: .seconds(2))
    try archive.act { $0.manager.remove($0.service) }
    try room.wait(within: .seconds(5)) { visitor.app?.log.contains("modified true") == true }
    equal(visitor.app?.peer?.services?.isEmpty, true)
    try visitor.act { $0.peer?.discoverServices(nil) }
    try room.run(for: .seconds(2))
    equal(visitor.app?.log.last, "services 0")
  }

  @Test("The signal strength falls with the distance")
  func signalStrength() throws {
    func signal(_ metres: Int) throws -> Int? {
      let (room, _, visitor) = try meeting(metres: metres)
      try visitor.act { $0.peer?.readRSSI() }
      try room.wait(within: .seconds(5)) { visitor.app?.signal != nil }
      return visitor.app?.signal
    }
    let near = try required(try signal(1))
    let far = try required(try signal(8))
    expect((-70 ... -30).contains(near) && far < near)
  }

  @Test("A request that the app never answers ends the bearer after 30 s, and is remarked when the link ends")
  func unanswered() throws {
    let (room, archive, visitor) = try meeting()
    archive.app?.answer = nil
    try visitor.act { $0.peer?.readValue(for: $0.boxes[0]) }
    try room.run(for: .seconds(31))
    equal(visitor.app?.errors, [.unlikelyError])
    try visitor.act { $0.manager.cancelPeripheralConnection($0.peer!) }
    try room.run(for: .seconds(5))
    equal(archive.remarks.filter { $0.kind == "misuse" }.map(\.name), ["request.unanswered"])
  }

  @Test("A value that needs encryption is read once the phones have paired, and again over the bond")
  func pairing() throws {
    let (room, _, visitor) = try meeting()
    for count in 1...2 {
      try visitor.act { $0.peer?.readValue(for: $0.characteristic(Archive.secret)!) }
      try room.wait(within: .seconds(10)) { visitor.app?.values.count == count }
      equal(visitor.app?.values.last?.value, Data("hidden".utf8))
    }
    equal(visitor.app?.errors, [])
  }

  @Test("It stays closed when the person of the other phone does not pair, with the error of the refusal")
  func refusedPairing() throws {
    let (room, _, visitor) = try meeting(acceptsPairing: false)
    try visitor.act { $0.peer?.readValue(for: $0.characteristic(Archive.secret)!) }
    try room.wait(within: .seconds(10)) { visitor.app?.errors == [.insufficientAuthentication] }
    equal(visitor.app?.values.isEmpty, true)
  }

  @Test("A channel carries 200 000 octets each way, after pairing, and ends with its link")
  func channel() throws {
    let (room, archive, visitor) = try meeting()
    let psm = try required(archive.app?.psm)
    try visitor.act { $0.peer?.openL2CAPChannel(psm) }
    try room.wait(within: .seconds(10)) { visitor.app?.end != nil && archive.app?.end != nil }
    let there = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let back = Array(there.reversed())
    try visitor.act { $0.end?.say(there) }
    try archive.act { $0.end?.say(back) }
    try room.wait(within: .seconds(120)) {
      archive.app?.end?.heard.count == there.count && visitor.app?.end?.heard.count == back.count
    }
    expect(archive.app?.end?.heard == there && visitor.app?.end?.heard == back)
    try visitor.act { $0.manager.cancelPeripheralConnection($0.peer!) }
    try room.wait(within: .seconds(10)) { archive.app?.end?.isOver == true && visitor.app?.end?.isOver == true }
  }

  @Test("A published PSM is listened on again after Bluetooth was off, and channels have ended")
  func channelAfterPower() throws {
    let (room, archive, visitor) = try meeting()
    let psm = try required(archive.app?.psm)
    try visitor.act { $0.peer?.openL2CAPChannel(psm) }
    try room.wait(within: .seconds(10)) { visitor.app?.end != nil && archive.app?.end != nil }
    let end = visitor.app?.end
    // The keys of the bond are exchanged after the channel is open.
    try room.run(for: .seconds(1))
    try archive.apply(.radioOff)
    try room.wait(within: .seconds(10)) { end?.isOver == true }
    try archive.apply(.radioOn)
    try visitor.act { $0.manager.connect($0.peer!) }
    try room.wait(within: .seconds(20)) { visitor.app?.peer?.services != nil }
    try visitor.act { $0.peer?.openL2CAPChannel(psm) }
    try room.wait(within: .seconds(10)) { visitor.app?.end !== end }
    equal(visitor.app?.end?.channel.psm, psm)
  }

  @Test("A channel is refused on a PSM that nobody has published, and without pairing where it is needed")
  func refusedChannel() throws {
    let (room, archive, visitor) = try meeting(acceptsPairing: false)
    let psm = try required(archive.app?.psm)
    for number in [psm, 0x00F0] {
      try visitor.act { $0.peer?.openL2CAPChannel(number) }
      try room.wait(within: .seconds(40)) { visitor.app?.isRefused == true }
      expect(visitor.app?.end == nil)
    }
  }

  @Test("The same seed gives the same digest, another one another")
  func repeatable() throws {
    func digest(_ seed: UInt64) throws -> String {
      let (room, archive, visitor) = try meeting(seed: seed)
      try visitor.act { app in for box in app.boxes { app.peer?.setNotifyValue(true, for: box) } }
      try room.run(for: .seconds(2))
      try archive.act { app in _ = app.manager.updateValue(Data([1]), for: app.first, onSubscribedCentrals: nil) }
      try archive.act { $0.manager.remove($0.service) }
      try room.run(for: .seconds(2))
      return room.finish().digest.hexadecimal
    }
    let first = try digest(3)
    try equal(digest(3), first)
    try expect(digest(4) != first)
  }
}
