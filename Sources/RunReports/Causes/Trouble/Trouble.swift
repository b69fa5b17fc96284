import Bench
package import Conformance
package import Judging
package import SimKernel

/// One thing that is wrong with a run: a broken claim, whoever breaks it and how often, an expectation that does not
/// hold or that nobody could be asked about, or a claim of measures that does not hold.
package struct Trouble: Sendable {
  /// The id of the oracle, or the text of the expectation or of the claim of measures.
  package var claim: String
  /// Empty where no oracle found it.
  package var clause: String
  /// When the run shows it first.
  package var instant: SimInstant
  /// Since when it was required; nil: at once.
  package var since: SimInstant?
  /// Dense indices of the devices that are blamed, the first one first; empty: the whole run.
  package var devices: [Int]
  /// Those to which it was done, where that is known.
  package var peers: [Int] = []
  package var expected: String
  package var actual: String
  package var record: Int?
  /// In the scenario file.
  package var line: Int?
  package var isInconclusive: Bool
  /// Nothing was judged because of it.
  package var isError = false
  /// How often the run shows it.
  package var count = 1
  /// A step of the scenario that was not done.
  package var isStep = false
  /// An expectation that had to hold all the time.
  package var isAlways = false
  /// A claim of the scenario about measures.
  package var isOfMeasures = false
  /// What came first and explains it; nil: nothing that is known does.
  package var reason: Circumstance?
  /// What does not hold because of it.
  package var consequences: [Consequence] = []

  /// Another claim or expectation that does not hold after this.
  package struct Consequence: Sendable {
    package var text: String
    package var line: Int?
  }

  /// What is asked of what platforms, stacks and links know.
  package var question: Circumstances.Question {
    Circumstances.Question(
      at: instant, since: since, device: devices.first, isAbsence: isAbsence,
      isBreach: isAlways, isBlame: !isExpectation && !isInconclusive)
  }

  /// Something did not happen in time; else something happened that must not.
  package var isAbsence: Bool { since != nil || isExpectation || record == nil }

  package var isExpectation: Bool { clause.isEmpty && !isOfMeasures }
}

extension Trouble {
  /// A claim of a scenario about measures that does not hold, or that nothing was measured for.
  /// - Parameters:
  ///   - instant: of the worst sample; where there is none, the end of the run.
  ///   - since: when what was measured began; nil: it has no beginning.
  ///   - device: that the worst sample is of; nil: the whole run.
  ///   - record: that shows the worst sample.
  ///   - line: of the claim in the scenario file.
  package init(
    ofMeasures claim: String, actual: String, instant: SimInstant, since: SimInstant?, device: Int?, record: Int?,
    line: Int?, isInconclusive: Bool
  ) {
    self.init(
      claim: claim, clause: "", instant: instant, since: since, devices: device.map { [$0] } ?? [], expected: claim,
      actual: actual, record: record, line: line, isInconclusive: isInconclusive, isOfMeasures: true)
  }

  /// Everything that is wrong with a run, the first thing first: every cause once.
  ///
  /// A claim that several devices break is one trouble. What an earlier step has blocked is its consequence; so is an
  /// expectation about devices that an oracle had found guilty by then.
  /// - Parameter measured: claims of measures that do not hold.
  package static func all(in judgement: Judgement, measured: [Trouble] = []) -> [Trouble] {
    var troubles = claims(judgement)
    for result in judgement.expectations where !result.holds && !result.place.isBlocked {
      let owner = troubles.indices.first { place in
        if result.verdict != .fail { return false }
        let earlier = troubles[place]
        return !earlier.isExpectation && !earlier.isInconclusive
          && earlier.since ?? earlier.instant <= result.instant
          && (earlier.devices + earlier.peers).contains(where: result.place.devices.contains)
      }
      if let owner {
        troubles[owner].consequences.append(Consequence(text: result.text, line: result.place.line))
      } else {
        troubles.append(Trouble(result))
      }
    }
    troubles += measured
    troubles = troubles.enumerated().sorted { a, b in
      (a.element.isInconclusive ? 1 : 0, a.element.instant, a.offset)
        < (b.element.isInconclusive ? 1 : 0, b.element.instant, b.offset)
    }.map(\.element)
    for result in judgement.expectations where !result.holds && result.place.isBlocked {
      let consequence = Consequence(text: result.text, line: result.place.line)
      // The step that was not done may itself follow from what an oracle found.
      let step = troubles.firstIndex { $0.isExpectation && $0.instant <= result.instant } ?? troubles.indices.first
      if let step { troubles[step].consequences.append(consequence) }
    }
    return troubles
  }

  /// Each with what came first and explains it.
  package static func explained(_ troubles: [Trouble], by circumstances: Circumstances) -> [Trouble] {
    troubles.map { trouble in
      var trouble = trouble
      if !trouble.isError { trouble.reason = circumstances.reason(for: trouble.question) }
      return trouble
    }
  }

  private static func claims(_ judgement: Judgement) -> [Trouble] {
    var troubles = all(in: judgement.findings)
    for oracle in judgement.oracles where oracle.suppressedFindings > 0 {
      if let place = troubles.firstIndex(where: { $0.claim == oracle.id && !$0.isInconclusive }) {
        troubles[place].count += oracle.suppressedFindings
      }
    }
    return troubles
  }

  /// Findings, those of one claim as one.
  package static func all(in findings: [Finding]) -> [Trouble] {
    var troubles: [Trouble] = []
    for finding in findings where finding.verdict > .pass {
      let place = troubles.firstIndex { trouble in
        trouble.claim == finding.oracle && trouble.clause == finding.clause
          && trouble.isInconclusive == (finding.verdict == .inconclusive)
      }
      guard let place else {
        troubles.append(
          Trouble(
            claim: finding.oracle, clause: finding.clause, instant: finding.instant, since: finding.since,
            devices: finding.device < 0 ? [] : [finding.device], peers: finding.peer.map { [$0] } ?? [],
            expected: finding.expected, actual: finding.actual,
            record: finding.record, line: nil, isInconclusive: finding.verdict == .inconclusive,
            isError: finding.verdict == .error))
        continue
      }
      troubles[place].count += 1
      if finding.device >= 0, !troubles[place].devices.contains(finding.device) {
        troubles[place].devices.append(finding.device)
      }
      if let peer = finding.peer, !troubles[place].peers.contains(peer) { troubles[place].peers.append(peer) }
    }
    return troubles
  }

  private init(_ result: ExpectationResult) {
    self.init(
      claim: result.text, clause: "", instant: result.instant, since: nil, devices: result.place.devices,
      expected: result.text, actual: result.detail, record: result.record, line: result.place.line,
      isInconclusive: result.verdict == .inconclusive, isStep: result.place.isStep, isAlways: result.place.isAlways)
  }
}
