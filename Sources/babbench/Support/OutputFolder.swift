import Conformance
import Foundation

/// The folder of `--out`. Files in it are `FileSink`s: each appears whole or not at all.
struct OutputFolder: Sendable {
  let path: String

  /// Creates the folder, and what leads to it.
  init(creating path: String) throws {
    self.path = path
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw BenchFailure("\(path): the folder cannot be made: \(error.localizedDescription)")
    }
  }

  /// A folder inside this one.
  func folder(_ name: String) throws -> OutputFolder { try OutputFolder(creating: path + "/" + name) }

  func path(of name: String) -> String { path + "/" + name }
}
