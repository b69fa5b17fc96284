import Campaigns
import Explore
import Judging
import Shrink

/// Makes the world of each cause smaller, and writes it into the folder of `--out`.
struct ExploreCauses {
  /// Causes that are made smaller; a campaign with more has other problems.
  private static let limit = 20

  let trial: WorldTrial
  let output: OutputFolder
  let jobs: Int
  /// Runs for each cause.
  let executions: Int

  /// Writes `causes/N.yaml`, the world as it was drawn, `causes/N-drawn.yaml`, and the captures that say more than it,
  /// `causes/N-captures`.
  func write(_ result: inout ExploreResult) throws {
    guard !result.tally.causes.isEmpty else { return }
    let folder = try output.folder("causes")
    for (place, entry) in result.tally.causes.prefix(Self.limit).enumerated() where !Interruption.isRequested {
      let number = place + 1
      Console.progress("cause \(number): making it smaller")
      try FileSink.write(Array(trial.text(entry.smallest).utf8), to: folder.path(of: "\(number)-drawn.yaml"))
      result.files[number] = "causes/\(number)-drawn.yaml"
      if entry.cause.kind == .capture { result.checks[number] = try keepCaptures(entry, number, in: folder) }
      guard executions > 0 else { continue }
      // Each run of it is judged again from six sets of captures.
      let runs = entry.cause.kind == .capture ? max(1, executions / 10) : executions
      let small = try CauseShrink(trial).smallest(
        of: entry.cause, seed: entry.smallest, origin: result.printLine(entry.smallest), executions: runs,
        parallel: .workers(jobs), shouldStop: { Interruption.isRequested },
        progress: { Console.progress("cause \(number): \($0.executions) runs") })
      guard let small else { continue }
      let path = folder.path(of: "\(number).yaml")
      try FileSink.write(Array(small.text(repeatLine: Self.repeatLine(entry.cause, path)).utf8), to: path)
      result.files[number] = "causes/\(number).yaml"
    }
    Console.endProgress()
  }

  /// - Returns: the command that judges them; nil: no set shows the cause.
  private func keepCaptures(_ entry: ExploreTally.Entry, _ number: Int, in causes: OutputFolder) throws -> String? {
    let folder = try causes.folder("\(number)-captures")
    let options = try trial.keepCaptures(of: entry.cause, seed: entry.smallest, in: folder.handedOver)
    return options.map { Shell.line(["babbench", "check"] + $0 + [folder.path]) + "/*" }
  }

  private static func repeatLine(_ cause: WorldCause, _ path: String) -> String {
    switch cause.kind {
    case .mode: Shell.line(["babbench", "run", path, "--check-determinism"])
    case .capture: Shell.line(["babbench", "run", path, "--out", "captures"])
    default: Shell.line(["babbench", "run", path])
    }
  }
}
