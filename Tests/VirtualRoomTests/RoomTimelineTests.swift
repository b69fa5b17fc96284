import Bench
import CoreBluetooth
import Expectations
import Foundation
import GuideApps
import Platform
import RunReports
import SimKernel
import Testing
import VirtualRoom

@testable import RoomTimelines

@Suite("A virtual room over time")
struct RoomTimelineTests {
  /// A host, a guest that has said something, and the picture of both.
  private struct Chat {
    let room = VirtualRoom(seed: 7)
    let host: RoomPhone<ChatHost>
    let guest: RoomPhone<ChatGuest>
    let picture: RoomTimeline?

    init(isDrawn: Bool = true) throws {
      picture = isDrawn ? RoomTimeline(of: room) : nil
      let room = room
      host = room.phone("host") { ChatHost(queue: .main) }
      guest = room.phone("guest") { ChatGuest(queue: .main) }
      try room.wait(within: .seconds(10)) { [guest] in guest.app?.isConnected == true }
      try guest.act { $0.say("good evening") }
      try room.wait(within: .seconds(2)) { [host] in host.app?.heard == ["good evening"] }
    }
  }

  @Test("Each phone has its calls and callbacks, in order, with their arguments and their peers")
  func lanes() throws {
    let timeline = try required(Chat().picture).timeline()
    equal(timeline.lanes.map(\.name), ["host", "guest"])
    let calls = timeline.calls
    equal(calls.map(\.at), calls.map(\.at).sorted())
    equal(Set(calls.map(\.lane)), [0, 1])
    expect(calls.allSatisfy { !$0.isBad })
    let write = try required(calls.first { $0.text.hasPrefix("CBPeripheral.writeValue(") })
    let octets = "12 octets 676F6F64206576656E696E67"
    equal(write.text, "CBPeripheral.writeValue(\(octets), for: 6E400002…, type: withoutResponse)")
    expect(write.kind == .call && write.lane == 1 && write.peer == 0)
    let told = try required(calls.first { $0.text.contains("didReceiveWrite") })
    equal(told.text, "peripheralManager(didReceiveWrite: [6E400002… \(octets)])")
    expect(told.kind == .callback && told.lane == 0 && told.peer == 1 && told.at > write.at)
    expect(timeline.spans.allSatisfy { $0.track != "call" && $0.track != "callback" })
  }

  @Test("A room that is drawn has the digest of one that is not")
  func digest() throws {
    let (drawn, alone) = (try Chat().room.finish(), try Chat(isDrawn: false).room.finish())
    equal(drawn.digest, alone.digest)
  }

  @Test("A value that never comes is told with the call that was given it, and with what a phone would log")
  func tooLong() throws {
    let chat = try Chat()
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rooms-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("too-long.html").path
    let picture = try required(chat.picture)
    try chat.guest.act { $0.say(String(repeating: "a", count: 600)) }
    let problem = #expect(throws: RoomProblem.self) {
      try picture.keeping(path) { try chat.room.wait(within: .seconds(2)) { chat.host.app?.heard.count == 2 } }
    }
    let page = try String(contentsOfFile: path, encoding: .utf8)
    expect(page.contains("not met") && page.contains("it comes true within 2") && page.contains("id=\"picture\""))
    let timeline = picture.timeline(after: problem)
    let mark = try required(timeline.marks.first { $0.isBad })
    try expect(required(mark.story.first).text.hasPrefix("the reason: guest: misuse peripheral.value-too-long"))
    let line = try required(mark.story.first { $0.text.hasPrefix("guest: misuse") })
    let call = "CBPeripheral.writeValue(600 octets \(String(repeating: "61", count: 16))…, for: 6E400002…"
    expect(line.text.hasPrefix("guest: misuse peripheral.value-too-long: 600 octets written without response where "))
    expect(line.text.hasSuffix("; it calls \(call), type: withoutResponse), about host"))
    let shown = try required(line.call.map { timeline.calls[$0] })
    expect(shown.kind == .remark && shown.isBad)
  }

  @Test("A link that ends is told with the callback that told of it")
  func gone() throws {
    let chat = try Chat()
    try chat.host.apply(.vanish)
    let problem = #expect(throws: RoomProblem.self) {
      try chat.room.wait(within: .seconds(10)) { chat.host.app?.heard.count == 2 }
    }
    let timeline = try required(chat.picture).timeline(after: problem)
    let story = try required(timeline.marks.first { $0.isBad }).story.map(\.text)
    expect(
      story.contains {
        $0.contains("connection timeout") && $0.contains("; it is told centralManager(didDisconnectPeripheral: ")
          && $0.hasSuffix("error: CBError.connectionTimeout), about host")
      }, "\(story)")
    equal(timeline.end, chat.room.now)
  }
}
