import Expectations
import Foundation
import Testing

@testable import Commands

/// The only part of `junit.xml` that depends on a clock.
enum JUnitTimes {
  static func without(_ data: Data) -> Data {
    Data(String(decoding: data, as: UTF8.self).replacing(#/ time="[0-9.]*"/#, with: "").utf8)
  }
}

/// Plays a run whole and in shards, and compares all files that both leave.
struct MergedFiles {
  let folder: TemporaryFolder
  /// The command, without `--out` and `--shard`.
  let words: [String]
  /// What makes one process play the same; nothing for commands that need no word for it.
  var whole: [String] = []
  /// Files that only one of them leaves.
  var own: [String] = []

  private var out: String { folder.path + "/whole" }

  /// - Returns: the shards' folders.
  func parts(_ count: Int, _ prefix: String = "part") throws -> [String] {
    try (1...count).map { number in
      let part = "\(folder.path)/\(prefix)-\(number)"
      let said = try Executable.run(words + ["--shard", "\(number)/\(count)", "--out", part])
      expect([0, 1, 2].contains(said.status), "\(said)")
      return part
    }
  }

  func merge(_ parts: [String], to out: String? = nil) throws -> Executable.Result {
    try Executable.run(["merge"] + parts + ["--out", out ?? self.out])
  }

  /// Both go to the same folder, one after the other: reports name files by it.
  /// - Returns: what one process said.
  @discardableResult
  func compare(_ count: Int) throws -> Executable.Result {
    let one = try Executable.run(words + whole + ["--out", out])
    let files = try tree()
    try FileManager.default.removeItem(atPath: out)
    let parts = try parts(count)
    // 2 1, and 3 4 5 2 1.
    let merged = try merge(parts[(count / 2)...] + parts[..<(count / 2)].reversed())
    expect(merged.status == one.status && merged.output == one.output, "\(one)\(merged)")
    let others = try tree()
    equal(files.keys.sorted(), others.keys.sorted())
    expect(!files.isEmpty)
    for (name, text) in files { equal(others[name], text, "\(name)") }
    return one
  }

  /// All files of the whole by their names, without what depends on a clock.
  private func tree() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: out) {
      var isFolder: ObjCBool = false
      let path = out + "/" + name
      _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      if isFolder.boolValue || own.contains(where: name.hasPrefix) { continue }
      var data = try required(FileManager.default.contents(atPath: path))
      switch name {
      case "result.json": try cut(&data, from: "\"wallTimes\"", to: "}")
      case "report.html": try cut(&data, from: "<p class=\"sub\">", to: "</p>")
      case "index.html": try cut(&data, from: "<footer>", to: "</footer>")
      case "junit.xml": data = JUnitTimes.without(data)
      default: break
      }
      files[name] = data
    }
    return files
  }

  private func cut(_ data: inout Data, from start: String, to end: String) throws {
    let first = try required(data.range(of: Data(start.utf8)))
    let last = try required(data.range(of: Data(end.utf8), in: first.upperBound..<data.endIndex))
    data.removeSubrange(first.lowerBound..<last.upperBound)
  }
}
