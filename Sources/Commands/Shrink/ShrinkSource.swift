import Bench
import Campaigns
import Conformance
import Foundation
import Judging
import Shrink

/// The scenario that is made smaller, and the file that comes out.
struct ShrinkSource: Sendable {
  var path: String
  var settings: [String]
  var output: String

  /// The tree with the overrides applied, and with paths of profiles as the file that is written needs them.
  func tree() throws -> YAMLTree {
    let octets = try ScenarioFile.octets(of: path, kind: .scenario).get()
    let tree = try ScenarioReader.tree(
      octets: octets, file: path, language: .shipped, overrides: settings.compactMap { ScenarioOverride($0) }
    ).get()
    let prefix = prefix
    return prefix.isEmpty ? tree : tree.movingFiles(to: prefix)
  }

  func origin(_ scenario: String, seed: UInt64) -> String {
    RunPlan(scenario: scenario, path: path, settings: settings).repeatLine(seed: seed)
  }

  /// Reads texts as the file to be written, and judges as `run` does.
  func trials(on bench: Bench) -> TrialBench {
    let output = output
    return TrialBench(
      read: { text in
        ScenarioReader.read(
          text: text, file: output, language: .shipped, profiles: .besides(output),
          programs: .besides(output, environment: Environment.inherited))
      },
      judge: { scenario, options, readers in try bench.judge(scenario, options, readers: readers) })
  }

  /// What leads from the folder of the written file to that of the scenario; empty when they are the same.
  var prefix: String {
    let (from, to) = (folder(of: output), folder(of: path))
    if from == to { return "" }
    if from.isEmpty || to.hasPrefix("/") { return to }
    return FileManager.default.currentDirectoryPath + "/" + to
  }

  private func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }
}

extension Parallel {
  /// On threads; the number of them changes no answer.
  static func workers(_ jobs: Int) -> Parallel {
    if jobs == 1 { return .none }
    return Parallel(width: jobs) { count, work in
      Trials.all(count, jobs: jobs, work)
    }
  }
}
