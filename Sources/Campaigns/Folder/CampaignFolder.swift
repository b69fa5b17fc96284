import Foundation
import Judging

/// The `--out` of a campaign: its files, what it is a shard of, and how far it is.
///
/// What an earlier campaign has left there goes when a new one begins, so that no file is read as the outcome of a
/// campaign that has not written it; one that resumes finds all of it again. Files of others stay (`MadeFiles`).
///
/// Only touched by one thread at a time; files may be asked for on any.
package final class CampaignFolder: @unchecked Sendable {
  /// `part.json`: what a shard came to, for `babbench merge` only.
  package static let part = "part.json"

  package let output: OutputFolder
  /// From where `--resume` goes on; nil: the campaign has none.
  package let state: StateFile?
  private let made: MadeFiles
  private let note: ShardNote?
  /// Names that were asked for, and of which there was no file when the list was written last.
  private var pending: Set<String> = []

  /// Creates the folder and begins.
  ///
  /// - Parameters:
  ///   - note: what it is a shard of; nil: it is a whole.
  ///   - plan: the command line that begins the campaign, without how far it goes; nil: it cannot be resumed.
  ///   - resumes: whether it goes on with what is there.
  ///   - inputs: files that the campaign reads, which stay wherever they are.
  package init(
    _ path: String, shard note: ShardNote? = nil, plan: [String]? = nil, resumes: Bool = false, inputs: [String] = []
  ) throws {
    output = try OutputFolder(noting: path)
    made = try MadeFiles(in: path, clears: !resumes, besides: inputs)
    self.note = note
    state = plan.map { [output] in StateFile(in: output, plan: $0, goesOn: resumes) }
    for name in [ShardNote.file, Self.part] { try? FileManager.default.removeItem(atPath: output.path(of: name)) }
    if let note { try write(note, to: ShardNote.file) }
  }

  /// Lists what was written, and says how much of a shard is here, after everything else is written.
  /// - Parameter part: what a shard came to, for `babbench merge`, asked for only where it is one; nil: its files say
  ///   it.
  package func end(_ ending: CampaignEnding, part: @autoclosure () -> (any Encodable)? = nil) throws {
    if note != nil, let part = part() { try write(part, to: Self.part) }
    // Rows that a later process may go on from have no name of their own yet.
    try list { [$0, $0 + ".partial"] }
    if var note {
      let names = made.names.filter { $0 != ShardNote.file && $0 != StateFile.name }
      note.files = Dictionary(uniqueKeysWithValues: names.map { ($0, ShardNote.digest(of: output.path + "/" + $0)) })
      if note.size == 0 { note.size = ending.asked }
      note.missing = ending.missing
      note.isWhole = ending.missing == 0
      try write(note, to: ShardNote.file)
      try list { [$0] }
    }
    try made.complete()
  }

  /// Lists what is there by now, so that it goes even if this process is killed. `end` does it, too.
  package func list() throws { try list { [$0] } }

  private func list(_ forms: (String) -> [String]) throws {
    pending.formUnion(output.takeNoted())
    let names = pending.flatMap(forms).filter { MadeFiles.isFile(output.path + "/" + $0) }
    pending.subtract(names)
    try made.list(names.sorted())
  }

  private func write(_ value: some Encodable, to name: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try FileSink.write([UInt8](try encoder.encode(value)) + [0x0A], to: output.path(of: name))
  }
}
