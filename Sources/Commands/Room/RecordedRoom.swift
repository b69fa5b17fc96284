import Bench
import Campaigns
import Conformance
import Foundation
import Judging

/// The lines of a room that somebody else drove, `room.jsonl`, to be played again without them.
struct RecordedRoom {
  private let lines: [[UInt8]]
  private let opening: RoomOpening

  /// Whether a file begins as a room does, and not as a session.
  static func isOne(_ path: String) -> Bool {
    // Whoever reads a session says what a pipe is that nobody writes to.
    guard !ScenarioFile.isWaitingPipe(path), let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    let start = (try? file.read(upToCount: RoomTable.lineLimit)) ?? Data()
    guard let line = start.split(separator: 0x0A, maxSplits: 1).first,
      let members = try? MessageMembers(octets: Array(line)), let name = try? members.text("name")
    else { return false }
    return name == RoomWord.room.rawValue
  }

  /// - Throws: `UsageProblem`: the file is no such one.
  init(_ path: String) throws {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw UsageProblem("\(path): no such file, or it cannot be read")
    }
    lines = data.split(separator: 0x0A).map(Array.init)
    guard let first = lines.first else { throw UsageProblem("\(path): the file is empty; a room begins with “room”") }
    do {
      opening = try RoomOpening(MessageMembers(octets: first), writes: false)
    } catch {
      throw UsageProblem("\(path):1: \(error.description)")
    }
  }

  var scenario: Scenario { opening.scenario }
  var fileName: String { opening.file.split(separator: "/").last.map(String.init) ?? opening.file }

  /// Plays it again. Lines that were refused then are refused now, and change nothing.
  /// - Throws: `UsageProblem`: the lines make no room with this build.
  func report(_ readers: [any TraceReader]) throws -> RunReport {
    do {
      let room = try PipedRoom(opening, readers: readers)
      _ = room.begin()
      for line in lines.dropFirst() {
        if Interruption.isRequested { break }
        try? answer(line, in: room)
      }
      _ = try room.finish([])
      if let report = room.report { return report }
    } catch {
      throw UsageProblem("room.jsonl: \(error.description)")
    }
    throw UsageProblem("room.jsonl: the room came to nothing")
  }

  private func answer(_ line: [UInt8], in room: PipedRoom) throws(MessageProblem) {
    let members = try MessageMembers(octets: line)
    switch RoomWord(rawValue: try members.text("name")) {
    case .advance: _ = try room.advance(members)
    case .act: _ = try room.act(members)
    case .ask: _ = try room.ask(members)
    case .room, .finish, nil: break
    }
  }
}
