import Campaigns
import Conformance
import Foundation
import Fuzzing
import ParserTargets

/// One parser under fuzzing that runs in processes which somebody else starts: nothing of it can end this one.
final class DirectCampaign: FuzzCampaign {
  let decoder: FuzzedDecoder
  private let plan: CampaignPlan
  /// Why no input can be tried any more.
  private let problem: () -> ParserProblem?
  private(set) var findings: [FuzzFinding] = []
  private(set) var corpus: [[UInt8]] = []
  private(set) var done: UInt64 = 0
  private(set) var states: UInt64 = 0
  private(set) var curve = emptyCurve
  var remark: String? { nil }

  /// Each try may cost the start of a process.
  private static let shrinkTries = 300
  private static let executionsPerLook: UInt64 = 64

  init(_ decoder: FuzzedDecoder, _ plan: CampaignPlan, problem: @escaping () -> ParserProblem?) {
    self.decoder = decoder
    self.plan = plan
    self.problem = problem
    guard let progress = plan.progress else { return }
    (done, states, findings, curve) = (progress.done, progress.states, progress.findings, progress.curve)
    corpus = progress.corpus.map { [UInt8]($0) }
  }

  func run(shouldStop: () -> Bool) throws {
    var fuzzer = DecoderFuzzer(decoder, seed: plan.seed, from: done)
    // What it was told by an earlier run was kept then.
    for input in corpus { _ = fuzzer.add(input) }
    for input in plan.progress == nil ? plan.seeds : [] {
      if shouldStop() { return }
      let step = fuzzer.add(input)
      if Interruption.hasEndedPrograms { return }
      try take(step, input, .max)
    }
    while fuzzer.execution < plan.executions, !shouldStop() {
      let input = fuzzer.nextInput()
      let execution = fuzzer.execution
      let step = fuzzer.run(input)
      // Its end is no finding: it was ended.
      if Interruption.hasEndedPrograms { return }
      try take(step, input, execution)
      (done, states) = (fuzzer.execution, UInt64(fuzzer.states))
      curve.note([Int(states), corpus.count, findings.count], at: Int(done))
      if execution % Self.executionsPerLook == 0 { showProgress(execution, of: plan.executions) }
    }
  }

  private func take(_ step: DecoderFuzzer.Step, _ input: [UInt8], _ execution: UInt64) throws {
    if let problem = problem() { throw problem }
    switch step {
    case .nothing: break
    case .kept:
      corpus.append(input)
      try plan.kept(input)
    case .fault(let finding):
      let fault = finding.fault
      if findings.contains(where: { $0.cause == fault.rule }) { return }
      // To try a smaller input that may hang costs the whole patience.
      let small = fault.rule == ParserProgram.hang ? input : shrunk(input, fault.rule)
      let found = FuzzFinding(
        decoder: decoder.name, cause: fault.rule, detail: fault.description == fault.rule ? nil : fault.description,
        execution: execution, input: small)
      findings.append(found)
      try plan.found(found)
    }
  }

  private func shrunk(_ input: [UInt8], _ rule: String) -> [UInt8] {
    InputShrinker.shrink(input, tries: Self.shrinkTries) { candidate in
      if case .failure(let fault) = decoder.judge(candidate) { fault.rule == rule } else { false }
    }
  }
}
