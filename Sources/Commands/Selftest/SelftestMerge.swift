import Campaigns
import Conformance
import Judging

/// What a shard of `babbench selftest` came to.
struct SelftestPart: Codable {
  var scope: SelftestScope
  /// The protocols by name, and their pieces.
  var names: [String]
  var pieces: [[SelftestRun.Piece]]
  var milliseconds: Int

  init(_ scope: SelftestScope, _ runs: [SelftestRun], milliseconds: Int) {
    self.scope = scope
    names = runs.map(\.app.name)
    pieces = runs.map(\.pieces)
    self.milliseconds = milliseconds
  }
}

/// The shards of `babbench selftest`.
struct SelftestMerge: ShardMerge {
  private let result: SelftestResult

  init(_ shards: ShardSet) throws {
    let parts = try shards.payloads(SelftestPart.self)
    let scope = parts[0].scope
    let apps = scope.proved(among: protocols.tested)
    var runs = apps.map { SelftestRun($0, scope) }
    for (known, part) in zip(shards.parts, parts) {
      let isWhole = part.pieces.map(\.count).reduce(0, +) == known.note.size
      let isInShard = part.pieces.joined().allSatisfy { known.note.shard.contains($0.place) }
      guard part.names == apps.map(\.name), part.pieces.count == apps.count, part.scope == scope, isWhole, isInShard
      else { throw shards.damage(known.path(of: CampaignFolder.part)) }
      for index in runs.indices { runs[index].pieces += part.pieces[index] }
    }
    result = SelftestResult(
      runs, scope, showsPicture: scope.matrix, milliseconds: parts.map(\.milliseconds).reduce(0, +))
  }

  func write(to output: OutputFolder, for streams: OutputStreams) throws -> Int32 {
    streams.tell(result.text)
    try result.write(to: output)
    return result.exitCode
  }
}
