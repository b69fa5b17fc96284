import Campaigns
import Foundation
import Judging
import Stress

/// The shards of `babbench stress`.
struct StressMerge: ShardMerge {
  private let shards: ShardSet
  private let results: [CampaignResult]
  private let plan: StressPlan

  init(_ shards: ShardSet) throws {
    self.shards = shards
    results = try shards.parts.map { part in
      let path = part.path(of: "result.json")
      guard let data = FileManager.default.contents(atPath: path) else { throw shards.damage(path) }
      let result = try CampaignResult(reading: [UInt8](data), path: path)
      let isOfNote = part.note.shard == .all || result.shard == part.note.shard
      guard result.babbench == part.note.babbench, result.missing == 0, isOfNote,
        result.tally.worlds == part.note.size
      else { throw shards.damage(path) }
      return result
    }
    plan = try results[0].plan(among: RunMeasure.all(protocols))
    for (part, result) in zip(shards.parts, results) where try result.plan(among: plan.measures) != plan {
      throw shards.damage(part.path(of: "result.json"))
    }
    for reader in try readers() {
      guard let heading = try reader.next(), heading == Array(WorldRow.heading(plan).utf8) else {
        throw shards.damage(reader.path)
      }
    }
  }

  private func readers() throws -> [RowReader] {
    try shards.parts.map { part in
      let path = part.path(of: "worlds.csv")
      do { return try RowReader(path: path) } catch { throw shards.damage(path) }
    }
  }

  private var result: CampaignResult {
    var tally = plan.emptyTally
    for result in results { tally.merge(result.tally, measures: plan.measures) }
    return CampaignResult(
      plan, tally: tally, missing: 0, babbench: results[0].babbench, repeatLine: results[0].repeatLine,
      wallMilliseconds: results.map(\.wallMilliseconds).reduce(0, +))
  }

  func write(to output: OutputFolder, for streams: OutputStreams) throws -> Int32 {
    try mergeRows(to: output.path(of: "worlds.csv"))
    let (result, plan) = (result, plan)
    let report = StressReport(
      plan: plan, tally: result.tally, missing: 0, repeatLine: result.repeatLine,
      wallMilliseconds: result.wallMilliseconds, worldLine: { plan.repeatLine(of: $0) })
    try output.write(result, report)
    streams.tell(StressPrinter(report: report, paint: .standardOutput).text)
    return result.exitCode
  }

  /// Rows come from the shards in turn.
  private func mergeRows(to path: String) throws {
    let sink = try FileSink(path: path)
    let readers = try readers()
    for reader in readers { _ = try reader.next() }
    sink.write(Array(WorldRow.heading(plan).utf8))
    for world in 0..<plan.grid.worldCount {
      let reader = readers[world % readers.count]
      guard let row = try reader.next(), row.starts(with: Array("\(world),".utf8)) else {
        throw ShardSet.Refusal(description: "\(reader.path): the row of world \(world) is missing")
      }
      sink.write(row)
    }
    try sink.close()
  }
}
