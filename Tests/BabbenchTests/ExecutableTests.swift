import AppSeam
import Campaigns
import Conformance
import Expectations
import Foundation
import Testing

@testable import Judging
@testable import Commands

/// The executable as a shell sees it: exit codes, streams, signals.
@Suite("The babbench executable", .shippedEdition)
struct ExecutableTests {
  @Test("What does nothing, waits for ever or is lost on its way out is no pass")
  func neverGreenByAccident() throws {
    let folder = try TemporaryFolder()
    try folder.write("devices: { host: {} }\n", to: "idle.yaml")
    for command in ["run", "validate"] {
      let idle = try Executable.run([command, folder.path + "/idle.yaml"])
      equal(idle.status, 64)
      expect(idle.errors.contains("idle.yaml:1:1: the scenario does nothing and expects nothing"))
    }
    let mutant = try required(protocols.mutants.first { $0.role.rawValue == "host" }).name
    try folder.write("devices: { client: { engine: \(mutant) } }\nsteps: [{ client: join }]\n", to: "roles.yaml")
    for command in ["run", "validate"] {
      let roles = try Executable.run([command, folder.path + "/roles.yaml"])
      equal(roles.status, 64)
      expect(
        roles.errors.contains("roles.yaml:1:30: engine “\(mutant)” is a host, and client is a client; "),
        "\(roles.errors)")
    }
    equal(mkfifo(folder.path + "/pipe.yaml", 0o600), 0)
    let pipe = try Executable.run(["validate", folder.path + "/pipe.yaml"])
    equal(pipe.status, 64)
    expect(pipe.errors.contains("pipe.yaml:1:1: this is a named pipe"))
    equal(mkfifo(folder.path + "/pipe.jsonl", 0o600), 0)
    for arguments in [["replay", "pipe.jsonl"], ["why", "pipe.jsonl"], ["diff", "pipe.jsonl", "two-peers"]] {
      let pipe = try Executable.run(arguments, folder: folder.path)
      expect(pipe.status == 64 && pipe.errors.contains("this is a named pipe"), "\(arguments): \(pipe.errors)")
    }
  }

  @Test("One request ends a wait for a pipe that nobody writes")
  func endsWaits() throws {
    let folder = try TemporaryFolder()
    equal(mkfifo(folder.path + "/pipe", 0o600), 0)
    let talk = try Executable.start(["calibrate", "pipe", "--name", "a"], folder: folder.path)
    Thread.sleep(forTimeInterval: 1)
    kill(talk.process.processIdentifier, SIGTERM)
    talk.process.waitUntilExit()
    equal(talk.process.terminationStatus, 130)
  }

  @Test("A result that standard output has no room for is no pass")
  func fullOutput() throws {
    let folder = try TemporaryFolder()
    let out = folder.path + "/out"
    try equal(Executable.run(["run", "two-peers", "--out", out]).status, 0)
    for arguments in [
      ["run", "two-peers"], ["list"], ["list", "--scenarios", "--plain"], ["schema"],
      ["inspect", out + "/air.pcapng", "--limit", "5"],
    ] {
      guard let full = FileHandle(forWritingAtPath: "/dev/full") else { return print("SKIPPED: no /dev/full here") }
      let process = Process()
      let errors = Pipe()
      process.executableURL = Executable.url
      process.arguments = arguments
      process.standardOutput = full
      process.standardError = errors
      try process.run()
      process.waitUntilExit()
      equal(process.terminationStatus, 3, "\(arguments)")
      equal(
        String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self),
        "error: standard output: No space left on device\n", "\(arguments)")
    }
  }

  @Test("Tells its version, and its help has examples and exit codes")
  func versionAndHelp() throws {
    let version = try Executable.run(["--version"])
    equal(version.status, 0)
    equal(version.output, "babbench \(BenchVersion.current)\n")
    let help = try Executable.run(["--help"])
    equal(help.status, 0)
    for word in ["EXAMPLES", "EXIT CODES", "run", "validate", "list", "packet", "130"] {
      expect(help.output.contains(word))
    }
    for command in ["run", "validate", "list", "packet"] {
      let text = try Executable.run([command, "--help"])
      equal(text.status, 0)
      expect(text.output.contains("EXAMPLES"), "babbench \(command) --help has no examples")
    }
    for shell in ["bash", "zsh", "fish"] {
      let script = try Executable.run(["--generate-completion-script", shell])
      equal(script.status, 0)
      expect(script.output.contains("check-determinism"))
    }
  }

  @Test(
    "A wrong command line is exit 64 with one message, and nothing on standard output",
    arguments: [
      ["run"], ["run", "x", "--frobnicate"], ["frobnicate"], ["run", "x", "--seed", "one"],
      ["run", "no-such-scenario"],
      ["run", "x", "--seeds", "5..1"], ["validate", "no/such/file.yaml"], ["packet", "decode", "--dialect", "klingon"],
    ])
  func usage(arguments: [String]) throws {
    let result = try Executable.run(arguments)
    equal(result.status, 64)
    expect(result.output.isEmpty)
    expect(!result.errors.isEmpty)
    expect(!result.errors.contains("Fatal"))
  }

  @Test("A near miss of an option or a scenario gets a suggestion")
  func suggestions() throws {
    try expect(Executable.run(["run", "x", "--check-determinsm"]).errors.contains("--check-determinism"))
    let folder = try TemporaryFolder()
    try folder.write("x", to: "Scenarios/two-peers.yaml")
    let result = try Executable.run(["run", "tow-peers"], folder: folder.path)
    equal(result.status, 64)
    expect(result.errors.contains("did you mean “two-peers”?"))
  }

  @Test("A pipe gets no colours, no progress and no control character")
  func plainOutput() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.twoPeers, to: "two.yaml")
    let result = try Executable.run(["run", folder.path + "/two.yaml"])
    equal(result.status, 0, "\(result.output)\(result.errors)")
    expect(result.errors.isEmpty)
    expect(!result.output.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    let lines = result.output.split(separator: "\n")
    expect(lines.contains("verdict pass"))
    equal(lines.last, "repeat babbench run \(folder.path)/two.yaml --seed 1")
  }

  @Test("A terminal gets colours, but never with NO_COLOR")
  func colours() throws {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/script") else {
      return print("skipped: /usr/bin/script is not there, so nothing was run on a terminal")
    }
    let folder = try TemporaryFolder()
    try folder.write(Self.twoPeers, to: "two.yaml")
    func onTerminal(_ environment: String) throws -> String {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/script")
      let command = "env \(environment) TERM=xterm \(Shell.quoted(Executable.url.path)) run two.yaml"
      process.arguments = ["-q", "-e", "-c", command, "/dev/null"]
      process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
      let output = Pipe()
      process.standardOutput = output
      process.standardInput = Pipe()
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      equal(process.terminationStatus, 0)
      return text
    }
    let green = "\u{1B}[32mpass"
    try expect(onTerminal("-u NO_COLOR").contains("verdict " + green))
    try expect(!onTerminal("NO_COLOR=1").contains(green))
  }

  @Test("The line that a run prints repeats it; another seed has another digest; captures and workers change nothing")
  func repeatable() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.twoPeers, to: "two.yaml")
    let scenario = folder.path + "/two.yaml"
    func digest(_ arguments: [String]) throws -> String {
      let result = try Executable.run(["run", scenario] + arguments)
      return try required(result.output.split(separator: "\n").first { $0.hasPrefix("digest ") }).description
    }
    let first = try digest(["--seed", "5"])
    try equal(digest(["--seed", "5"]), first)
    try equal(digest(["--seed", "5", "--out", folder.path + "/out"]), first)
    try equal(digest(["--seed", "5", "--check-determinism"]), first)
    try expect(digest(["--seed", "6"]) != first)
    try equal(digest(["--seeds", "1..4", "--jobs", "1"]), digest(["--seeds", "1..4", "--jobs", "3"]))
    try equal(
      folder.files(in: "out"),
      [
        ".babbench-files", "air.pcapng", "client.btsnoop", "host.btsnoop", "junit.xml", "result.json", "timeline.html",
        "trace.jsonl",
      ])
  }

  @Test("A faulty scenario is told with file, line and column")
  func faultyScenario() throws {
    let folder = try TemporaryFolder()
    try folder.write("devices:\n  host:\n    phoen: iphone\n", to: "typo.yaml")
    for arguments in [["run", "typo.yaml"], ["validate", "typo.yaml"]] {
      let result = try Executable.run(arguments, folder: folder.path)
      equal(result.status, 64)
      expect(result.errors.contains("typo.yaml:3:5: "))
      expect(result.errors.contains("phone"))
    }
  }

  @Test("An override that does not exist is told, and nothing runs")
  func faultyOverride() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.twoPeers, to: "two.yaml")
    let result = try Executable.run(["run", "two.yaml", "--set", "rdaio=ideal"], folder: folder.path)
    equal(result.status, 64)
    expect(result.output.isEmpty)
    expect(result.errors.contains("radio"))
  }

  @Test("Packets are answered line by line, before the pipe is closed, whatever octets they are")
  func packetConversation() throws {
    let talk = try Executable.start(["packet", "decode", "--dialect", "sdk", "--input", "text"])
    for line in [Array("{}".utf8), [0xFF, 0xFE, 0x00], [], Array(repeating: UInt8(ascii: "["), count: 100_000)] {
      try talk.input.write(contentsOf: Data(line + [UInt8(ascii: "\n")]))
      equal(talk.readLine()?.hasPrefix("REJECT "), true)
    }
    try talk.input.write(contentsOf: Data("last line without an end".utf8))
    try talk.input.close()
    equal(talk.readLine()?.hasPrefix("REJECT "), true)
    expect(talk.readLine() == nil)
    talk.process.waitUntilExit()
    equal(talk.process.terminationStatus, 0)
  }

  @Test("Interrupted, it completes the world it is in, begins no other, and exits with 130")
  func interruption() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.twoPeers, to: "two.yaml")
    let out = folder.path + "/out"
    let talk = try Executable.start(
      [
        "run", folder.path + "/two.yaml", "--seeds", "1..5000", "--jobs", "2", "--no-capture", "--keep", "all", "--out",
        out,
      ])
    defer { if talk.process.isRunning { kill(talk.process.processIdentifier, SIGKILL) } }
    while !FileManager.default.fileExists(atPath: out + "/seed-3/junit.xml") {
      try require(talk.process.isRunning)
      usleep(2_000)
    }
    talk.process.interrupt()
    let output = String(decoding: talk.readToEnd(), as: UTF8.self)
    talk.process.waitUntilExit()
    equal(talk.process.terminationReason, .exit)
    equal(talk.process.terminationStatus, 130)
    expect(output.contains(#/(^|\n)[0-9]+ of 5000 seeds run, [0-9]+ pass\ninterrupted: [0-9]+ seeds not begun\n/#))
    let junit = try folder.read("out/junit.xml")
    equal(junit.components(separatedBy: "<testcase ").count, 5_002)
    expect(junit.contains(#"<testcase name="all seeds""#) && junit.contains(" of 5000 seeds not begun"))
    expect(junit.contains(#"<skipped message="not begun: the run was interrupted"/>"#))
    for seed in try folder.files(in: "out") where seed.hasPrefix("seed-") {
      try equal(folder.files(in: "out/" + seed), ["junit.xml", "result.json", "trace.jsonl"])
    }
  }

  /// Whether a process has a handler for a signal by now.
  private func catches(_ signal: Int32, _ process: Process) throws -> Bool {
    let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
    let caught = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }?.split(separator: "\t").last
    return (caught.flatMap { UInt64($0, radix: 16) } ?? 0) >> UInt64(signal - 1) & 1 == 1
  }

  @Test(
    "SIGTERM ends long work as SIGINT does: what was found is written, and the exit code is 130",
    arguments: [
      (["stress", "two.yaml", "--seeds", "1..100000", "--out", "out"], "out/result.json"),
      (
        [
          "fuzz", "run", "two.yaml", "--when", "client in lobby", "--from", "client", "--executions", "1000000",
          "--out",
          "out",
        ], "out/result.json"
      ),
      (["fuzz", "parser", "--executions", "1000000000"], nil), (["selftest"], nil), (["physics"], nil),
    ])
  func termination(arguments: [String], file: String?) throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.twoPeers, to: "two.yaml")
    let talk = try Executable.start(arguments, folder: folder.path)
    defer { if talk.process.isRunning { Foundation.kill(talk.process.processIdentifier, SIGKILL) } }
    while try !catches(SIGTERM, talk.process) {
      try require(talk.process.isRunning)
      usleep(2_000)
    }
    Foundation.kill(talk.process.processIdentifier, SIGTERM)
    _ = talk.readToEnd()
    talk.process.waitUntilExit()
    expect(talk.process.terminationReason == .exit && talk.process.terminationStatus == 130)
    if let file {
      let text = try folder.read(file)
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(text.utf8)) }
    }
  }

  @Test("A signal ends a command that waits for a file to open", arguments: [SIGINT, SIGTERM])
  func interruptedOpening(signal: Int32) throws {
    let folder = try TemporaryFolder()
    equal(mkfifo(folder.path + "/air.pcap", 0o600), 0)
    let talk = try Executable.start(["check", "air.pcap"], folder: folder.path)
    defer { if talk.process.isRunning { Foundation.kill(talk.process.processIdentifier, SIGKILL) } }
    // As soon as it catches the signal, whether it has come to the pipe or not.
    while try !catches(signal, talk.process) { usleep(2_000) }
    Foundation.kill(talk.process.processIdentifier, signal)
    talk.process.waitUntilExit()
    expect(talk.process.terminationReason == .exit && talk.process.terminationStatus == 130)
  }

  @Test("The scenario that README shows runs and passes")
  func readmeScenario() throws {
    let readme = try Repository.text("README.md")
    let parts = readme.components(separatedBy: "```yaml\n")
    try require(parts.count == 2)
    let folder = try TemporaryFolder()
    try folder.write(parts[1].components(separatedBy: "```")[0], to: "readme.yaml")
    let result = try Executable.run(["run", "readme.yaml"], folder: folder.path)
    equal(result.status, 0, "\(result.output)\(result.errors)")
  }

  static let twoPeers = """
    summary: Two peers meet.
    devices:
      host: {}
      client: {at: [1, 0]}
    steps:
      - host: start hosting
      - client: join
    expect:
      - that: all clients in lobby
        within: 5s
    """
}

/// The built executable beside the tests.
enum Executable {
  struct Result {
    var status: Int32
    var output: String
    var errors: String
  }

  static let url = url(of: "babbench")

  /// What the build has put beside the tests.
  static func url(of program: String) -> URL {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    while folder.path != "/" {
      let candidate = folder.appendingPathComponent(program)
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isFolder), !isFolder.boolValue {
        return candidate
      }
      folder = folder.deletingLastPathComponent()
    }
    return folder
  }

  static func run(_ arguments: [String], folder: String? = nil, program: String = "babbench") throws -> Result {
    let talk = try start(arguments, folder: folder, program: program)
    try talk.input.close()
    let output = String(decoding: talk.readToEnd(), as: UTF8.self)
    let errors = String(decoding: talk.errors.readDataToEndOfFile(), as: UTF8.self)
    talk.process.waitUntilExit()
    return Result(status: talk.process.terminationStatus, output: output, errors: errors)
  }

  static func start(
    _ arguments: [String], folder: String? = nil, program: String = "babbench"
  ) throws -> Conversation {
    let process = Process()
    process.executableURL = program == "babbench" ? url : url(of: program)
    process.arguments = arguments
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    let (input, output, errors) = (Pipe(), Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    return Conversation(
      process: process, input: input.fileHandleForWriting, output: output.fileHandleForReading,
      errors: errors.fileHandleForReading)
  }

  final class Conversation {
    let process: Process
    let input: FileHandle
    let errors: FileHandle
    private let output: FileHandle
    private var pending = Data()

    init(process: Process, input: FileHandle, output: FileHandle, errors: FileHandle) {
      self.process = process
      self.input = input
      self.output = output
      self.errors = errors
    }

    /// The next line, or nil at the end.
    func readLine() -> String? {
      while true {
        if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
          let line = String(decoding: pending[..<end], as: UTF8.self)
          pending = Data(pending[(end + 1)...])
          return line
        }
        let more = output.availableData
        if more.isEmpty { return nil }
        pending += more
      }
    }

    func readToEnd() -> Data { pending + output.readDataToEndOfFile() }
  }
}
