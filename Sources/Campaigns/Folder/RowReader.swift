import Foundation
import Judging

/// Reads a table line by line, in memory that does not grow with it.
package final class RowReader {
  package let path: String
  private var descriptor: Int32
  private var buffer: [UInt8] = []
  private var place = 0
  private var hasEnded = false

  private static let bufferSize = 1 << 16

  package init(path: String) throws {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { throw WholeFile.error("read", path) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The next line with its line feed; nil at the end.
  package func next() throws -> [UInt8]? {
    while true {
      if let end = buffer[place...].firstIndex(of: 0x0A) {
        defer { place = end + 1 }
        return Array(buffer[place...end])
      }
      if hasEnded { return place < buffer.count ? Array(buffer[place...]) : nil }
      buffer.removeFirst(place)
      place = 0
      try fill()
    }
  }

  private func fill() throws {
    var piece = [UInt8](repeating: 0, count: Self.bufferSize)
    let count = read(descriptor, &piece, piece.count)
    if count < 0, errno != EINTR { throw WholeFile.error("read", path) }
    if count == 0 { hasEnded = true }
    if count > 0 { buffer += piece.prefix(count) }
  }
}
