import CoreBluetooth
import Dispatch
import Expectations
import Foundation
import Platform
import SimKernel
import Testing
import VirtualRoom

@Suite("What apps must not do is named, without a hang")
struct BadUseTests {
  @Test("An app that waits for its own queue stops the room with the queue's label")
  func deadlock() throws {
    let text = try Self.problem { _ in
      let queue = DispatchQueue(label: "own")
      queue.async { queue.sync {} }
    }
    expect(text.contains("own"))
  }

  @Test("An app that never rests stops the room")
  func neverRests() throws {
    final class Wheel: @unchecked Sendable {
      func turn() { DispatchQueue.main.async { self.turn() } }
    }
    let text = try Self.problem { _ in Wheel().turn() }
    expect(text.contains("never rests"))
  }

  @Test("A scan before the radio is on is remarked as misuse, and nothing else happens")
  func tooEarly() throws {
    final class Hasty {
      let central = CBCentralManager(delegate: nil, queue: nil)
      init() { central.scanForPeripherals(withServices: nil) }
    }
    let room = VirtualRoom()
    let phone = room.phone("hasty") { Hasty() }
    try room.run(for: .seconds(1))
    expect(phone.remarks.contains { $0.kind == "misuse" && $0.at == .zero })
  }

  @Test("Nothing can be done with an app that is not launched yet")
  func notLaunched() {
    let room = VirtualRoom()
    let phone = room.phone("late", starts: .zero + .seconds(5)) { Empty() }
    #expect(throws: RoomProblem.notLaunched(phone: "late")) { try phone.act { _ in } }
  }

  @Test("Delays, tasks and dates of an app follow the room's clock")
  func time() throws {
    let room = VirtualRoom()
    let phone = room.phone("sleeper") { Sleeper() }
    try room.run(for: .seconds(1))
    expect(phone.app?.isAwake == false && phone.app?.hasSlept == false)
    try room.run(for: .seconds(30))
    expect(phone.app?.isAwake == true && phone.app?.hasSlept == true)
    equal(phone.app?.seconds, 20)
  }

  @Test("What an app is asked is answered in its own time")
  func asking() throws {
    let room = VirtualRoom()
    let phone = room.phone("sleeper") { Sleeper() }
    try phone.wait(within: .seconds(30)) { $0.age >= 20 }
    equal(room.now, .zero + .seconds(20))
    try room.run(for: .seconds(7))
    try equal(phone.ask { $0.age }, 27)
    try expect(phone.ask { _ in Thread.isMainThread })
  }

  @Test("An app's objects are released in its own time, when it is killed and when the room ends")
  func released() throws {
    final class Diary: @unchecked Sendable { var lines: [String] = [] }
    final class Mortal {
      let diary: Diary
      init(_ diary: Diary) { self.diary = diary }
      deinit {
        let year = Calendar(identifier: .gregorian).component(.year, from: Date())
        diary.lines.append("\(year) \(Thread.isMainThread)")
        DispatchQueue.main.async { [diary] in diary.lines.append("ran") }
      }
    }
    let diary = Diary()
    do {
      let room = VirtualRoom()
      let phone = room.phone("mortal") { Mortal(diary) }
      try room.run(for: .seconds(1))
      try phone.apply(.relaunch)
      try room.run(for: .seconds(1))
      equal(diary.lines.count, 2)
    }
    // The clock of rooms begins in 2026; what a destructor submits runs at once or never, on no thread.
    equal(diary.lines.filter { $0 == "2026 true" }.count, 2)
  }

  private static func problem(_ body: @escaping (Empty) -> Void) throws -> String {
    let room = VirtualRoom()
    let phone = room.phone("bad") { Empty() }
    try room.run(for: .seconds(1))
    do {
      try phone.act(body)
    } catch {
      return error.description
    }
    return ""
  }
}

final class Empty {}

/// Waits in three ways.
final class Sleeper: @unchecked Sendable {
  var isAwake = false
  var hasSlept = false
  var seconds = 0

  private let begin = Date()
  var age: Int { Int(Date().timeIntervalSince(begin)) }

  init() {
    DispatchQueue.main.asyncAfter(deadline: .now() + 20) {
      self.isAwake = true
      self.seconds = self.age
    }
    Task {
      try? await Task.sleep(for: .seconds(10))
      self.hasSlept = true
    }
  }
}
