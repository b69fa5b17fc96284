import Foundation

/// A file system with little room.
enum SmallDisk {
  /// Runs the program with a folder `small` that has so many octets; what is left in it is copied to `copy`.
  /// - Returns: nil where the system mounts nothing for us, which is said.
  static func run(
    _ octets: Int, in folder: TemporaryFolder, _ arguments: [String]
  ) throws -> (status: Int32, errors: String)? {
    let words = ([Executable.url.path] + arguments).map { "'" + $0 + "'" }.joined(separator: " ")
    let script = """
      mkdir -p small && mount -t tmpfs -o size=\(octets) tmpfs small || exit 99
      \(words) > /dev/null
      status=$?
      cp -r small copy
      exit $status
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
    process.arguments = ["-m", "sh", "-c", script]
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    let errors = Pipe()
    process.standardError = errors
    var said = "unshare failed"
    if FileManager.default.isExecutableFile(atPath: "/usr/bin/unshare") {
      try process.run()
      said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
    }
    if said.contains("unshare failed") || process.terminationStatus == 99 {
      print("SKIPPED: no file system can be mounted; a full disk was not tried")
      return nil
    }
    return (process.terminationStatus, said)
  }
}
