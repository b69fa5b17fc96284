import Foundation
package import Judging

/// What drawn worlds came to: `result.json`, from which shards are merged.
///
/// All but `wallMilliseconds` is the same in every run of the same campaign, in one process or merged from many.
package struct ExploreResult: Sendable, Codable {
  /// Grows when a member changes its meaning or goes away.
  package static let version = 1

  package var version = Self.version
  package var babbench: String
  /// What is drawn and done, as the command line says it.
  package var words: [String]
  package var firstSeed: UInt64
  package var seeds: Int
  /// Nil: all worlds.
  package var shard: Shard?
  package var tally: ExploreTally
  /// Worlds that were not played.
  package var missing: Int
  package var verdict: String
  package var exitCode: Int32
  package var repeatLine: String
  package var wallMilliseconds: Int
  /// What scenarios may have and no world used; so far as these worlds go.
  package var unused: [String]
  /// Files of the causes that were made smaller, by the number of the cause from 1.
  package var files: [Int: String] = [:]
  /// The command that shows a cause of captures in those that were kept, by the number of the cause.
  package var checks: [Int: String] = [:]

  private enum CodingKeys: String, CodingKey {
    case version, babbench, words, firstSeed, seeds, shard, tally, missing, verdict, exitCode, wallMilliseconds, unused,
      files, checks
    case repeatLine = "repeat"
  }

  /// - Parameter all: what scenarios may have.
  package init(
    babbench: String, words: [String], firstSeed: UInt64, seeds: Int, shard: Shard, tally: ExploreTally, missing: Int,
    all: [String], wallMilliseconds: Int
  ) {
    self.babbench = babbench
    self.words = words
    self.firstSeed = firstSeed
    self.seeds = seeds
    self.shard = shard == .all ? nil : shard
    self.tally = tally
    self.missing = missing
    self.wallMilliseconds = wallMilliseconds
    let isWhole = missing == 0 && Self.unplaced(words, tally).isEmpty
    let verdict = !isWhole && tally.verdict == .pass ? Verdict.inconclusive : tally.verdict
    self.verdict = verdict.name
    exitCode = ExitCode(verdict).rawValue
    repeatLine = Shell.line(
      ["babbench", "explore"] + words + ["--seeds", "\(firstSeed)..\(firstSeed + UInt64(seeds) - 1)"]
        + (shard == .all ? [] : ["--shard", shard.description]))
    unused = all.filter { tally.coverage.worlds($0) == 0 }
  }

  /// Options that put an engine or a program on devices, of which no world had one.
  package var unplaced: [String] { Self.unplaced(words, tally) }

  private static func unplaced(_ words: [String], _ tally: ExploreTally) -> [String] {
    zip(words, words.dropFirst()).filter { ["--engine", "--app"].contains($0.0) }.map { "\($0.0) \($0.1)" }
      .filter { tally.coverage.worlds($0) == 0 }
  }

  /// Worlds that were to be played.
  package var size: Int { (shard ?? .all).size(of: seeds) }

  package var isPass: Bool { exitCode == ExitCode.pass.rawValue }

  /// The line that plays the world of a seed.
  package func playLine(_ seed: UInt64) -> String {
    Shell.line(["babbench", "explore"] + words + ["--seeds", "\(seed)..\(seed)"])
  }

  /// The line that prints the world of a seed.
  package func printLine(_ seed: UInt64) -> String {
    Shell.line(["babbench", "explore"] + words + ["--print", String(seed)])
  }

  package func octets() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    return [UInt8](try encoder.encode(self)) + [0x0A]
  }

  /// Nil: the octets are no result of this version.
  package init?(reading octets: [UInt8]) {
    guard let result = try? JSONDecoder().decode(Self.self, from: Data(octets)), result.version == Self.version else {
      return nil
    }
    self = result
  }

  /// `junit.xml`: a test case for each cause, and one for the worlds that were played.
  package func junit() -> [UInt8] {
    var cases = tally.causes.map { entry in
      var row = JUnitDocument.Case(name: entry.cause.text, classname: "babbench explore")
      let lines = [entry.detail, playLine(entry.seed), printLine(entry.smallest)]
      row.set(
        [.refusal, .bench].contains(entry.cause.kind) ? .error : .fail,
        message: "\(entry.count) worlds, the first has seed \(entry.seed)", lines: lines)
      return row
    }
    var row = JUnitDocument.Case(name: "all worlds", classname: "babbench explore")
    if missing > 0 {
      row.set(.inconclusive, message: "\(missing) of \(size) worlds are missing", lines: [])
    } else if let option = unplaced.first {
      row.set(.inconclusive, message: "no world has a device for \(option)", lines: [])
    } else if tally.passed == 0, tally.failed == 0 {
      row.set(.none, message: "", lines: [])
    }
    cases.append(row)
    let properties = [(name: "worlds", value: String(tally.worlds)), (name: "repeat", value: repeatLine)]
    return JUnitDocument(
      name: "babbench explore",
      suites: [.init(name: "babbench explore", time: "0", properties: properties, cases: cases)]
    ).octets()
  }
}
