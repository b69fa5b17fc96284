package import Conformance
import Judging

/// Makes a case of the suite smaller as long as the implementation fails it for one reason and the reference passes.
///
/// A purpose is a procedure in code, so what can go is what the code is given and what it does: rooms, phones, names
/// and settings that a purpose arranges, peers that it does not name, and its stimuli, in halves and then one by one.
/// It begins again until a whole round changes nothing.
package final class CaseShrinker {
  private let purpose: TestPurpose
  private let implementation: ImplementationUnderTest
  private let judged: JudgedClauses
  private let limit: Int
  private let shouldStop: () -> Bool
  private let progress: (CaseShrinker) -> Void

  package let first: CaseResult
  package let reason: CaseReason
  package private(set) var current: CaseResult
  package private(set) var executions = 1
  private let control: ImplementationUnderTest?
  private let peersBefore: Int
  private var leftOut: [Int: String] = [:]
  private var needs: [CaseShrinkResult.Need] = []
  private var answers: [StageCut: Answer] = [:]
  private var isOver = false

  /// What a smaller case came to.
  private enum Answer {
    case keeps(CaseResult)
    case loses(String)
  }

  /// - Parameters:
  ///   - first: what the case comes to as it is.
  ///   - limit: how many runs may be made, those of the reference included.
  ///   - shouldStop: asked before each attempt; once true, what was reached is the result.
  /// - Returns: nil when the case does not fail.
  package init?(
    _ purpose: TestPurpose, first: CaseResult, of implementation: ImplementationUnderTest,
    judged: JudgedClauses = JudgedClauses(), limit: Int, shouldStop: @escaping () -> Bool = { false },
    progress: @escaping (CaseShrinker) -> Void = { _ in }
  ) {
    guard let reason = CaseReason(first, of: purpose) else { return nil }
    self.purpose = purpose
    self.implementation = implementation
    self.judged = judged
    self.limit = limit
    self.shouldStop = shouldStop
    self.progress = progress
    self.first = first
    self.reason = reason
    current = first
    peersBefore = min(first.id.cut.peers ?? purpose.testers, max(1, purpose.testers))
    // The reference with what the implementation claims goes the implementation's way through the procedure.
    let reference = ImplementationUnderTest.reference(purpose.role, of: implementation.app)
    var likewise = reference
    likewise.ics = implementation.ics
    let passes = { CaseRunner.run(purpose, Self.own(first.id), on: $0).verdict == .pass }
    let isLikewise = passes(likewise)
    control = isLikewise ? likewise : passes(reference) ? reference : nil
    executions += isLikewise ? 1 : 2
  }

  /// The case without steps that the bench takes: the reference takes them itself.
  private static func own(_ id: CaseID) -> CaseID {
    var id = id
    id.assuming = []
    return id
  }

  package func run() -> CaseShrinkResult {
    var hasChanged = true
    while hasChanged, !isOver {
      let before = current.id.cut
      needs = []
      undoParts()
      dropPeers()
      dropStimuli()
      hasChanged = current.id.cut != before
    }
    forgetUnreached()
    let again = CaseRunner.run(purpose, current.id, on: implementation, judged: judged)
    executions += 1
    return CaseShrinkResult(
      first: first, last: current, peersBefore: peersBefore, peersAfter: peers,
      leftOut: leftOut.filter { current.id.cut.without.contains($0.key) },
      needs: needs.sorted { $0.stimulus ?? 0 < $1.stimulus ?? 0 },
      hasControl: control != nil,
      isRepeatable: again.digest == current.digest, executions: executions, isSmallest: !isOver)
  }

  private var peers: Int { min(current.id.cut.peers ?? peersBefore, peersBefore) }

  // MARK: What gets smaller

  private func undoParts() {
    for part in CaseRunner.arrangedParts(purpose, current.id, of: implementation.app)
    where !current.id.cut.plain.contains(part) {
      var cut = current.id.cut
      cut.plain.insert(part)
      if let words = take(cut) { need("the \(part.rawValue) of the case", "\(part.rawValue)=\(part.plain): \(words)") }
    }
  }

  /// The fewest first.
  private func dropPeers() {
    for count in stride(from: 1, to: peers, by: 1) {
      var cut = current.id.cut
      cut.peers = count
      guard let words = take(cut) else { return }
      if count == peers - 1 { need("\(peers) peers", "with \(count), \(words)") }
    }
  }

  /// The last ones first: less depends on them.
  private func dropStimuli() {
    var size = max(1, current.givenStimuli.count / 2)
    while !isOver {
      var end = current.givenStimuli.count
      while end > 0, !isOver {
        let chunk = Array(current.givenStimuli[max(0, end - size)..<end])
        var cut = current.id.cut
        cut.without.formUnion(chunk.map(\.number))
        if let words = take(cut) {
          end -= size
          if size == 1 { need("“\(chunk[0].text)”", "without it, \(words)", stimulus: chunk[0].number) }
        } else {
          for stimulus in chunk { leftOut[stimulus.number] = stimulus.text }
          end = current.givenStimuli.count { $0.number < chunk[0].number }
        }
      }
      if size == 1 { return }
      size /= 2
    }
  }

  /// Numbers of stimuli to which the smallest case does not come any more.
  private func forgetUnreached() {
    var cut = current.id.cut
    cut.without = cut.without.filter { $0 <= current.stimuli }
    current.id.cut = cut
  }

  private func need(_ what: String, _ words: String, stimulus: Int? = nil) {
    if !isOver { needs.append(CaseShrinkResult.Need(what: what, words: words, stimulus: stimulus)) }
  }

  // MARK: Attempts

  /// Takes a smaller case if it fails for the reason and the reference passes it.
  /// - Returns: nil when it is taken; else what it comes to.
  private func take(_ cut: StageCut) -> String? {
    switch answer(cut) {
    case .keeps(let result):
      current = result
      return nil
    case .loses(let words): return words
    }
  }

  private func answer(_ cut: StageCut) -> Answer {
    if let known = answers[cut] { return known }
    if isOver || executions >= limit || shouldStop() {
      isOver = true
      return .loses("")
    }
    let answer = attempt(cut)
    answers[cut] = answer
    progress(self)
    return answer
  }

  private func attempt(_ cut: StageCut) -> Answer {
    var id = first.id
    id.cut = cut
    let result = CaseRunner.run(purpose, id, on: implementation, judged: judged)
    executions += 1
    guard CaseReason(result, of: purpose) == reason else { return .loses("it " + Self.words(of: result)) }
    guard let control else { return .keeps(result) }
    executions += 1
    let other = CaseRunner.run(purpose, Self.own(id), on: control)
    return other.verdict == .pass ? .keeps(result) : .loses("the reference \(Self.short(other)) too")
  }

  private static func short(_ result: CaseResult) -> String {
    switch result.verdict {
    case .fail: "fails"
    case .inconclusive: "is inconclusive"
    case .none, .pass, .error: words(of: result)
    }
  }

  private static func words(of result: CaseResult) -> String {
    guard let finding = result.finding else { return result.verdict == .pass ? "passes" : "does not apply" }
    switch result.verdict {
    case .fail: return "fails otherwise: expected \(finding.expected)"
    case .inconclusive: return "is inconclusive: \(finding.expected)"
    case .none, .pass, .error: return "cannot be played: \(finding.actual)"
    }
  }
}
