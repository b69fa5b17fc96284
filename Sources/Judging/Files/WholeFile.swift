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
package final class WholeFile {
  private static let bufferSize = 1 << 16

  let path: String
  private let temporaryPath: String
  private var descriptor: Int32
  private var failure: WholeFileError?
  /// Callers append whole records here and then call `flushWhenFull`.
  package var buffer: [UInt8] = []

  package init(path: String) throws(WholeFileError) {
    self.path = path
    temporaryPath = path + ".partial"
    descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    if descriptor < 0 { throw Self.error("open", temporaryPath) }
    buffer.reserveCapacity(Self.bufferSize + 1024)
  }

  deinit {
    if descriptor >= 0 {
      close(descriptor)
      unlink(temporaryPath)
    }
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
    if closed != 0 {
      let error = Self.error("close", temporaryPath)
      unlink(temporaryPath)
      throw error
    }
    if rename(temporaryPath, path) != 0 {
      let error = Self.error("rename to", path)
      unlink(temporaryPath)
      throw error
    }
  }

  private func flush() {
    var written = 0
    while failure == nil, written < buffer.count {
      let count = buffer.withUnsafeBytes { octets in
        write(descriptor, octets.baseAddress! + written, octets.count - written)
      }
      if count >= 0 {
        written += count
      } else if errno != EINTR {
        failure = Self.error("write", temporaryPath)
      }
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
