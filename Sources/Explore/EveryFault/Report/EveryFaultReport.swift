import AppSeam
import Bench
package import Judging
import SimKernel

/// What a campaign of faults came to, for people, CI servers and programs.
///
/// Everything but `wallMilliseconds` is the same in every run of as many worlds of the same plan.
package struct EveryFaultReport: Sendable {
  /// A cause, as reports have it.
  package struct Cause: Sendable {
    package var discovery: FaultTally.Discovery
    /// What was done in the first world that showed it, one line for each fault.
    package var done: [String]
    /// The scenario file that plays it; nil: none was written.
    package var file: String?
    package var repeatLine: String

    package init(discovery: FaultTally.Discovery, done: [String], file: String?, repeatLine: String) {
      self.discovery = discovery
      self.done = done
      self.file = file
      self.repeatLine = repeatLine
    }
  }

  package let plan: EveryFaultPlan
  package let tally: FaultTally
  package let causes: [Cause]
  /// Worlds with two faults that were asked for; nil: as many as there was time for.
  package let pairs: Int?
  package let isInterrupted: Bool
  package let repeatLine: String
  package let wallMilliseconds: Int

  package init(
    plan: EveryFaultPlan, tally: FaultTally, causes: [Cause], pairs: Int?, isInterrupted: Bool, repeatLine: String,
    wallMilliseconds: Int
  ) {
    self.plan = plan
    self.tally = tally
    self.causes = causes
    self.pairs = pairs
    self.isInterrupted = isInterrupted
    self.repeatLine = repeatLine
    self.wallMilliseconds = wallMilliseconds
  }

  /// Worlds with one fault that were played.
  package var singles: Int { tally.worlds - tally.pairs }
  /// Whether all that was asked for was judged.
  package var isWhole: Bool { singles == plan.singles && tally.pairs >= pairs ?? 0 }

  /// A cause is a fail; without one, a part of the worlds shows nothing of the rest, and what no oracle judged shows
  /// nothing at all.
  package var verdict: Verdict {
    if !causes.isEmpty { return .fail }
    return tally.unjudged == tally.worlds ? .none : isWhole ? .pass : .inconclusive
  }

  /// Worlds in ten seconds of wall-clock time.
  package var worldsInTenSeconds: Int { wallMilliseconds > 0 ? tally.worlds * 10_000 / wallMilliseconds : 0 }

  package var rate: String { "\(worldsInTenSeconds / 10).\(worldsInTenSeconds % 10) worlds/s" }

  // MARK: The sentence

  /// `2 914 places × 10 faults × 8 devices: 163 184 worlds, 2 causes`.
  package var sentence: String {
    "\(Self.count(plan.places.count, "place")) × \(choices): \(extent)\(unjudged), \(Self.count(causes.count, "cause"))"
  }

  private var unjudged: String {
    tally.unjudged == 0 ? "" : ", of which no oracle judged anything in \(Self.grouped(tally.unjudged))"
  }

  private var choices: String {
    var groups: [(faults: Int, devices: Int)] = []
    for device in plan.scenario.devices.indices {
      let faults = plan.choices.count { $0.device == device }
      if faults == 0 { continue }
      if let index = groups.firstIndex(where: { $0.faults == faults }) {
        groups[index].devices += 1
      } else {
        groups.append((faults, 1))
      }
    }
    let texts = groups.map { "\(Self.count($0.faults, "fault")) × \(Self.count($0.devices, "device"))" }
    return texts.count == 1 ? texts[0] : "(" + texts.joined(separator: " + ") + ")"
  }

  private var extent: String {
    let pairs = tally.pairs == 0 ? "" : " and \(Self.count(tally.pairs, "pair")) of faults"
    if singles == plan.singles { return Self.count(singles, "world") + pairs }
    let share = plan.singles == 0 ? 0 : singles * 10_000 / plan.singles
    let hundredths = String(share % 100 + 100).dropFirst()
    return "\(Self.grouped(singles)) of \(Self.count(plan.singles, "world")) (\(share / 100).\(hundredths) %,"
      + " spread over \(Self.count(tally.placesPlayed, "place")))" + pairs
  }

  static func count(_ number: Int, _ noun: String) -> String {
    CountedNoun.text(number, noun).replacing("\(number)", with: grouped(number), maxReplacements: 1)
  }

  /// A number with a narrow blank between thousands.
  static func grouped(_ number: Int) -> String {
    let digits = Array(String(number))
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "\u{202F}" }
      text.append(digit)
    }
    return text
  }

  // MARK: Facts

  package var facts: [(name: String, value: String)] {
    let kinds = FaultKind.allCases.filter { kind in plan.choices.contains { $0.kind == kind } }
    var facts: [(name: String, value: String)] = [
      ("scenario", plan.scenario.name), ("seed", String(plan.seed)),
      ("the undisturbed run ends at", "\(plan.end) s"),
      ("faults", kinds.map(\.short).joined(separator: ", ")),
      ("a world goes on after the last fault for", "\(plan.margin.shortSeconds) s"),
      ("worlds with one fault", "\(singles) of \(plan.singles)"), ("worlds with two", String(tally.pairs)),
      ("worlds that failed", String(tally.failed)), ("worlds that nothing judged", String(tally.unjudged)),
      ("events", String(tally.events)),
      ("digest", tally.digest.hexadecimal),
    ]
    if isInterrupted { facts.append(("ended", "interrupted")) }
    return facts
  }
}
