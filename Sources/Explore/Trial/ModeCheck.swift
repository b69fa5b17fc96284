import Bench
import Conformance
import Judging
import Shrink
import SimKernel

/// Plays a world again in other ways, which must come to the same.
struct ModeCheck {
  let bench: TrialBench

  /// What is different about a run; none of it may change what the run is.
  private struct Mode {
    var name: String
    var isStepped = false
    var air = false
    var hci = false
    var network = false
  }

  private static let modes = [
    Mode(
      name: "stepping through idle connection events, everything watched", isStepped: true, air: true, hci: true,
      network: true),
    Mode(name: "everything watched", air: true, hci: true, network: true),
    Mode(name: "stepping through idle connection events", isStepped: true),
    Mode(name: "the air watched", air: true),
    Mode(name: "HCI watched", hci: true),
    Mode(name: "the network watched", network: true),
    Mode(name: "nothing but again"),
  ]

  /// Two of the ways, drawn, and both that differ most from a plain run.
  func sightings(of scenario: Scenario, seed: UInt64, _ first: Judgement) throws -> [CauseSighting] {
    let draws = Draws(seed: seed).of("modes")
    let others = draws.inDrawnOrder("order", Array(Self.modes[2...])).prefix(1)
    var sightings: [CauseSighting] = []
    for mode in Self.modes[..<2] + others {
      if let sighting = try sighting(mode, scenario, seed, first) { sightings.append(sighting) }
    }
    return sightings
  }

  /// One of the ways; nil: it comes to the same.
  func sighting(of cause: WorldCause, _ scenario: Scenario, seed: UInt64, _ first: Judgement) throws -> CauseSighting? {
    guard let mode = Self.modes.first(where: { $0.name == cause.rule }) else { return nil }
    return try sighting(mode, scenario, seed, first)
  }

  private func sighting(
    _ mode: Mode, _ scenario: Scenario, _ seed: UInt64, _ first: Judgement
  ) throws -> CauseSighting? {
    var options = RunOptions(seed: seed)
    options.stepsIdleEvents = mode.isStepped
    let watcher = Watcher(air: mode.air, hci: mode.hci, network: mode.network)
    let second = try bench.judge(scenario, options, [watcher])
    return Self.difference(first, second).map {
      CauseSighting(cause: WorldCause(.mode, rule: mode.name), detail: $0)
    }
  }

  /// What two runs that should be one do not agree about; nil: they agree.
  static func difference(_ a: Judgement, _ b: Judgement) -> String? {
    if a.outcome.digest != b.outcome.digest {
      return "digest \(b.outcome.digest.hexadecimal) where a plain run has \(a.outcome.digest.hexadecimal)"
    }
    if a.outcome.ending != b.outcome.ending || a.outcome.endInstant != b.outcome.endInstant {
      return "it ends at \(b.outcome.endInstant) s where a plain run ends at \(a.outcome.endInstant) s"
    }
    for (one, other) in zip(a.oracles, b.oracles) where one.verdict != other.verdict {
      return "\(one.id) says \(other.verdict.name) where it says \(one.verdict.name) of a plain run"
    }
    for (one, other) in zip(a.expectations, b.expectations) where one.holds != other.holds {
      return "“\(one.text)” \(other.holds ? "holds" : "does not hold"), other than in a plain run"
    }
    return a.outcome.devices == b.outcome.devices ? nil : "what is counted of devices is not what it is in a plain run"
  }
}

/// Asks for some of what there is to see, and keeps nothing.
private final class Watcher: TraceReader {
  let wantsAir: Bool
  let wantsHCI: Bool
  let wantsNetwork: Bool

  init(air: Bool, hci: Bool, network: Bool) { (wantsAir, wantsHCI, wantsNetwork) = (air, hci, network) }

  func read(_ record: TraceRecord) {}
}
