import Conformance
import Judging

/// What `babbench run` was asked for, as plain data that every worker gets a copy of.
struct RunPlan: Sendable {
  /// As written on the command line.
  var scenario: String
  /// The file that it means.
  var path: String
  /// `key=value`, in order.
  var settings: [String] = []
  var checksDeterminism = false
  var writesCaptures = true
  /// The file of a page that shows the run over time; nil: none.
  var page: String?
  /// The same as trace events.
  var traceEvents: String?

  /// The line that repeats the run of one seed.
  func repeatLine(seed: UInt64) -> String { line(["--seed", String(seed)]) }

  /// The line that repeats the runs of several.
  func repeatLine(seeds: SeedRange) -> String {
    line(["--seeds", seeds.defaultValueDescription])
  }

  /// The line that shows what led to what is wrong with the run of one seed.
  func whyLine(seed: UInt64) -> String { line(["--seed", String(seed)], command: "why") }

  /// The scenario's file as messages call it.
  var fileName: String { path.split(separator: "/").last.map(String.init) ?? path }

  private func line(_ seed: [String], command: String = "run") -> String {
    Shell.line(["babbench", command, scenario] + seed + settings.flatMap { ["--set", $0] })
  }
}
