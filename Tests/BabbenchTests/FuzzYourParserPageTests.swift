import Expectations
import Foundation
import Testing

/// The page for those who fuzz a parser of their own: its commands are run, and find what is planted in the examples.
@Suite("Docs/fuzz-your-parser.md", .serialized)
struct FuzzYourParserPageTests {
  /// The commands of the page, a block each.
  private static let blocks: [String] = {
    let text = (try? Repository.text("Docs/fuzz-your-parser.md")) ?? ""
    return text.components(separatedBy: "```sh\n").dropFirst().compactMap { $0.components(separatedBy: "\n```").first }
  }()

  private struct Ending {
    var status: Int32
    var output: String
  }

  /// Runs a block in a folder that looks like the root of the repository.
  private func run(_ script: String, in folder: TemporaryFolder) throws -> Ending {
    let tools = Executable.url.deletingLastPathComponent().path
    let files = FileManager.default
    if !files.fileExists(atPath: folder.path + "/Examples") {
      try files.createSymbolicLink(
        atPath: folder.path + "/Examples", withDestinationPath: Repository.path("Examples"))
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c", script.replacing("$PWD/", with: "").replacing(".build/release", with: tools),
    ]
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = tools + ":" + (environment["PATH"] ?? "")
    environment["AFL_SKIP_CPUFREQ"] = "1"
    environment["AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES"] = "1"
    environment["AFL_NO_UI"] = "1"
    process.environment = environment
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Ending(status: process.terminationStatus, output: text)
  }

  private func block(_ sign: String) throws -> String {
    let found = Self.blocks.filter { $0.contains(sign) }
    equal(found.count, 1, "\(sign)")
    return try required(found.first)
  }

  /// Nil, and a line about it, where a tool is not there.
  private func has(_ tool: String) -> Bool {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    if folders.contains(where: { FileManager.default.isExecutableFile(atPath: "\($0)/\(tool)") }) { return true }
    print("absent: \(tool); what the page says about it is not run")
    return false
  }

  @Test(
    "The planted bug of each example is found by the command of the page",
    arguments: Part.of(
      [
        ("clang", "--target readings.so", "SIGFPE in average_reading"),
        ("swiftc", "--target fragments.so", "in Fragments.Reassembler.receive"),
        ("python3", "stars.py", "stars.py:"), ("clang", "--program ./readings-loop", "was ended by SIGFPE"),
        ("clang", "--program-once", "was ended by SIGFPE"), ("python3", "--iut", "engine.py:"),
      ], 3))
  func found(tool: String, sign: String, cause: String) throws {
    guard has(tool) else { return }
    let folder = try TemporaryFolder()
    let ending = try run(try block(sign), in: folder)
    equal(ending.status, 1, "\(ending.output)")
    expect(ending.output.contains("found ") && ending.output.contains(cause), "\(ending.output)")
    let text = try run("cat findings/*/finding.txt", in: folder).output
    let line = try required(text.split(separator: "\n").last { $0.hasPrefix("repeat it: ") }?.dropFirst(11))
    let again = try run(String(line), in: folder)
    equal(again.status, 1, "\(line)\n\(again.output)")
  }

  @Test("The mutator is taken by libFuzzer, and finds the bug")
  func libFuzzer() throws {
    guard has("clang") else { return }
    let folder = try TemporaryFolder()
    _ = try run(try block("--draw").split(separator: "\n").dropFirst().joined(separator: "\n"), in: folder)
    let ending = try run(try block("-fsanitize=fuzzer Examples"), in: folder)
    expect(
      ending.output.contains("Custom") && ending.output.contains("Test unit written to ./crash-"), "\(ending.output)")
  }

  @Test("The mutator is taken by afl-fuzz, and finds the bug")
  func afl() throws {
    guard has("afl-fuzz"), has("afl-clang-fast") else { return }
    let folder = try TemporaryFolder()
    _ = try run(try block("--draw").split(separator: "\n").dropFirst().joined(separator: "\n"), in: folder)
    let ending = try run(try block("afl-fuzz -i"), in: folder)
    let crashes = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/afl/default/crashes")
    expect(crashes.contains { $0.hasPrefix("id:") }, "\(ending.output.suffix(4_000))")
  }
}
