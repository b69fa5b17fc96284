import Foundation
import Judging

/// The shards of one run, each once, in their order.
package struct ShardSet {
  /// Why they are no run.
  package struct Refusal: Error, CustomStringConvertible {
    package var description: String
    package init(description: String) { self.description = description }
  }

  package struct Part {
    package var folder: String
    package var note: ShardNote

    package func path(of name: String) -> String { folder + "/" + name }
  }

  package let parts: [Part]
  package var command: ShardNote.Command { parts[0].note.command }

  /// - Parameter out: where the whole is going to be written.
  /// - Throws: `Refusal`.
  package init(_ folders: [String], out: String) throws(Refusal) {
    var parts: [Part] = []
    for folder in folders {
      let part = Part(folder: folder, note: try Self.note(in: folder))
      if Self.isSame(folder, out) { throw Refusal(description: "\(out): --out is the folder of a shard") }
      parts.append(part)
    }
    self.parts = parts.sorted { $0.note.shard.number < $1.note.shard.number }
    for part in parts.dropFirst() { try Self.check(part, with: parts[0]) }
    try checkNumbers()
    for part in self.parts where !part.note.isWhole {
      let note = part.note
      let hint =
        switch note.command {
        case .stress, .fuzzRun, .explore: "the same command with --resume goes on"
        case .conform, .selftest: "run it again"
        }
      let missing = note.size > 0 ? ", \(note.missing) of \(note.size) \(note.unit) missing" : ""
      throw Refusal(description: "\(part.folder): shard \(note.shard) is not whole\(missing); \(hint)")
    }
    for part in self.parts {
      for (name, digest) in (part.note.files ?? [:]).sorted(by: { $0.key < $1.key })
      where FileManager.default.fileExists(atPath: part.path(of: name)) {
        if ShardNote.digest(of: part.path(of: name)) == digest { continue }
        throw Refusal(
          description: "\(part.path(of: name)): the file has changed since the shard ended; run the shard again")
      }
    }
    guard parts[0].note.babbench == BenchVersion.current else {
      throw Refusal(
        description:
          "\(parts[0].folder): babbench \(parts[0].note.babbench) wrote this, and this is \(BenchVersion.current)")
    }
  }

  private static func note(in folder: String) throws(Refusal) -> ShardNote {
    let path = folder + "/" + ShardNote.file
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Refusal(description: "\(path): the file cannot be read; a shard is the --out of a command with --shard")
    }
    // Another version may have other members, or other commands.
    struct Version: Decodable { var version: Int }
    guard let version = try? JSONDecoder().decode(Version.self, from: data) else {
      throw Refusal(description: "\(path): this is no shard of babbench")
    }
    guard version.version == ShardNote.version, let note = try? JSONDecoder().decode(ShardNote.self, from: data),
      Shard(note.shard.description) != nil
    else { throw Refusal(description: "\(path): this is of another version of babbench, or damaged") }
    return note
  }

  private static func isSame(_ a: String, _ b: String) -> Bool {
    let paths = [a, b].map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().standardizedFileURL.path }
    return paths[0] == paths[1]
  }

  private static func check(_ part: Part, with first: Part) throws(Refusal) {
    let (own, other) = (part.note, first.note)
    func refuse(_ difference: String) -> Refusal {
      Refusal(description: "\(part.folder): this is a shard of another run than \(first.folder): \(difference)")
    }
    if own.command != other.command { throw refuse("\(own.command.rawValue), not \(other.command.rawValue)") }
    if own.babbench != other.babbench { throw refuse("of babbench \(own.babbench), not \(other.babbench)") }
    if own.line != other.line { throw refuse("\(own.line), not \(other.line)") }
    let names = Set(own.inputs.keys).union(other.inputs.keys).sorted()
    if let name = names.first(where: { own.inputs[$0] != other.inputs[$0] }) { throw refuse("\(name) is not the same") }
    if own.shard.count != other.shard.count {
      throw refuse("shard \(own.shard), and the other one is \(other.shard)")
    }
  }

  private func checkNumbers() throws(Refusal) {
    for (part, next) in zip(parts, parts.dropFirst()) where part.note.shard == next.note.shard {
      throw Refusal(description: "\(next.folder): shard \(next.note.shard) is there twice, first in \(part.folder)")
    }
    let count = parts[0].note.shard.count
    let present = Set(parts.map(\.note.shard.number))
    let missing = (1...count).filter { !present.contains($0) }
    if missing.isEmpty { return }
    let named = missing.prefix(5).map { "\($0)/\(count)" }.joined(separator: ", ")
    throw Refusal(
      description: "shard \(named)" + (missing.count > 5 ? " and \(missing.count - 5) more" : "") + " is missing")
  }

  /// What each of them came to, in their order.
  package func payloads<Payload: Decodable>(_ kind: Payload.Type) throws(Refusal) -> [Payload] {
    var payloads: [Payload] = []
    for part in parts {
      let path = part.path(of: CampaignFolder.part)
      guard let data = FileManager.default.contents(atPath: path),
        let payload = try? JSONDecoder().decode(Payload.self, from: data)
      else { throw damage(path) }
      payloads.append(payload)
    }
    return payloads
  }

  /// What is wrong with a file that a shard of this version is bound to have.
  package func damage(_ path: String) -> Refusal { Refusal(description: "\(path): the file is missing or damaged") }

  /// Refuses where files that are to be copied are missing, or not in the folder of their shard.
  /// - Parameter names: of the files, by the index of their shard.
  package func checkFiles(_ names: [(part: Int, name: String)]) throws(Refusal) {
    for (part, name) in names {
      let path = parts[part].path(of: name)
      let isInside = !name.split(separator: "/").contains("..")
      if !isInside || !FileManager.default.isReadableFile(atPath: path) { throw damage(path) }
    }
  }

  /// Copies a file of a shard to the same place of the whole.
  package func copy(_ name: String, of part: Int, to output: OutputFolder) throws {
    if let end = name.lastIndex(of: "/") { _ = try output.folder(String(name[..<end])) }
    let path = parts[part].path(of: name)
    guard let data = FileManager.default.contents(atPath: path) else { throw damage(path) }
    try FileSink.write([UInt8](data), to: output.path(of: name))
  }
}
