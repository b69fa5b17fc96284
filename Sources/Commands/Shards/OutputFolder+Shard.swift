import Foundation
import Judging

extension OutputFolder {
  /// `part.json`: what a shard came to, for `babbench merge` only.
  static let part = "part.json"

  /// Says what is going to be in this folder, and that nothing of it is there yet.
  /// - Parameter note: nil where this is no shard: then it says so, whatever was here before.
  func begin(_ note: ShardNote?) throws {
    for name in [ShardNote.file, Self.part] { try? FileManager.default.removeItem(atPath: path(of: name)) }
    guard let note else { return }
    try write(note, to: ShardNote.file)
  }

  /// Says how much of a shard is here, after everything else is written.
  func end(_ note: ShardNote, missing: Int) throws {
    var note = note
    note.missing = missing
    note.isWhole = missing == 0
    try write(note, to: ShardNote.file)
  }

  func end(_ note: ShardNote, missing: Int, part: some Encodable) throws {
    try write(part, to: Self.part)
    try end(note, missing: missing)
  }

  private func write(_ value: some Encodable, to name: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try FileSink.write([UInt8](try encoder.encode(value)) + [0x0A], to: path(of: name))
  }
}
