import Foundation
package import Judging

/// What a stress campaign came to: `result.json`, from which it can be merged and compared.
///
/// All but `wallMilliseconds` is the same in every run of the same campaign, in one process or merged from many.
package struct CampaignResult: Hashable, Sendable, Codable {
  /// Grows when a member changes its meaning or goes away.
  package static let version = 1

  package struct Measure: Hashable, Sendable, Codable {
    package var name: String
    package var unit: RunMeasure.Unit
  }

  package var version = Self.version
  package var babbench: String
  package var scenario: String
  /// Over the octets of its file.
  package var scenarioDigest: String
  /// `key=value` of all cells.
  package var settings: [String]
  /// The keys that vary, and their values in each cell.
  package var keys: [String]
  package var cells: [[String]]
  package var firstSeed: UInt64
  package var seeds: Int
  /// Nil: all worlds.
  package var shard: Shard?
  package var measures: [Measure]
  package var claims: [String]
  /// The claims end a cell when they are decided.
  package var stopsEarly: Bool
  package var tally: CampaignTally
  /// Worlds of the campaign that were not played, because it was ended before.
  package var missing: Int
  package var verdict: String
  package var exitCode: Int32
  package var digest: String
  package var repeatLine: String
  package var wallMilliseconds: Int

  private enum CodingKeys: String, CodingKey {
    case version, babbench, scenario, scenarioDigest, settings, keys, cells, firstSeed, seeds, shard, measures, claims,
      stopsEarly,
      tally, missing, verdict, exitCode, digest, wallMilliseconds
    case repeatLine = "repeat"
  }

  /// Why octets are no result.
  package struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String
  }

  /// - Parameters:
  ///   - grid: with the shard, what was to be played.
  ///   - tally: with `missing`, what was.
  package init(
    _ plan: StressPlan, tally: CampaignTally, missing: Int, babbench: String, repeatLine: String,
    wallMilliseconds: Int
  ) {
    self.babbench = babbench
    scenario = plan.scenario
    scenarioDigest = plan.scenarioDigest
    settings = plan.settings
    keys = plan.grid.keys
    cells = plan.grid.cells.map(\.values)
    firstSeed = plan.grid.firstSeed
    seeds = plan.grid.seedCount
    shard = plan.shard == .all ? nil : plan.shard
    measures = plan.measures.map { Measure(name: $0.name, unit: $0.unit) }
    claims = plan.claims.map(\.text)
    stopsEarly = plan.stopsEarly
    self.tally = tally
    self.missing = missing
    let verdict = plan.verdict(tally, missing: missing)
    self.verdict = verdict.name
    exitCode = ExitCode(verdict).rawValue
    digest = tally.digestText
    self.repeatLine = repeatLine
    self.wallMilliseconds = wallMilliseconds
  }

  package func octets() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return [UInt8](try encoder.encode(self)) + [0x0A]
  }

  /// - Parameter path: what the refusal names.
  /// - Throws: `Refusal`.
  package init(reading octets: [UInt8], path: String) throws(Refusal) {
    do {
      self = try JSONDecoder().decode(CampaignResult.self, from: Data(octets))
    } catch {
      throw Refusal(description: "\(path): this is no result of babbench stress")
    }
    guard version == Self.version, tally.cells.count == cells.count, tally.worst.count == measures.count,
      seeds > 0,
      tally.cells.allSatisfy({ $0.measures.count == measures.count && $0.claims.count == claims.count })
    else { throw Refusal(description: "\(path): this result is of another version of babbench, or damaged") }
  }
}
