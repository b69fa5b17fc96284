import Foundation

/// CPU of the commands that read a capture, and of other people's programs on the same file, in turn.
enum CaptureCommands {
  private static let repetitions = 5

  private struct Command {
    let name: String
    let path: String
    let arguments: [String]
    /// `check` ends with its verdict.
    var lastStatus: Int32 = 0
    var seconds: [Double] = []

    var median: Double? { seconds.isEmpty ? nil : seconds.sorted()[seconds.count / 2] }
  }

  static func report(_ file: String) {
    print("  CPU of whole programs on the same file, output to /dev/null, \(repetitions) times in turn")
    let own = Bundle.main.executableURL?.deletingLastPathComponent().appending(path: "babbench").path() ?? "babbench"
    var commands = [
      Command(name: "babbench check FILE", path: own, arguments: ["check", file], lastStatus: 2),
      Command(name: "babbench inspect FILE", path: own, arguments: ["inspect", file]),
      peer("capinfos", [], file), peer("capinfos", ["-c", "-u", "-a", "-e"], file),
      peer("tshark", ["-q", "-z", "io,phs", "-r"], file), peer("tshark", ["-r"], file),
    ]
    for _ in 0..<repetitions {
      for index in commands.indices {
        if let seconds = measure(commands[index]) { commands[index].seconds.append(seconds) }
      }
    }
    for command in commands { show(command) }
    let (check, inspect) = (commands[0], commands[1])
    ratio("check, of capinfos -c -u -a -e", check, commands[3], target: "≤ 1.5")
    ratio("check, of tshark -q -z io,phs", check, commands[4], target: "≤ 1/15 = 0.067")
    ratio("inspect, of tshark -r", inspect, commands[5], target: "≤ 1/3 = 0.333")
  }

  private static func peer(_ name: String, _ options: [String], _ file: String) -> Command {
    let words = [name] + options
    return Command(
      name: (words + ["FILE"]).joined(separator: " "), path: "/usr/bin/env", arguments: words + [file])
  }

  /// Nil when the program is not here, or fails.
  private static func measure(_ command: Command) -> Double? {
    let process = Process()
    process.executableURL = URL(filePath: command.path)
    process.arguments = command.arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let before = childCPUSeconds()
    guard (try? process.run()) != nil else { return nil }
    process.waitUntilExit()
    let isWhole = process.terminationReason == .exit && (0...command.lastStatus).contains(process.terminationStatus)
    return isWhole ? childCPUSeconds() - before : nil
  }

  private static func show(_ command: Command) {
    guard let median = command.median, command.seconds.count == repetitions else {
      return print("    \(command.name): NOT MEASURED, it is not here or fails (\(command.path))")
    }
    row("    " + command.name, median, "s", target: "median of \(text(command.seconds))")
  }

  private static func ratio(_ name: String, _ command: Command, _ peer: Command, target: String) {
    guard let ours = command.median, let theirs = peer.median, command.seconds.count == peer.seconds.count else {
      return print("    \(name): NOT MEASURED, one of the two is missing")
    }
    let ratios = zip(command.seconds, peer.seconds).map { $0 / $1 }
    row("    " + name, ours / theirs, "x", target: "\(target); \(text(ratios))")
  }

  private static func text(_ figures: [Double]) -> String {
    figures.map { String(format: "%.3f", $0) }.joined(separator: ", ")
  }
}
