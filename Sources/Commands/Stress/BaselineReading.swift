import Campaigns
import Foundation
import Judging
import SimKernel
import Stress

/// An earlier campaign that the present one is compared with, world by world.
struct BaselineReading {
  struct Refusal: Error, CustomStringConvertible {
    var description: String
  }

  private let folder: String

  /// - Parameter path: its `result.json`, or the folder of it.
  /// - Throws: what is wrong with it, before anything is played.
  init(_ path: String, for plan: StressPlan) throws {
    let file = path.hasSuffix(".json") ? path : path + "/result.json"
    folder = file.contains("/") ? String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)]) : "."
    guard let data = FileManager.default.contents(atPath: file) else {
      throw Refusal(description: "\(file): the file cannot be read; --baseline takes the --out of an earlier campaign")
    }
    let old = try CampaignResult(reading: [UInt8](data), path: file)
    guard old.keys == plan.grid.keys, old.cells == plan.grid.cells.map(\.values), old.firstSeed == plan.grid.firstSeed,
      old.seeds == plan.grid.seedCount, (old.shard ?? .all) == plan.shard
    else {
      throw Refusal(
        description:
          "\(file): the baseline has other worlds (seeds \(old.seedText), \(CountedNoun.text(old.cells.count, "cell"))); worlds"
          + " are compared one by one, so seeds and --vary must be the same")
    }
    guard old.scenarioDigest == plan.scenarioDigest, old.settings == plan.settings else {
      throw Refusal(description: "\(file): the baseline is of another scenario, or of other settings")
    }
    if old.stopsEarly || plan.stopsEarly {
      throw Refusal(description: "\(file): with --until some worlds are left out; compare campaigns with --claim")
    }
    if old.missing > 0 { throw Refusal(description: "\(file): \(old.missing) worlds of the baseline are missing") }
  }

  /// - Parameter table: the present `worlds.csv`.
  func compare(with table: String, _ plan: StressPlan) throws -> Comparison {
    let readers = [try RowReader(path: folder + "/worlds.csv"), try RowReader(path: table)]
    var comparison = Comparison(plan.measures)
    let tables = try readers.map { reader in
      try WorldTable(heading: try reader.next() ?? [], measures: plan.measures, path: reader.path)
    }
    while let old = try readers[0].next(), let new = try readers[1].next() {
      comparison.add(try tables[0].world(old), try tables[1].world(new))
    }
    return comparison
  }
}
