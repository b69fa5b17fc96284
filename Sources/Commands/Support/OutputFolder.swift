import Conformance
import Foundation

/// The folder of `--out`. Files in it are `FileSink`s: each appears whole or not at all.
struct OutputFolder: Sendable {
  let path: String

  /// Creates the folder, and what leads to it.
  init(creating path: String) throws {
    self.path = path
    var partial = path.hasPrefix("/") ? "/" : ""
    for name in path.split(separator: "/") {
      partial += name
      if mkdir(partial, 0o777) != 0, errno != EEXIST {
        throw BenchFailure("\(path): the folder cannot be made: \(String(cString: strerror(errno)))")
      }
      partial += "/"
    }
    var isFolder: ObjCBool = false
    if !FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) || !isFolder.boolValue {
      throw BenchFailure("\(path): this is a file, not a folder")
    }
  }

  /// A folder inside this one.
  func folder(_ name: String) throws -> OutputFolder { try OutputFolder(creating: path + "/" + name) }

  func path(of name: String) -> String { path + "/" + name }
}
