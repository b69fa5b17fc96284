import ArgumentParser
import Campaigns
import Foundation
import Judging

/// `babbench watch`: plays a command again when a file changes that it reads.
struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Play a command again whenever a file changes.",
    discussion: """
      Plays the command, and again after each change of a file that is named in it, of the folder of a description or
      scenario that is named in it, or of what --on names. Files that the command writes (--out, --summary and so on)
      are not looked at. Ctrl-C ends it.

      EXAMPLES:
        babbench watch -- conform --iut my-host.yaml --fail-fast
        babbench watch --on . -- run my-scenario.yaml --seeds 1..20

      EXIT CODES:
        130         interrupted, as it ends as a rule
        else        with --times: that of the last time
      """)

  /// More files than these are nobody's source; the first ones are looked at.
  static let fileLimit = 20_000
  /// Folders that tools fill.
  private static let skipped: Set<String> = ["node_modules", "__pycache__", "build", "target", "venv"]

  @Option(help: ArgumentHelp("Look at this file or folder too; may be repeated.", valueName: "path"))
  var on: [String] = []

  @Option(help: ArgumentHelp("End after playing it this many times.", valueName: "count"))
  var times: Int?

  @Argument(parsing: .postTerminator, help: "The command of babbench and its options, after --.")
  var command: [String] = []

  func validate() throws {
    if command.isEmpty {
      throw ValidationError("a command is missing; write it after --: babbench watch -- run mine.yaml")
    }
    if command[0] == "watch" { throw ValidationError("watch does not watch itself; write another command after --") }
    if let times, times < 1 { throw ValidationError("--times must be at least 1") }
    for path in on where !FileManager.default.fileExists(atPath: path) {
      throw ValidationError("--on: \(path): no such file or folder")
    }
  }

  func run() throws {
    Interruption.install()
    throw ArgumentParser.ExitCode(try watch())
  }

  private func watch() throws -> Int32 {
    let watched = WatchedFiles(command: command, on: on)
    guard !watched.roots.isEmpty else {
      throw ValidationError("the command names no file that is there; write --on with what to look at")
    }
    var count = 0
    while true {
      let before = watched.state(limit: Self.fileLimit, skipping: Self.skipped)
      let code = try play()
      count += 1
      if Interruption.isRequested { return Interruption.exitCode }
      if count == times { return code }
      Console.complain("watch: exit \(code); waiting for a change of \(watched.words)")
      // What changed during the run counts.
      while watched.state(limit: Self.fileLimit, skipping: Self.skipped) == before {
        usleep(200_000)
        if Interruption.isRequested { return Interruption.exitCode }
      }
      // Editors write in several steps.
      usleep(100_000)
    }
  }

  /// The command in a process of its own, which gets Ctrl-C as this one does.
  private func play() throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = command
    try process.run()
    while process.isRunning {
      usleep(20_000)
      if Interruption.isRequested { process.terminate() }
    }
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
  }
}

/// What `watch` looks at: names of files and folders, and what of them changed.
struct WatchedFiles {
  /// Options whose value the command writes.
  private static let written: Set<String> = [
    "--out", "--summary", "--code-quality", "--html", "--junit", "--json", "--perfetto", "--output",
  ]

  /// Files and folders.
  private(set) var roots: [String] = []
  /// Folders and files that the command writes.
  private var outputs: [String] = []

  init(command: [String], on: [String]) {
    var isWritten = false
    // The first word is the command's name, whatever files are called so.
    for word in command.dropFirst() {
      let value = word.hasPrefix("--") ? word.firstIndex(of: "=").map { String(word[word.index(after: $0)...]) } : word
      let option = word.hasPrefix("--") ? String(word.prefix { $0 != "=" }) : ""
      if isWritten || Self.written.contains(option) {
        if let value { outputs.append(Self.absolute(value)) }
        isWritten = !isWritten && value == nil
        continue
      }
      guard let value, FileManager.default.fileExists(atPath: value) else { continue }
      // A description starts a program that lies beside it; a scenario names profiles and programs.
      let isYAML = value.hasSuffix(".yaml") || value.hasSuffix(".yml")
      let folder = (Self.absolute(value) as NSString).deletingLastPathComponent
      roots.append(isYAML ? folder : Self.absolute(value))
    }
    roots += on.map(Self.absolute)
    var seen: Set<String> = []
    roots = roots.filter { seen.insert($0).inserted }
  }

  /// For people.
  var words: String { roots.joined(separator: ", ") }

  /// Name, size and time of every file; folders whose name begins with a dot are left out.
  func state(limit: Int, skipping skipped: Set<String>) -> [String] {
    var lines: [String] = []
    for root in roots { look(root, isRoot: true, limit, skipped, &lines) }
    return lines
  }

  private func look(_ path: String, isRoot: Bool, _ limit: Int, _ skipped: Set<String>, _ lines: inout [String]) {
    guard lines.count < limit, !outputs.contains(path) else { return }
    let name = (path as NSString).lastPathComponent
    if !isRoot, name.hasPrefix(".") || skipped.contains(name) { return }
    var known = stat()
    guard stat(path, &known) == 0 else { return }
    if known.st_mode & S_IFMT == S_IFDIR {
      for child in (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? [] {
        look(path + "/" + child, isRoot: false, limit, skipped, &lines)
      }
    } else {
      lines.append("\(path) \(known.st_size) \(known.st_mtim.tv_sec).\(known.st_mtim.tv_nsec)")
    }
  }

  private static func absolute(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.path
  }
}
