import Campaigns
import Conformance
import Foundation
import Fuzzing
import SimKernel

/// One parser under fuzzing, however it is reached.
protocol FuzzCampaign: AnyObject {
  var decoder: FuzzedDecoder { get }
  var findings: [FuzzFinding] { get }
  var corpus: [[UInt8]] { get }
  var done: UInt64 { get }
  var states: UInt64 { get }
  /// Over executions: answers, inputs kept, findings.
  var curve: CampaignCurve { get }
  /// What is to be said about how it went; nil: nothing.
  var remark: String? { get }

  /// - Parameter shouldStop: asked a few times a second.
  func run(shouldStop: () -> Bool) throws
}

extension FuzzCampaign {
  static var emptyCurve: CampaignCurve { CampaignCurve(["answers", "kept", "findings"]) }

  /// How far it is: what is before the next execution, and nothing else.
  var progress: ParserProgress {
    ParserProgress(done: done, states: states, corpus: corpus.map { Data($0) }, findings: findings, curve: curve)
  }

  func showProgress(_ execution: UInt64, of executions: UInt64) {
    guard Console.showsProgress else { return }
    Console.progress(
      "\(decoder.name): \(execution) of \(executions) executions, \(CountedNoun.text(corpus.count, "input")) kept, "
        + CountedNoun.text(findings.count, "finding"))
  }
}

/// How far a campaign is, and all that it needs to go on.
struct ParserProgress: Codable {
  var done: UInt64
  var states: UInt64
  var corpus: [Data]
  var findings: [FuzzFinding]
  var curve: CampaignCurve
}

struct FuzzFinding: Codable {
  var decoder: String
  /// What is the same for all inputs of this finding.
  var cause: String
  /// What was said about this one input; nil: no more than the cause.
  var detail: String?
  /// `.max`: a given input.
  var execution: UInt64
  var input: [UInt8]
}

/// What a campaign is given, and where what it comes to goes at once.
struct CampaignPlan {
  var seed: UInt64
  var executions: UInt64
  /// Inputs to begin with.
  var seeds: [[UInt8]]
  /// Where an earlier run of it ended; nil: it begins.
  var progress: ParserProgress?
  /// Wall-clock seconds without progress after which an input counts as a hang.
  var patience: Double
  /// Resident memory, octets.
  var memory: Int
  /// Takes an input that was kept.
  var kept: ([UInt8]) throws -> Void
  /// Takes a finding, whole.
  var found: (FuzzFinding) throws -> Void
}
