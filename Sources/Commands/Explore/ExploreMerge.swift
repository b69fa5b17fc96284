import ArgumentParser
import Bench
import Campaigns
import Explore
import Foundation
import Judging

/// The shards of `babbench explore`.
struct ExploreMerge: ShardMerge {
  private let result: ExploreResult

  init(_ shards: ShardSet) throws {
    var whole: ExploreResult?
    for part in shards.parts {
      let path = part.path(of: "result.json")
      guard let data = FileManager.default.contents(atPath: path), let own = ExploreResult(reading: [UInt8](data)),
        own.babbench == part.note.babbench, own.missing == 0, own.shard ?? .all == part.note.shard,
        own.tally.worlds == part.note.size
      else { throw shards.damage(path) }
      guard var merged = whole else {
        whole = own
        continue
      }
      guard own.words == merged.words, own.firstSeed == merged.firstSeed, own.seeds == merged.seeds else {
        throw shards.damage(path)
      }
      merged.tally.merge(own.tally)
      merged.wallMilliseconds += own.wallMilliseconds
      whole = merged
    }
    guard let whole else { throw ShardSet.Refusal(description: "there is no shard") }
    result = ExploreResult(
      babbench: whole.babbench, words: whole.words, firstSeed: whole.firstSeed, seeds: whole.seeds, shard: .all,
      tally: whole.tally, missing: 0, all: ScenarioUses(.shipped).all, wallMilliseconds: whole.wallMilliseconds)
  }

  func write(to output: OutputFolder, for streams: OutputStreams) throws -> Int32 {
    var result = result
    let command = try ExploreCommand.parse(result.words)
    var run = try command.planned(on: .real)
    command.prepare(&run)
    let scratch = try ScratchFolders()
    defer { scratch.remove() }
    try command.writeCauses(&result, run, to: output, scratch: scratch)
    try output.write(result)
    streams.tell(ExplorePrinter(result: result, missing: nil, paint: .standardOutput).text)
    return result.exitCode
  }
}

extension OutputFolder {
  /// Writes what drawn worlds came to: for people, CI servers and programs.
  func write(_ result: ExploreResult) throws {
    try FileSink.write(try result.octets(), to: path(of: "result.json"))
    try FileSink.write(result.junit(), to: path(of: "junit.xml"))
    try FileSink.write(try ExplorePage.octets(result, all: ScenarioUses(.shipped).all), to: path(of: "index.html"))
  }
}
