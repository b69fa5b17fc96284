import Campaigns
import Conformance
import Judging

/// The proof of one protocol, or a part of it.
struct SelftestRun {
  /// What a piece came to, with its place among those of its stage.
  struct Piece: Codable {
    /// Pieces of the second stage are known when the searches of the first are over.
    var stage: Int
    var place: Int
    var outcomes: [Selftest.Outcome]
    /// In the third stage what the engines that are less than whole came to.
    var partial: Selftest.PartialOutcome?
  }

  let app: AppProtocol
  let scope: SelftestScope
  /// Those that were played, of all or of a shard.
  var pieces: [Piece] = []
  /// Mutants that their oracle has failed in a room, by name.
  var failedByOracles: [String] = []
  /// How many there were to play.
  private(set) var planned = 0

  init(_ app: AppProtocol, _ scope: SelftestScope) {
    self.app = app
    self.scope = scope
  }

  /// Plays the pieces of a shard.
  ///
  /// Which purposes are tried in the second stage depends on all searches of the first. So each shard plays all of
  /// them, and keeps its own; they take less time than the reference.
  mutating func play(_ shard: Shard, jobs: Int) throws {
    if scope.matrix {
      try play(Selftest.allPairs(scope.purposes(of: app), mutants: emptyMatrix.mutants), stage: 0, shard, jobs)
    } else {
      try playSearches(shard, jobs)
    }
    if !Interruption.isRequested, scope.mutant.isEmpty { try playPartials(shard, jobs) }
  }

  private mutating func playSearches(_ shard: Shard, _ jobs: Int) throws {
    var searched = emptyMatrix
    let purposes = scope.purposes(of: app)
    // A search plays a mutant that only others fail through all purposes, which only shows survivors.
    let first =
      scope.seeksSurvivors
      ? Selftest.pieces(purposes, mutants: searched.mutants) : purposes.map(Selftest.Piece.reference)
    for piece in try play(first, stage: 0, shard, jobs) where first[piece.place].isSearch {
      searched.book(piece.outcomes)
    }
    if Interruption.isRequested { return }
    try play(Selftest.pieces(forToothless: searched), stage: 1, shard, jobs)
  }

  /// The engines that are less than whole, through each test purpose.
  private mutating func playPartials(_ shard: Shard, _ jobs: Int) throws {
    let (app, engines, purposes) = (app, app.partials, scope.purposes(of: app))
    if engines.isEmpty { return }
    let places = purposes.indices.filter(shard.contains)
    planned += places.count
    let results = try Trials("test purposes with partial engines", jobs: jobs).outcomes(
      places.count, makePlayer: { { Selftest.run(purposes[places[$0]], engines, of: app) } })
    pieces += zip(places, results).map { Piece(stage: 2, place: $0, outcomes: [], partial: $1) }
  }

  /// - Returns: what was played, beyond the shard where it is needed.
  @discardableResult
  private mutating func play(_ all: [Selftest.Piece], stage: Int, _ shard: Shard, _ jobs: Int) throws -> [Piece] {
    planned += shard.size(of: all.count)
    let places = all.indices.filter { shard.contains($0) || all[$0].isSearch }
    let app = app
    let results = try Trials("pieces", jobs: jobs).outcomes(
      places.count, makePlayer: { { Selftest.run(all[places[$0]], of: app) } })
    let played = zip(places, results).map { Piece(stage: stage, place: $0, outcomes: $1) }
    pieces += played.filter { shard.contains($0.place) }
    return played
  }

  private var emptyMatrix: KillMatrix {
    KillMatrix(purposes: scope.purposes(of: app), mutants: scope.mutants(of: app))
  }

  /// What the engines that are less than whole came to, purpose by purpose.
  var partials: [Selftest.PartialOutcome] { pieces.sorted { $0.place < $1.place }.compactMap(\.partial) }

  /// What all pieces come to, in their order.
  var matrix: KillMatrix {
    var matrix = pieces.sorted { ($0.stage, $0.place) < ($1.stage, $1.place) }
      .reduce(into: emptyMatrix) { $0.book($1.outcomes) }
    matrix.book(failedByOracles: failedByOracles)
    return matrix
  }
}

extension Selftest.Piece {
  /// Others depend on what it comes to.
  fileprivate var isSearch: Bool { if case .search = self { true } else { false } }
}
