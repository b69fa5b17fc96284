import Campaigns
import Conformance
import Foundation
import Judging

/// The file that a session is recorded in: each line is in it as soon as it is written.
final class SessionTape {
  let path: String
  private let sink: LiveFileSink
  private var failure: (any Error)?

  /// - Parameters:
  ///   - path: nil for a new file in the folder, or, without one, in the working directory.
  init(path: String?, folder: OutputFolder?) throws {
    self.path = path ?? folder?.path(of: "session.jsonl") ?? Self.newName()
    sink = try LiveFileSink(path: self.path)
  }

  func write(_ line: [UInt8]) {
    if failure != nil { return }
    do { try sink.write(line) } catch { failure = error }
  }

  /// - Throws: what kept the recording from being whole.
  func close() throws {
    if let failure { throw failure }
    try sink.close()
  }

  /// Nothing was played.
  func remove() { unlink(path) }

  /// Never the name of a session that somebody may still want.
  private static func newName() -> String {
    let names = (2...9_999).lazy.map { "session-\($0).jsonl" }
    if !FileManager.default.fileExists(atPath: "session.jsonl") { return "session.jsonl" }
    return names.first { !FileManager.default.fileExists(atPath: $0) } ?? "session.jsonl"
  }
}
