import AppSeam
import BeamOracles
import BeamSuite
import Conformance
import Expectations
import Judging
import Testing

@Suite("Oracles of BeamScribe in worlds")
struct MutantWorldTests {
  static let scenarios: [(name: String, text: String)] = [
    ("talk", JudgedWorld.talk), ("vanishing", JudgedWorld.vanishing), ("outage", JudgedWorld.outage),
    ("partial", JudgedWorld.partial), ("slow", JudgedWorld.slow), ("long", JudgedWorld.long),
    ("crowd", JudgedWorld.crowd), ("early", JudgedWorld.early), ("rude", JudgedWorld.rude),
    ("flaky", JudgedWorld.flaky), ("heavy", JudgedWorld.heavy), ("huge", JudgedWorld.huge),
    ("restless", JudgedWorld.restless),
  ]

  private static func text(_ name: String) throws -> String { try required(scenarios.first { $0.name == name }).text }

  @Test("The reference is accused of nothing", arguments: scenarios.map { $0.name })
  func reference(_ name: String) throws {
    let judgement = try JudgedWorld.judge(Self.text(name))
    equal(JudgedWorld.findings(judgement), [])
    expect(judgement.oracles.reduce(0) { $0 + $1.judged } > 5)
  }

  @Test("The reference is accused of nothing, whatever was drawn", arguments: [2, 3, 4, 5] as [UInt64])
  func seeds(_ seed: UInt64) throws {
    for text in [JudgedWorld.talk, JudgedWorld.vanishing, JudgedWorld.outage, JudgedWorld.crowd, JudgedWorld.flaky] {
      try equal(JudgedWorld.findings(JudgedWorld.judge(text, seed: seed)), [])
    }
  }

  @Test("Every oracle judges something in these worlds")
  func judged() throws {
    var judged: [String] = []
    for (_, text) in Self.scenarios {
      for oracle in try JudgedWorld.judge(text).oracles where oracle.judged > 0 { judged.append(oracle.id) }
    }
    equal(BeamOracles.all.map { $0.id }.filter { !judged.contains($0) }, [])
  }

  /// Which world shows a mutant, with another engine at the other end where one is needed.
  struct Case: Sendable, CustomStringConvertible {
    var mutant: String
    var world: String
    var other: String?
    var description: String { "\(mutant) in \(world)" }

    init(_ mutant: String, in world: String, with other: String? = nil) {
      self.mutant = mutant
      self.world = world
      self.other = other
    }
  }

  static let cases: [Case] =
    [
      "whole-event-name", "keeps-advertising", "never-advertises-again", "gate-of-three-seconds", "gate-of-zero",
      "gate-skipped",
      "history-of-ready", "counts-stable", "never-counts", "little-endian-length", "unsorted-keys", "escapes-slash",
      "long-fraction", "numbers-per-guest", "partial-numbered", "history-off-by-one", "seam-twice",
      "history-once", "alert-to-first-only", "live-chunk-forgotten", "keeps-scanning", "says-hello",
      "trims-text", "partial-kept", "alert-as-text", "alert-swallowed", "never-rescans",
      "history-appended",
    ].map { Case($0, in: "talk") } + [
      Case("awdl-first", in: "talk"), Case("seam-repeats", in: "talk", with: "seam-twice"),
      Case("gap-shown", in: "talk", with: "history-off-by-one"), Case("sessions-joined", in: "talk"),
      Case("no-empty-history", in: "early"), Case("never-primes", in: "early"),
      Case("one-bad-closes-all", in: "rude", with: "says-hello"), Case("gate-ignores-viability", in: "flaky"),
      Case("frames-mixed", in: "heavy"), Case("history-unpaged", in: "huge"), Case("never-rests", in: "restless"),
      Case("retries-at-once", in: "vanishing"), Case("constant-retry", in: "vanishing"),
      Case("retries-on", in: "vanishing"), Case("vanished-unnoticed", in: "vanishing"),
      Case("guest-without-keep-alive", in: "vanishing"), Case("gives-up", in: "vanishing"),
      Case("refusal-is-final", in: "partial", with: "up-to-counts-partials"),
      Case("ignores-bad-frame", in: "partial", with: "up-to-counts-partials"),
      Case("waits-for-slowest", in: "slow"), Case("last-guest-behind", in: "long"),
      Case("eighth-guest-taken", in: "crowd"),
    ]

  @Test("A mutant is found by its oracle", arguments: cases)
  func mutants(_ example: Case) throws {
    let mutant = try required(BeamMutants.named(example.mutant))
    let oracle = try required(mutant.oracle)
    let isHost = mutant.role.rawValue == "host"
    let other = example.other ?? AppProtocol.reference
    let isRude = example.world == "rude"
    let judgement = try JudgedWorld.judge(
      Self.text(example.world), host: isHost ? mutant.name : other,
      guest: isRude ? AppProtocol.reference : isHost ? other : mutant.name, rude: other)
    let result = try required(judgement.oracles.first { $0.id == oracle })
    equal(result.verdict, .fail, "\(JudgedWorld.findings(judgement).prefix(5))")
  }
}
