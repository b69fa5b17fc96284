import Campaigns
import Foundation
import Judging
import SimKernel

/// `seeds.json` of `run --seeds`: which seeds did not pass, for `--last-failed`.
struct SweepRecord: Codable {
  static let file = "seeds.json"

  var version = 1
  var babbench = BenchVersion.current
  var scenario: String
  var settings: [String]
  var seeds: String
  /// In their order, as texts: not every reader of JSON has whole numbers above 2^53.
  var failed: [String]
  var notBegun: Int

  init(_ results: [SeedResult?], _ seeds: SeedRange, _ plan: RunPlan, scenario: String) {
    self.scenario = scenario
    settings = plan.settings
    self.seeds = seeds.defaultValueDescription
    failed = results.compactMap { $0.flatMap { $0.verdict == .pass ? nil : String($0.seed) } }
    notBegun = results.count { $0 == nil }
  }

  init(reading path: String) throws {
    let octets = try UsageProblem.contents(of: path)
    guard let record = try? JSONDecoder().decode(Self.self, from: octets), record.version == 1 else {
      throw UsageProblem("\(path): this is no \(Self.file) of babbench run --seeds")
    }
    self = record
  }

  var octets: [UInt8] {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return [UInt8](try encoder.encode(self)) + [0x0A]
    }
  }

  /// Those of some seeds that did not pass in an earlier run; nil: it says that all pass, so all are to be played.
  /// - Throws: `UsageProblem` where the earlier run does not say which.
  static func lastFailed(
    _ path: String, of seeds: SeedRange, _ plan: RunPlan, scenario: String
  ) throws -> SeedRange? {
    let earlier = try SweepRecord(reading: path)
    guard earlier.scenario == scenario else {
      throw UsageProblem("\(path): this is of scenario “\(earlier.scenario)”, not “\(scenario)”")
    }
    guard earlier.settings == plan.settings else {
      let words = Shell.line(earlier.settings.flatMap { ["--set", $0] })
      throw UsageProblem("\(path): this was played " + (words.isEmpty ? "without --set" : "with \(words)"))
    }
    guard earlier.notBegun == 0 else {
      let count = CountedNoun.text(earlier.notBegun, "seed")
      throw UsageProblem("\(path): that run was interrupted, \(count) not begun; play all of \(earlier.seeds)")
    }
    let failed = earlier.failed.compactMap { UInt64($0) }
    if failed.isEmpty { return nil }
    let kept = failed.filter(seeds.contains)
    guard !kept.isEmpty else {
      throw UsageProblem("\(path): none of the seeds that do not pass there is among --seeds")
    }
    return SeedRange(listed: kept)
  }
}
