import Foundation
import Judging

/// A table that grows while worlds are played, and that a later process may go on with.
///
/// It has its name once whoever writes it has come to an end; before, it is `<name>.partial`.
package final class RowFile {
  private let path: String
  private let partial: String
  private var descriptor: Int32
  private var buffer: [UInt8] = []
  /// Octets that were given to it so far.
  package private(set) var length: Int

  private static let bufferSize = 1 << 16

  /// - Parameter kept: octets of an earlier process that are gone on from; nil: it begins.
  /// - Throws: `WholeFileError`, and `NoResumption` when those octets are not there.
  package init(path: String, kept: Int?) throws {
    self.path = path
    partial = path + ".partial"
    length = kept ?? 0
    // A table that was finished is gone on with, too.
    if kept != nil, access(partial, F_OK) != 0 { _ = rename(path, partial) }
    descriptor = open(partial, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    if descriptor < 0 { throw WholeFile.error("open", partial) }
    let end = lseek(descriptor, 0, SEEK_END)
    if end < length {
      close(descriptor)
      descriptor = -1
      throw NoResumption(description: "\(partial): rows that an earlier run wrote are missing; choose another --out")
    }
    if ftruncate(descriptor, off_t(length)) != 0 || lseek(descriptor, off_t(length), SEEK_SET) < 0 {
      throw WholeFile.error("write", partial)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  package func append(_ text: String) throws {
    buffer.append(contentsOf: text.utf8)
    length += text.utf8.count
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// All that was appended is in the file.
  package func flush() throws {
    guard WholeWrite.write(buffer, to: descriptor) else { throw WholeFile.error("write", partial) }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Gives it its name.
  package func finish() throws {
    try flush()
    close(descriptor)
    descriptor = -1
    if rename(partial, path) != 0 { throw WholeFile.error("rename", partial) }
  }
}
