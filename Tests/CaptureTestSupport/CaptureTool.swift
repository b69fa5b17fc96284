import Foundation

/// A program of another project that judges our files.
package enum CaptureTool: String {
  case tshark, btmon

  /// Where it is; says so when it is nowhere. CI installs both.
  package static let tsharkPath = find(.tshark)
  package static let btmonPath = find(.btmon)

  private static func find(_ tool: CaptureTool) -> String? {
    let path = ["/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + tool.rawValue }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
    if path == nil { print("SKIPPED: \(tool.rawValue) is not installed; captures are not judged by it") }
    return path
  }

  /// What the program prints; its exit code must be 0.
  package static func run(_ path: String?, _ arguments: [String]) throws -> String {
    guard let path else { throw CocoaError(.fileNoSuchFile) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableNotLoadable) }
    return String(decoding: data, as: UTF8.self)
  }

  /// One line per packet, one column per field.
  package static func fields(_ file: String, _ fields: [String], filter: String? = nil) throws -> [[String]] {
    let filterArguments = filter.map { ["-Y", $0] } ?? []
    let arguments = ["-r", file, "-T", "fields"] + filterArguments + fields.flatMap { ["-e", $0] }
    return try run(tsharkPath, arguments).split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }
}
