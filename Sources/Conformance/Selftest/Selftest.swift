import AppSeam
public import Judging

/// The suite tested by itself: every purpose passes the reference and fails a mutant, every mutant is failed.
///
/// All pairs of purpose and mutant are many; the proof needs a purpose for each mutant and a mutant for each purpose.
/// So work comes in pieces that share nothing: the reference through one purpose, a search for whoever fails a mutant,
/// a search for whatever a purpose fails, or one pair. Their outcomes together are a `KillMatrix`.
public enum Selftest {
  /// One mutant through one purpose, or the reference through one purpose in a dialect with a seed.
  public struct Outcome: Sendable, Codable {
    public var engine: String
    public var purpose: String
    public var verdict: Verdict
    /// Everything about a run of the reference that did not pass; of all others there are too many to keep.
    public var failure: CaseResult?
  }

  public enum Piece: Sendable {
    case reference(TestPurpose)
    /// Until the first purpose fails it; those for its clause are asked first.
    case search(Mutant, among: [TestPurpose])
    /// Until the first mutant is failed; those of its clauses are tried first.
    case trial(TestPurpose, against: [Mutant])
    case pair(TestPurpose, Mutant)
  }

  /// What the partial engines came to in one test purpose.
  public struct PartialOutcome: Sendable, Codable {
    public struct Accusation: Sendable, Codable {
      public var engine: String
      public var result: CaseResult
    }

    public var purpose: String
    /// Names of the engines that it passes, and that it fails.
    public var passed: [String]
    public var failed: [String]
    public var inconclusive: Int
    /// Verdicts without ground.
    public var unfounded: [Accusation]

    public var cases: Int { passed.count + failed.count + inconclusive }
  }

  /// The reference everywhere, and a search for each mutant.
  public static func pieces(_ purposes: [TestPurpose], mutants: [Mutant]) -> [Piece] {
    purposes.map(Piece.reference)
      + mutants.map { mutant in
        let mine = purposes.filter { $0.role == mutant.role }
        let fitting = mine.filter { $0.clauses.contains(mutant.clause) }
        return .search(mutant, among: fitting + mine.filter { !$0.clauses.contains(mutant.clause) })
      }
  }

  /// A search for each purpose that has failed no mutant yet.
  public static func pieces(forToothless matrix: KillMatrix) -> [Piece] {
    matrix.rows.filter(\.kills.isEmpty).map { row in
      let tried = matrix.mutants.filter { mutant in
        mutant.role == row.purpose.role && !row.spared.contains(mutant.name) && !row.inconclusive.contains(mutant.name)
      }
      let fitting = tried.filter { row.purpose.clauses.contains($0.clause) }
      return .trial(row.purpose, against: fitting + tried.filter { !row.purpose.clauses.contains($0.clause) })
    }
  }

  /// The reference everywhere, and every pair.
  public static func allPairs(_ purposes: [TestPurpose], mutants: [Mutant]) -> [Piece] {
    purposes.flatMap { purpose in
      [.reference(purpose)] + mutants.filter { $0.role == purpose.role }.map { .pair(purpose, $0) }
    }
  }

  public static func run(_ piece: Piece, of app: AppProtocol) -> [Outcome] {
    switch piece {
    case .reference(let purpose):
      return purpose.dialects.flatMap { dialect in
        purpose.seeds.map { seed in
          run(purpose, CaseID(purpose: purpose.id, dialect: dialect, seed: seed), .reference(purpose.role, of: app))
        }
      }
    case .pair(let purpose, let mutant): return [run(purpose, mutant, of: app)]
    case .search(let mutant, let purposes): return untilFail(purposes) { run($0, mutant, of: app) }
    case .trial(let purpose, let mutants): return untilFail(mutants) { run(purpose, $0, of: app) }
    }
  }

  /// The partial engines of its role through one purpose; those without a report that it does not look for are the
  /// reference to it, and left out.
  public static func run(_ purpose: TestPurpose, _ engines: [PartialEngine], of app: AppProtocol) -> PartialOutcome {
    var outcome = PartialOutcome(purpose: purpose.id, passed: [], failed: [], inconclusive: 0, unfounded: [])
    var sought: [String]?
    for engine in engines where engine.role == purpose.role {
      let implementation = engine.implementation(of: app)
      let usual = app.dialect(for: purpose)
      let dialects = implementation.dialects.filter(purpose.dialects.contains)
      guard let dialect = dialects.contains(usual) ? usual : dialects.first else { continue }
      let id = CaseID(purpose: purpose.id, dialect: dialect, seed: purpose.seeds[0])
      if let report = engine.unsaid {
        let words = sought ?? CaseRunner.run(purpose, id, on: .reference(purpose.role, of: app)).sought
        sought = words
        if !words.contains(report) { continue }
      }
      let result = CaseRunner.run(purpose, id, on: implementation)
      switch result.verdict {
      case .pass: outcome.passed.append(engine.name)
      case .fail: outcome.failed.append(engine.name)
      case .none: continue
      case .inconclusive, .error: outcome.inconclusive += 1
      }
      if engine.isUnfounded(result) {
        outcome.unfounded.append(PartialOutcome.Accusation(engine: engine.name, result: result))
      }
    }
    return outcome
  }

  private static func untilFail<Subject>(_ subjects: [Subject], _ body: (Subject) -> Outcome) -> [Outcome] {
    var outcomes: [Outcome] = []
    for subject in subjects {
      outcomes.append(body(subject))
      if outcomes.last?.verdict == .fail { break }
    }
    return outcomes
  }

  /// Mutants are tried in the main dialect, or the first one that the purpose applies to, with its first seed.
  private static func run(_ purpose: TestPurpose, _ mutant: Mutant, of app: AppProtocol) -> Outcome {
    let id = CaseID(purpose: purpose.id, dialect: app.dialect(for: purpose), seed: purpose.seeds[0])
    return run(purpose, id, .mutant(mutant, of: app))
  }

  private static func run(_ purpose: TestPurpose, _ id: CaseID, _ engine: ImplementationUnderTest) -> Outcome {
    let result = CaseRunner.run(purpose, id, on: engine)
    let isNews = engine.name == AppProtocol.reference && result.verdict != .pass
    return Outcome(
      engine: engine.name, purpose: purpose.id, verdict: result.verdict, failure: isNews ? result : nil)
  }
}
