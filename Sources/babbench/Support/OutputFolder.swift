import Foundation

/// The folder of `--out`: every file in it appears whole or not at all.
///
/// A file is written under a hidden name beside its place and moved there when it is complete.
struct OutputFolder {
  let path: String

  /// Creates the folder, and what leads to it.
  init(creating path: String) throws {
    self.path = path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// A folder inside this one.
  func folder(_ name: String) throws -> OutputFolder { try OutputFolder(creating: path + "/" + name) }

  /// Writes a whole file at once.
  func write(_ octets: [UInt8], as name: String) throws {
    let file = try stream(name)
    file.append(octets)
    try file.commit()
  }

  /// Opens a file that grows while the run goes on; nobody sees it before `commit`.
  func stream(_ name: String) throws -> GrowingFile { try GrowingFile(folder: path, name: name) }
}

/// A file that is not there until it is complete.
final class GrowingFile {
  private static let flushSize = 1 << 18
  private let hiddenPath: String
  private let finalPath: String
  private var handle: FileHandle?
  private var pending: [UInt8] = []
  private var failure: (any Error)?

  fileprivate init(folder: String, name: String) throws {
    hiddenPath = folder + "/." + name + ".part"
    finalPath = folder + "/" + name
    guard FileManager.default.createFile(atPath: hiddenPath, contents: nil),
      let handle = FileHandle(forWritingAtPath: hiddenPath)
    else { throw OutputError(path: finalPath, reason: "cannot be written") }
    self.handle = handle
  }

  deinit {
    if handle != nil {
      try? handle?.close()
      try? FileManager.default.removeItem(atPath: hiddenPath)
    }
  }

  /// Adds octets; a failure is kept until `commit`, since a reader of the trace cannot throw.
  func append(_ octets: [UInt8]) {
    pending.append(contentsOf: octets)
    if pending.count >= Self.flushSize { flush() }
  }

  /// Moves the complete file to its place, over what stood there.
  func commit() throws {
    flush()
    guard let handle, failure == nil else {
      throw OutputError(path: finalPath, reason: failure.map { "\($0)" } ?? "was closed before")
    }
    try handle.close()
    self.handle = nil
    guard rename(hiddenPath, finalPath) == 0 else {
      try? FileManager.default.removeItem(atPath: hiddenPath)
      throw OutputError(path: finalPath, reason: String(cString: strerror(errno)))
    }
  }

  private func flush() {
    defer { pending.removeAll(keepingCapacity: true) }
    guard let handle, failure == nil, !pending.isEmpty else { return }
    do { try handle.write(contentsOf: Data(pending)) } catch { failure = error }
  }
}

/// A file that could not be written: the fault of the bench's surroundings, so exit 3.
struct OutputError: Error, CustomStringConvertible {
  var path: String
  var reason: String
  var description: String { "\(path): \(reason)" }
}
