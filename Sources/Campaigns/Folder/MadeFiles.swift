import Foundation
import Judging

/// The files in a folder of `--out` and below, as far as babbench made them: a list in that folder.
///
/// The next run into the same folder takes away what is listed, so that no case is left over that it did not have. A
/// file that is not listed is somebody else's: neither it nor its folder is touched.
package final class MadeFiles: @unchecked Sendable {
  /// The name of the list: a path relative to the folder in each line.
  package static let list = ".babbench-files"

  private let root: String
  // Only touched under the lock.
  private let lock = NSLock()

  /// Takes away what an earlier run has listed, and begins with an empty list.
  /// - Parameters:
  ///   - clears: else nothing is taken away, and the list grows.
  ///   - kept: files that are about to be read, which stay.
  package init(in root: String, clears: Bool = true, besides kept: [String] = []) throws {
    self.root = root
    let path = root + "/" + Self.list
    guard clears, let octets = FileManager.default.contents(atPath: path) else { return }
    let names = String(decoding: octets, as: UTF8.self).split(separator: "\n").map(String.init).filter(Self.isBelow)
    let spared = Set(kept.map(Self.resolved))
    for name in names where !leavesRoot(name) && !spared.contains(Self.resolved(root + "/" + name)) {
      Self.remove(root + "/" + name)
    }
    var folders: Set<String> = []
    for name in names {
      var parts = name.split(separator: "/").dropLast()
      while !parts.isEmpty {
        folders.insert(parts.joined(separator: "/"))
        parts = parts.dropLast()
      }
    }
    // The deepest first; one that holds a foreign file stays.
    for folder in folders.sorted(by: { ($0.count, $0) > ($1.count, $1) }) where !leavesRoot(folder + "/") {
      rmdir(root + "/" + folder)
    }
    if unlink(path) != 0 {
      throw WholeFileError(path: path, operation: "remove", reason: String(cString: strerror(errno)))
    }
  }

  /// Lists files by their paths in the folder.
  package func list(_ names: [String]) throws {
    let new = names.filter { !$0.contains("\n") }
    if new.isEmpty { return }
    lock.lock()
    defer { lock.unlock() }
    let path = root + "/" + Self.list
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    if descriptor < 0 { throw WholeFileError(path: path, operation: "open", reason: String(cString: strerror(errno))) }
    defer { close(descriptor) }
    let octets = Array(new.map { $0 + "\n" }.joined().utf8)
    if write(descriptor, octets, octets.count) != octets.count {
      throw WholeFileError(path: path, operation: "write", reason: String(cString: strerror(errno)))
    }
  }

  /// The files that are listed and there.
  package var names: [String] {
    lock.lock()
    defer { lock.unlock() }
    let octets = FileManager.default.contents(atPath: root + "/" + Self.list) ?? Data()
    let names = Set(String(decoding: octets, as: UTF8.self).split(separator: "\n").map(String.init))
    return names.filter { Self.isFile(root + "/" + $0) }.sorted()
  }

  /// Puts the list in order, so that equal runs leave equal lists whatever was ready first.
  package func complete() throws {
    let path = root + "/" + Self.list
    guard let octets = FileManager.default.contents(atPath: path) else { return }
    let lines = String(decoding: octets, as: UTF8.self).split(separator: "\n")
    try FileSink.write(Array(Set(lines).sorted().map { $0 + "\n" }.joined().utf8), to: path)
  }

  /// Whether there is a file that is one: no folder, and nothing that a link leads to.
  static func isFile(_ path: String) -> Bool { kind(path) == S_IFREG }

  /// Removes a file that is one: no folder, and nothing that a link leads to.
  package static func remove(_ path: String) { if isFile(path) { unlink(path) } }

  private static func resolved(_ path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
  }

  /// Whether a line of the list can be a path below the folder.
  private static func isBelow(_ name: String) -> Bool {
    !name.hasPrefix("/")
      && name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
        !part.isEmpty && part != "." && part != ".."
      }
  }

  /// Whether a folder on the way to a file is a link, and leads elsewhere.
  private func leavesRoot(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return parts.indices.contains { Self.kind(root + "/" + parts[...$0].joined(separator: "/")) == S_IFLNK }
  }

  /// What a file itself is, not what a link leads to; nil: there is none.
  private static func kind(_ path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }
}
