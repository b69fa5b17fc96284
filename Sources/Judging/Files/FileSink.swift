import Foundation

/// Where a stream of octets goes; a file, or memory in tests.
public protocol OctetSink: AnyObject {
  func write(_ octets: [UInt8]) throws
  /// Makes the whole visible under its name; nothing can be written afterwards.
  func close() throws
}

/// A `WholeFile` as a sink: it appears under its name only when it is closed.
public final class FileSink: OctetSink {
  public typealias Failure = WholeFileError

  private let file: WholeFile

  /// - Throws: `Failure` when the file cannot be made; its directory must exist.
  public init(path: String) throws(Failure) { file = try WholeFile(path: path) }

  /// What the operating system refuses is said by `close`, so that writing never stops a run.
  public func write(_ octets: [UInt8]) {
    file.buffer.append(contentsOf: octets)
    file.flushWhenFull()
  }

  public func close() throws(Failure) { try file.finish() }

  /// Writes a whole file at once.
  public static func write(_ octets: [UInt8], to path: String) throws(Failure) {
    let sink = try FileSink(path: path)
    sink.write(octets)
    try sink.close()
  }
}

/// A file that grows while somebody reads it: each write is there at once, and there is no other name before the end.
public final class LiveFileSink: OctetSink {
  private let path: String
  private var descriptor: Int32

  public init(path: String) throws(WholeFileError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    if descriptor < 0 { throw WholeFile.error("open", path) }
  }

  deinit { if descriptor >= 0 { _ = Foundation.close(descriptor) } }

  public func write(_ octets: [UInt8]) throws {
    guard WholeWrite.write(octets, to: descriptor) else { throw WholeFile.error("write", path) }
  }

  public func close() throws {
    guard descriptor >= 0 else { return }
    defer { descriptor = -1 }
    if Foundation.close(descriptor) != 0 { throw WholeFile.error("close", path) }
  }
}
