import Foundation
import PlantedParsers

/// A planted parser under libFuzzer: its own mutators, coverage, an empty corpus, no grammar and no words.
struct LibFuzzerHunt {
  let parser: PlantedParser
  /// The longest input, octets.
  let limit: Int
  /// CPU seconds that one hunt may take.
  var budget: Double

  private static let program = Places.built.appending(path: "libfuzzer")
  private static let patience = 2

  struct Problem: Error, CustomStringConvertible {
    var description: String
  }

  /// Compiles the parsers with libFuzzer, with what it needs to see.
  static func build() throws {
    try FileManager.default.createDirectory(at: Places.built, withIntermediateDirectories: true)
    let folders = [Places.parsers, Places.coverage]
    let files = try folders.flatMap {
      try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
    }
    let sources = files.filter { $0.pathExtension == "swift" }.map(\.path).sorted()
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    compiler.arguments =
      ["swiftc", "-O", "-parse-as-library", "-swift-version", "6", "-sanitize=fuzzer", "-o", program.path] + sources
    try compiler.run()
    compiler.waitUntilExit()
    if compiler.terminationStatus != 0 { throw Problem(description: "swiftc cannot compile for libFuzzer") }
  }

  func hunt(seed: UInt64) throws -> Trial {
    let begun = CPUClock.seconds
    let process = Process()
    process.executableURL = Self.program
    process.arguments = [
      "-seed=\(seed)", "-max_len=\(limit)", "-max_total_time=\(Int(budget.rounded(.up)))", "-rss_limit_mb=512",
      "-timeout=\(Self.patience)", "-print_final_stats=1", "-artifact_prefix=\(Places.built.path)/",
    ]
    var environment = ProcessInfo.processInfo.environment
    environment["BUGBENCH_DEFECT"] = parser.id
    environment["SWIFT_BACKTRACE"] = "enable=no"
    process.environment = environment
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let executions = said.split(separator: "\n").last { $0.contains("number_of_executed_units") }
      .flatMap { $0.split(separator: " ").last.flatMap { Int($0) } }
    let isFound = process.terminationStatus != 0
    if executions == nil, !isFound { throw Problem(description: "libFuzzer said: \(said.suffix(500))") }
    return Trial(isFound: isFound, executions: executions ?? 0, seconds: CPUClock.seconds - begun)
  }
}
