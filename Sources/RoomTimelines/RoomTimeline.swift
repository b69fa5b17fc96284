import Bench
import Bystanders
import Conformance
import Foundation
import Judging
import RunReports
public import VirtualRoom

/// A virtual room over time, as one page for a browser (Docs/timeline.md): the calls of its apps, what they were told,
/// values, links, and every PDU on the air.
///
/// ```swift
/// let room = VirtualRoom(seed: 7)
/// let timeline = RoomTimeline(of: room)
/// …
/// try timeline.keeping("out/chat.html") { try room.wait(within: .seconds(10)) { guest.app?.isConnected == true } }
/// ```
///
/// Watching a room changes nothing of it: its digest is the same. Memory grows with the room, up to 200 000 PDUs and
/// 500 000 records of what apps do.
public final class RoomTimeline {
  private let room: VirtualRoom
  private let reader = TimelineReader(of: .bystander)
  private let header = HeaderKeeper()

  /// Watches a room from its beginning.
  /// - Precondition: the room has not started.
  public init(of room: VirtualRoom) {
    precondition(!room.isStarted, "a timeline is made before the room starts")
    self.room = room
    room.readers += [reader, header]
  }

  /// Writes the page of what was seen so far.
  /// - Parameters:
  ///   - path: of the file; folders on the way are made.
  ///   - problem: what ended the test, which is marked with what led to it; nil: nothing did.
  /// - Throws: what kept the file from being complete.
  public func write(to path: String, after problem: RoomProblem? = nil) throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileSink.write(try page(after: problem), to: path)
  }

  /// Runs a part of a test, and leaves the page where it throws a `RoomProblem`; a line on standard error names it.
  /// - Throws: what the body throws.
  public func keeping<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let problem as RoomProblem {
      var line = "\(problem)\nnote: what led to it is in \(path)\n"
      do { try write(to: path, after: problem) } catch { line = "\(problem)\nnote: \(path) is not there: \(error)\n" }
      FileHandle.standardError.write(Data(line.utf8))
      throw problem
    }
  }

  /// The page, as `write` has it.
  func page(after problem: RoomProblem? = nil) throws -> [UInt8] {
    try TimelinePage(
      timeline: timeline(after: problem), title: title, verdict: problem == nil ? "room" : "fail",
      facts: ["seed \(room.seed)", "\(room.now) s"], repeatLine: "VirtualRoom(seed: \(room.seed))", file: "",
      version: "in a test"
    ).octets()
  }

  /// Who is in the room.
  private var title: String {
    let names = header.header?.devices.map(\.name) ?? []
    let most = 4
    return names.prefix(most).joined(separator: ", ") + (names.count > most ? " and \(names.count - most) more" : "")
  }

  func timeline(after problem: RoomProblem? = nil) -> RunTimeline {
    let trouble = problem.map { Trouble($0, in: header.header) }
    var timeline = reader.timeline([], scenario: nil, troubles: trouble.map { [$0] } ?? [])
    timeline.end = max(timeline.end, room.now)
    return timeline
  }
}

/// Keeps who is in the room.
private final class HeaderKeeper: TraceReader {
  private(set) var header: TraceHeader?
  func begin(_ header: TraceHeader) { self.header = header }
  func read(_ record: TraceRecord) {}
}
