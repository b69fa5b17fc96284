import AppSeam
import BeamOracles
import BeamSuite
import CaptureCheck
import Conformance
import Expectations
import Judging
import Testing

/// Each planted defect that an oracle finds in a run, and what a capture of that run shows of it.
@Suite("Mutants of BeamScribe in captures")
struct CapturedMutantTests {
  /// Mutants that no capture accuses by the oracle of their run, with the reason.
  static let unseen: [(why: String, mutants: [String])] = [
    (
      "Bluetooth is not in a capture of a network",
      [
        "whole-event-name", "keeps-advertising", "never-advertises-again", "keeps-scanning", "never-rescans",
        "never-primes",
      ]
    ),
    ("what a host counts is not sent", ["counts-stable", "never-counts"]),
    (
      "what a guest's screen shows is not sent",
      [
        "trims-text", "partial-kept", "alert-as-text", "alert-swallowed", "history-appended", "seam-repeats",
        "gap-shown", "sessions-joined", "vanished-unnoticed", "guest-without-keep-alive",
      ]
    ),
    (
      "what a person wants, and what a browser has found, is not sent",
      ["awdl-first", "gives-up", "refusal-is-final", "retries-at-once", "constant-retry", "retries-on"]
    ),
    ("whether a stream was viable for its host is not sent", ["gate-ignores-viability"]),
    ("a guest that does not read cannot be told from one that ignores what it reads", ["ignores-bad-frame"]),
    ("when a final was spoken is not sent", ["waits-for-slowest"]),
    ("when a host has read what a guest sent is not sent", ["one-bad-closes-all"]),
    ("nothing is sent", ["never-rests"]),
  ]

  private static func run(_ example: MutantWorldTests.Case) throws -> (mutant: Mutant, run: CapturedWorld) {
    let mutant = try required(BeamMutants.named(example.mutant))
    let isHost = mutant.role.rawValue == "host"
    let other = example.other ?? AppProtocol.reference
    let text = try required(MutantWorldTests.scenarios.first { $0.name == example.world }).text
    let isRude = example.world == "rude"
    return (
      mutant,
      try CapturedWorld(
        text, host: isHost ? mutant.name : other,
        guest: isRude ? AppProtocol.reference : isHost ? other : mutant.name, rude: other)
    )
  }

  @Test(
    "A mutant is accused by its oracle in the capture of its run, or the reason is known",
    arguments: MutantWorldTests.cases)
  func mutants(_ example: MutantWorldTests.Case) throws {
    let (mutant, run) = try Self.run(example)
    let oracle = try required(mutant.oracle)
    let judgement = run.judgement
    let result = try required(judgement.oracles.first { $0.id == oracle })
    let why = Self.unseen.first { $0.mutants.contains(mutant.name) }?.why
    equal((result.verdict == .fail), (why == nil), "\(CapturedWorld.summary(judgement))")
    for finding in result.findings where finding.verdict == .fail {
      expect(finding.record != nil && !finding.clause.isEmpty, "a finding names its packet and its clause")
      let device = judgement.participants[finding.device]
      equal(device.role, mutant.role.rawValue)
    }
  }

  @Test("No guest is accused for its host, and no host for its guests", arguments: MutantWorldTests.cases)
  func others(_ example: MutantWorldTests.Case) throws {
    guard example.other == nil else { return }
    let (mutant, run) = try Self.run(example)
    let judgement = run.judgement
    for finding in judgement.oracles.flatMap(\.findings) where finding.verdict == .fail {
      equal(judgement.participants[finding.device].role, mutant.role.rawValue, "\(finding)")
    }
  }
}
