import Foundation

/// Why a file could not be written.
public struct WholeFileError: Error, Hashable, Sendable, CustomStringConvertible {
  public var path: String
  /// What was tried: open, write, close, rename or make the folder.
  public var operation: String
  /// What the operating system said.
  public var reason: String

  public init(path: String, operation: String, reason: String) {
    self.path = path
    self.operation = operation
    self.reason = reason
  }

  public var description: String { "cannot \(operation) \(path): \(reason)" }
}

/// A file that exists under its name only when it is whole.
///
/// Octets are collected in a buffer of bounded size and written under `<path>.partial`; `finish` gives the file its
/// name. A file that was not finished is removed. After a failure nothing more is written, and `finish` says what
/// failed.
///
/// A symbolic link stays one: what it leads to is written. What exists and is no regular file (a device, a named pipe,
/// standard output) is nothing that could be replaced, and is written as it is.
package final class WholeFile {
  private static let bufferSize = 1 << 16

  let path: String
  /// Where it goes, with symbolic links followed.
  private let target: String
  /// Where octets are written meanwhile; nil: into the target itself.
  private let temporaryPath: String?
  private var descriptor: Int32
  private var failure: WholeFileError?
  /// Callers append whole records here and then call `flushWhenFull`.
  package var buffer: [UInt8] = []

  package init(path: String) throws(WholeFileError) {
    self.path = path
    let isReplaced = Self.isReplaced(path)
    target = isReplaced ? Self.followingLinks(path) : path
    temporaryPath = isReplaced ? target + ".partial" : nil
    descriptor =
      isReplaced
      ? open(target + ".partial", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
      : open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
    if descriptor < 0 { throw Self.error("open", temporaryPath ?? path) }
    buffer.reserveCapacity(Self.bufferSize + 1024)
  }

  deinit {
    if descriptor >= 0 {
      close(descriptor)
      if let temporaryPath { unlink(temporaryPath) }
    }
  }

  /// Whether a new file may take the place of what is there. What a descriptor of this process has open is not to be
  /// replaced either: others write there too.
  private static func isReplaced(_ path: String) -> Bool {
    if ["/dev/fd/", "/dev/std", "/proc/"].contains(where: path.hasPrefix) { return false }
    var status = stat()
    if stat(path, &status) == 0 { return status.st_mode & S_IFMT == S_IFREG }
    // A circle of links leads nowhere.
    return errno != ELOOP
  }

  /// Where a path leads by symbolic links, whether or not there is a file.
  private static func followingLinks(_ path: String) -> String {
    var path = path
    while let link = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
      path = link.hasPrefix("/") ? link : (path.lastIndex(of: "/").map { String(path[...$0]) } ?? "") + link
    }
    return path
  }

  package func flushWhenFull() {
    if buffer.count >= Self.bufferSize { flush() }
  }

  /// Writes what is left and gives the file its name. Calling it again does nothing.
  package func finish() throws(WholeFileError) {
    if descriptor < 0 { return }
    flush()
    if let failure { throw failure }
    let closed = close(descriptor)
    descriptor = -1
    guard let temporaryPath else {
      if closed != 0 { throw Self.error("close", path) }
      return
    }
    if closed != 0 {
      let error = Self.error("close", temporaryPath)
      unlink(temporaryPath)
      throw error
    }
    if rename(temporaryPath, target) != 0 {
      let error = Self.error("rename to", path)
      unlink(temporaryPath)
      throw error
    }
  }

  private func flush() {
    if failure == nil, !WholeWrite.write(buffer, to: descriptor) {
      failure = Self.error("write", temporaryPath ?? path)
    }
    buffer.removeAll(keepingCapacity: true)
  }

  package static func makeFolder(_ path: String) throws(WholeFileError) {
    if mkdir(path, 0o755) != 0, errno != EEXIST { throw error("make the folder", path) }
  }

  package static func error(_ operation: String, _ path: String) -> WholeFileError {
    WholeFileError(path: path, operation: operation, reason: String(cString: strerror(errno)))
  }
}
