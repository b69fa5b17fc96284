import Conformance
import Foundation
import Judging
import Measures
import Stress

/// The shards of one campaign, each once, in their order.
struct ShardMerge {
  /// Why they are no campaign.
  struct Refusal: Error, CustomStringConvertible {
    var description: String
  }

  private struct Part {
    var folder: String
    var result: CampaignResult
    var shard: Shard
  }

  private let parts: [Part]
  private var first: CampaignResult { parts[0].result }

  /// - Throws: `Refusal`, `CampaignResult.Refusal`.
  init(_ folders: [String]) throws {
    var parts: [Part] = []
    for folder in folders {
      let path = folder + "/result.json"
      guard let data = FileManager.default.contents(atPath: path) else {
        throw Refusal(description: "\(path): the file cannot be read; a shard is the --out of babbench stress --shard")
      }
      let result = try CampaignResult(reading: [UInt8](data), path: path)
      guard let shard = result.shard else {
        throw Refusal(description: "\(folder): this is a whole campaign, not a shard of one")
      }
      parts.append(Part(folder: folder, result: result, shard: shard))
    }
    self.parts = parts.sorted { $0.shard.number < $1.shard.number }
    try check()
  }

  private func check() throws(Refusal) {
    for part in parts.dropFirst() {
      if let difference = first.difference(from: part.result) {
        throw Refusal(
          description: "\(part.folder): this is a shard of another campaign than \(parts[0].folder): \(difference)")
      }
    }
    for (part, next) in zip(parts, parts.dropFirst()) where part.shard == next.shard {
      throw Refusal(description: "\(next.folder): shard \(next.shard) is there twice, first in \(part.folder)")
    }
    let count = parts[0].shard.count
    let missing = (1...count).filter { number in !parts.contains { $0.shard.number == number } }
    if !missing.isEmpty {
      let named = missing.prefix(5).map { "\($0)/\(count)" }.joined(separator: ", ")
      throw Refusal(
        description: "shard \(named)" + (missing.count > 5 ? " and \(missing.count - 5) more" : "") + " is missing")
    }
    for part in parts where part.result.missing > 0 {
      throw Refusal(
        description:
          "\(part.folder): \(part.result.missing) worlds are missing; the same command with --resume plays them"
      )
    }
  }

  func plan(among measures: [RunMeasure]) throws -> StressPlan { try first.plan(among: measures) }

  func result(_ plan: StressPlan) -> CampaignResult {
    var tally = plan.emptyTally
    for part in parts { tally.merge(part.result.tally, measures: plan.measures) }
    return CampaignResult(
      plan, tally: tally, missing: 0, babbench: first.babbench, repeatLine: first.repeatLine,
      wallMilliseconds: parts.map(\.result.wallMilliseconds).reduce(0, +))
  }

  /// Rows come from the shards in turn.
  func mergeRows(_ plan: StressPlan, to path: String) throws {
    let sink = try FileSink(path: path)
    let readers = try parts.map { try RowReader(path: $0.folder + "/worlds.csv") }
    for reader in readers {
      guard let heading = try reader.next(), heading == Array(WorldRow.heading(plan).utf8) else {
        throw Refusal(description: "\(reader.path): this is not the table of the shard's result.json")
      }
    }
    sink.write(Array(WorldRow.heading(plan).utf8))
    for world in 0..<plan.grid.worldCount {
      let reader = readers[world % readers.count]
      guard let row = try reader.next(), row.starts(with: Array("\(world),".utf8)) else {
        throw Refusal(description: "\(reader.path): the row of world \(world) is missing")
      }
      sink.write(row)
    }
    try sink.close()
  }
}
