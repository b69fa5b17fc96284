package import Judging
import SimKernel

/// What drawn worlds are folded into, in the order of their seeds.
package struct ExploreTally: Sendable, Codable {
  /// A cause with how often it was seen.
  package struct Entry: Sendable, Codable {
    package var cause: Cause
    package var count: Int
    /// The first world that shows it.
    package var seed: UInt64
    package var detail: String
    /// The world with the fewest events that shows it.
    package var smallest: UInt64
    package var smallestEvents: Int
  }

  package private(set) var worlds = 0
  package private(set) var passed = 0
  /// Worlds with a cause.
  package private(set) var failed = 0
  /// Worlds in which nothing was judged.
  package private(set) var unjudged = 0
  /// Worlds that ended at a step that waited.
  package private(set) var cutShort = 0
  /// Worlds in which a stack was broken on purpose.
  package private(set) var excused = 0
  package private(set) var events = 0
  package private(set) var simulatedMilliseconds = 0
  /// In the order in which they were seen.
  package private(set) var causes: [Entry] = []
  /// Of the digests of all worlds.
  package private(set) var digest: UInt64 = 0

  package init() {}

  package mutating func add(_ outcome: WorldOutcome) {
    worlds += 1
    events += outcome.events
    simulatedMilliseconds += Int(outcome.nanoseconds / 1_000_000)
    if outcome.isCutShort { cutShort += 1 }
    if outcome.isExcused { excused += 1 }
    if !outcome.sightings.isEmpty {
      failed += 1
    } else if outcome.verdict == .none {
      unjudged += 1
    } else {
      passed += 1
    }
    for octet in outcome.digest?.hexadecimal.utf8 ?? "none".utf8 {
      digest = (digest ^ UInt64(octet)) &* 0x100_0000_01B3
    }
    for sighting in outcome.sightings { add(sighting, of: outcome) }
  }

  private mutating func add(_ sighting: CauseSighting, of outcome: WorldOutcome) {
    guard let place = causes.firstIndex(where: { $0.cause == sighting.cause }) else {
      causes.append(
        Entry(
          cause: sighting.cause, count: 1, seed: outcome.seed, detail: sighting.detail, smallest: outcome.seed,
          smallestEvents: outcome.events))
      return
    }
    causes[place].count += 1
    if outcome.events < causes[place].smallestEvents {
      causes[place].smallest = outcome.seed
      causes[place].smallestEvents = outcome.events
    }
  }

  /// The verdict of the worlds that were played.
  package var verdict: Verdict {
    if causes.contains(where: { [.refusal, .bench].contains($0.cause.kind) }) { return .error }
    if failed > 0 { return .fail }
    return passed > 0 ? .pass : .none
  }
}
