package import Foundation
import Synchronization

/// The folder of `--out`. Files in it are `FileSink`s: each appears whole or not at all.
package struct OutputFolder: Sendable {
  package let path: String
  /// Where names are noted; nil: nobody asks.
  private let notes: Notes?
  /// How it is called in the folder that notes.
  private let prefix: String

  /// Creates the folder, and what leads to it.
  package init(creating path: String) throws { try self.init(creating: path, nil, "") }

  private init(creating path: String, _ notes: Notes?, _ prefix: String) throws {
    if path.isEmpty { throw BenchFailure("the name of a folder to write to is empty") }
    (self.path, self.notes, self.prefix) = (path, notes, prefix)
    var partial = path.hasPrefix("/") ? "/" : ""
    for name in path.split(separator: "/") {
      partial += name
      if mkdir(partial, 0o777) != 0, errno != EEXIST {
        throw BenchFailure("\(path): the folder cannot be made: \(String(cString: strerror(errno)))")
      }
      partial += "/"
    }
    if !FileManager.default.isFolder(path) {
      throw BenchFailure("\(path): this is a file, not a folder")
    }
  }

  /// Creates a folder that notes which files are asked for, in it and in the folders below.
  package init(noting path: String) throws { try self.init(creating: path, Notes(), "") }

  /// A folder inside this one.
  package func folder(_ name: String) throws -> OutputFolder {
    try OutputFolder(creating: path + "/" + name, notes, prefix + name + "/")
  }

  package func path(of name: String) -> String {
    notes?.add(prefix + name)
    return path + "/" + name
  }

  /// The path, for whoever writes files there under names of its own: all that is new there is noted.
  package var handedOver: String {
    notes?.handOver(prefix, path)
    return path
  }

  /// The files that were asked for since the last call, by their paths in the folder that notes.
  package func takeNoted() -> Set<String> { notes?.take() ?? [] }

  private final class Notes: Sendable {
    private struct HandedOver {
      var path: String
      /// What was there before.
      var known: Set<String>
    }

    private let all = Mutex<Set<String>>([])
    private let handedOver = Mutex<[String: HandedOver]>([:])

    func add(_ name: String) { _ = all.withLock { $0.insert(name) } }

    func handOver(_ prefix: String, _ path: String) {
      handedOver.withLock {
        if $0[prefix] == nil { $0[prefix] = HandedOver(path: path, known: Self.names(in: path)) }
      }
    }

    private static func names(in path: String) -> Set<String> {
      Set((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
    }

    func take() -> Set<String> {
      let new = handedOver.withLock { folders in
        folders.flatMap { prefix, folder in
          Self.names(in: folder.path).subtracting(folder.known).map { prefix + $0 }
        }
      }
      return all.withLock { all in
        defer { all = [] }
        return all.union(new)
      }
    }
  }
}

extension FileManager {
  /// Whether a path leads to a folder.
  package func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }
}

/// The bench's own fault: exit 3, never blamed on what was judged.
package struct BenchFailure: Error, CustomStringConvertible {
  package var description: String
  package init(_ description: String) { self.description = description }
}
