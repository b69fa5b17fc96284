import Bench
import RunReports

/// Makes a failing scenario smaller as long as it keeps failing for one reason.
///
/// Hierarchical delta debugging over the tree of the scenario: expectations, devices, steps and every other part are
/// left out in halves, then in smaller pieces down to single ones and pairs; what must stay gets a kinder value. It
/// begins again until a whole round changes nothing. Smaller scenarios are accepted in a fixed order, so the result is
/// the same with any number of threads; only a limit of time can change it.
package final class Shrinker {
  package struct Limits: Sendable {
    /// Runs, those of the control included.
    package var executions: Int
    /// Seeds that a smaller scenario is tried with.
    package var seedsPerStep: Int

    package init(executions: Int, seedsPerStep: Int) {
      self.executions = executions
      self.seedsPerStep = seedsPerStep
    }
  }

  let standard: Standard
  let limits: Limits
  let start: ShrinkStart
  private let parallel: Parallel
  private let shouldStop: () -> Bool
  private let progress: (Shrinker) -> Void

  package private(set) var current: Variant
  private(set) var trial: Trial
  package private(set) var executions: Int
  /// What was left out or made kinder, in order.
  private(set) var changes: [ShrinkChange] = []
  /// Why parts are needed, by what an attempt left out; of the latest round.
  private(set) var needs: [ShrinkNeed] = []
  /// Where values stop to fail; of the latest round.
  var boundaries: [ShrinkBoundary] = []
  private var attempts: [Question: Attempt] = [:]
  private var paid: Set<Question> = []
  private var isStopped = false
  private var failure: String?

  /// A scenario as text, and the seeds.
  private struct Question: Hashable {
    var tree: YAMLTree
    var seeds: [UInt64]
  }

  /// - Parameters:
  ///   - shouldStop: asked before each attempt; once true, what was reached is the result.
  ///   - progress: called after each attempt, for people.
  package init(
    _ start: ShrinkStart, limits: Limits, bench: TrialBench, parallel: Parallel = .none,
    shouldStop: @escaping () -> Bool = { false }, progress: @escaping (Shrinker) -> Void = { _ in }
  ) {
    self.start = start
    self.limits = limits
    self.parallel = parallel
    self.shouldStop = shouldStop
    self.progress = progress
    standard = Standard(
      reason: start.sighting.reason, control: start.control, bounds: start.bounds, roughness: start.roughness,
      bench: bench)
    current = Variant(tree: start.tree, seed: start.seed)
    trial = start.trial
    executions = start.executions
  }

  /// Whether no further attempt may be made.
  var isOver: Bool { isStopped || failure != nil }

  /// Shrinks until nothing changes, or a limit is reached.
  /// - Throws: `ShrinkFailure` when the bench itself failed in an attempt.
  package func run() throws -> ShrinkResult {
    var hasChanged = true
    while hasChanged, !isOver {
      let before = changes.count
      needs = []
      boundaries = []
      shortenEndless()
      dropExpectations()
      replaceRoom()
      dropDevices()
      dropSteps()
      dropParts()
      simplifyRoom()
      simplifyValues()
      simplifyWriting()
      if changes.count == before { dropPairs() }
      hasChanged = changes.count > before
    }
    if let failure { throw ShrinkFailure(description: failure) }
    try check()
    return ShrinkResult(
      start: start, variant: current, trial: trial, changes: changes, needs: needs, boundaries: boundaries,
      executions: executions, isSmallest: !isOver)
  }

  /// What will be written, once more and with its control: a program that does not always answer alike may have failed
  /// by chance.
  private func check() throws {
    if changes.isEmpty { return }
    let attempt = standard.attempt(current.tree, seeds: [current.seed])
    executions += attempt.executions
    if attempt.isKept { return }
    throw ShrinkFailure(
      description: "the smallest scenario does not fail for its reason when it is played again"
        + (attempt.words.map { " (it \($0))" } ?? "") + "; a program must answer alike in every run")
  }

  /// What was reached, to come back to it.
  struct Mark {
    fileprivate var current: Variant
    fileprivate var trial: Trial
    fileprivate var changes: Int
  }

  var mark: Mark { Mark(current: current, trial: trial, changes: changes.count) }

  /// Takes back what was taken since.
  func restore(_ mark: Mark) {
    (current, trial) = (mark.current, mark.trial)
    changes.removeLast(changes.count - mark.changes)
  }

  /// Tries smaller scenarios in order and takes the first that keeps the reason.
  /// - Returns: its index; nil when none does, or a limit is reached.
  func takeFirst(of candidates: [Candidate]) -> Int? {
    var next = 0
    while next < candidates.count, !isOver {
      let chunk = next..<min(next + max(1, parallel.width), candidates.count)
      ask(chunk.map { question(candidates[$0]) })
      for index in chunk {
        guard let attempt = answer(question(candidates[index])) else { return nil }
        if case .keeps(let seed, let trial) = attempt.outcome {
          accept(candidates[index], seed: seed, trial)
          return index
        }
        if let words = attempt.words, let need = candidates[index].need {
          needs.append(ShrinkNeed(place: need.place, what: need.what, words: words))
        }
      }
      next = chunk.upperBound
    }
    return nil
  }

  /// Whether one smaller scenario keeps the reason; it is taken if so.
  func take(_ candidate: Candidate) -> Bool { takeFirst(of: [candidate]) != nil }

  private func accept(_ candidate: Candidate, seed: UInt64, _ trial: Trial) {
    assert(candidate.tree != current.tree, "a smaller scenario is another one")
    current = Variant(tree: candidate.tree, seed: seed)
    self.trial = trial
    changes.append(ShrinkChange(level: candidate.level, what: candidate.what))
  }

  private func question(_ candidate: Candidate) -> Question {
    let others = (1...UInt64(limits.seedsPerStep)).filter { $0 != current.seed }
    return Question(
      tree: candidate.tree, seeds: [current.seed] + others.prefix(limits.seedsPerStep - 1))
  }

  /// Finds answers that are not known yet, several at a time.
  private func ask(_ questions: [Question]) {
    let open = questions.filter { attempts[$0] == nil }
    if open.isEmpty { return }
    let standard = standard
    let answers = parallel.run(open.count) { standard.attempt(open[$0].tree, seeds: open[$0].seeds) }
    assert(answers.count == open.count, "each question has its answer")
    for (question, answer) in zip(open, answers) { attempts[question] = answer }
  }

  /// An answer, paid from the budget when it is read for the first time; nil when nothing more may be spent.
  private func answer(_ question: Question) -> Attempt? {
    if isOver { return nil }
    if shouldStop() || executions >= limits.executions {
      isStopped = true
      return nil
    }
    guard let attempt = attempts[question] else { return nil }
    if paid.insert(question).inserted { executions += attempt.executions }
    if case .broken(let text) = attempt.outcome {
      failure = text
      return nil
    }
    progress(self)
    return attempt
  }
}

/// A smaller scenario that may be taken.
struct Candidate {
  var tree: YAMLTree
  var level: ShrinkLevel
  /// What it leaves out or makes kinder, for people.
  var what: String
  /// The part that is needed when this candidate does not keep the reason; nil: that says nothing about one part.
  var need: (place: String, what: String)?

  init(
    _ tree: YAMLTree, _ level: ShrinkLevel, _ what: String, need: (place: String, what: String)? = nil
  ) {
    self.tree = tree
    self.level = level
    self.what = what
    self.need = need
  }
}

/// The bench's own fault in an attempt.
package struct ShrinkFailure: Error, CustomStringConvertible {
  package var description: String

  package init(description: String) { self.description = description }
}
