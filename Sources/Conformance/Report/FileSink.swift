import Foundation

/// Where a stream of octets goes; a file, or memory in tests.
public protocol OctetSink: AnyObject {
  func write(_ octets: [UInt8]) throws
  /// Makes the whole visible under its name; nothing can be written afterwards.
  func close() throws
}

/// A file that appears under its name only when it is whole: written beside it, then renamed.
public final class FileSink: OctetSink {
  /// What went wrong, with the path.
  public struct Failure: Error, CustomStringConvertible {
    public var description: String
  }

  private let path: String
  private let temporaryPath: String
  private var handle: FileHandle?

  /// - Throws: `Failure` when the file cannot be made; its directory must exist.
  public init(path: String) throws {
    self.path = path
    temporaryPath = path + ".partial"
    guard FileManager.default.createFile(atPath: temporaryPath, contents: nil) else {
      throw Failure(description: "\(path): cannot be created")
    }
    guard let handle = FileHandle(forWritingAtPath: temporaryPath) else {
      throw Failure(description: "\(path): cannot be opened for writing")
    }
    self.handle = handle
  }

  public func write(_ octets: [UInt8]) throws {
    guard let handle else { throw Failure(description: "\(path): already closed") }
    do { try handle.write(contentsOf: octets) } catch {
      throw Failure(description: "\(path): cannot be written: \(error.localizedDescription)")
    }
  }

  public func close() throws {
    guard let handle else { return }
    self.handle = nil
    do {
      try handle.close()
      if rename(temporaryPath, path) != 0 { throw Failure(description: "\(path): cannot be renamed into place") }
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(description: "\(path): cannot be closed: \(error.localizedDescription)")
    }
  }

  deinit {
    // A sink that was never closed leaves nothing half written behind.
    if handle != nil { unlink(temporaryPath) }
  }

  /// Writes a whole file at once.
  public static func write(_ octets: [UInt8], to path: String) throws {
    let sink = try FileSink(path: path)
    try sink.write(octets)
    try sink.close()
  }
}

/// Keeps what is written; for tests and for output to a terminal.
public final class MemorySink: OctetSink {
  public private(set) var octets: [UInt8] = []
  public init() {}
  public func write(_ octets: [UInt8]) { self.octets.append(contentsOf: octets) }
  public func close() {}
}
