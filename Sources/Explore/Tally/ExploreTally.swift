package import Judging
import SimKernel

/// What drawn worlds are folded into, in the order of their seeds.
package struct ExploreTally: Sendable, Codable {
  /// A cause with how often it was seen.
  package struct Entry: Sendable, Codable {
    package var cause: WorldCause
    package var count: Int
    /// The first world that shows it.
    package var seed: UInt64
    /// Which of that world's causes it is, from 0.
    package var place: Int
    package var detail: String
    /// The world with the fewest events that shows it.
    package var smallest: UInt64
    package var smallestEvents: Int
  }

  /// An oracle that did not see all of a program in some worlds.
  package struct Unseen: Sendable, Codable {
    package var oracle: String
    package var worlds: Int
    /// The first of them, and what was missing there.
    package var seed: UInt64
    package var reason: String
  }

  package private(set) var worlds = 0
  package private(set) var passed = 0
  /// Worlds with a cause.
  package private(set) var failed = 0
  /// Worlds in which nothing was judged.
  package private(set) var unjudged = 0
  /// Worlds with nothing wrong in which some oracle did not see all of a program.
  package private(set) var passedUnseen = 0
  package private(set) var unseen: [Unseen] = []
  /// Worlds that ended at a step that waited.
  package private(set) var cutShort = 0
  /// Worlds in which a stack was broken on purpose.
  package private(set) var excused = 0
  /// Worlds that were played in other modes too.
  package private(set) var withModes = 0
  /// Worlds whose captures were judged too.
  package private(set) var withCaptures = 0
  package private(set) var events = 0
  package private(set) var simulatedMilliseconds = 0
  /// In the order of the worlds that show them first.
  package private(set) var causes: [Entry] = []
  package private(set) var coverage = Coverage()
  /// Over the seeds and digests of all worlds, in whatever order they were played.
  package private(set) var digest: UInt64 = 0

  package init() {}

  package mutating func add(_ outcome: WorldOutcome) {
    worlds += 1
    coverage.add(outcome.uses)
    events += outcome.events
    simulatedMilliseconds += Int(outcome.nanoseconds / 1_000_000)
    if outcome.isCutShort { cutShort += 1 }
    if outcome.isExcused { excused += 1 }
    if outcome.hasModes { withModes += 1 }
    if outcome.hasCaptures { withCaptures += 1 }
    if !outcome.sightings.isEmpty {
      failed += 1
    } else if outcome.verdict == .none {
      unjudged += 1
    } else {
      passed += 1
      if !outcome.unseen.isEmpty { passedUnseen += 1 }
    }
    for (oracle, reason) in outcome.unseen {
      add(Unseen(oracle: oracle, worlds: 1, seed: outcome.seed, reason: reason))
    }
    digest &+= RandomStream.mix(outcome.seed ^ RandomStream.mix(outcome.digest?.word ?? 0))
    for (place, sighting) in outcome.sightings.enumerated() { add(sighting, place, of: outcome) }
  }

  private mutating func add(_ sighting: CauseSighting, _ number: Int, of outcome: WorldOutcome) {
    guard let place = causes.firstIndex(where: { $0.cause == sighting.cause }) else {
      causes.append(
        Entry(
          cause: sighting.cause, count: 1, seed: outcome.seed, place: number, detail: sighting.detail,
          smallest: outcome.seed, smallestEvents: outcome.events))
      return
    }
    causes[place].count += 1
    if outcome.events < causes[place].smallestEvents {
      causes[place].smallest = outcome.seed
      causes[place].smallestEvents = outcome.events
    }
  }

  private mutating func add(_ entry: Unseen) {
    guard let place = unseen.firstIndex(where: { $0.oracle == entry.oracle }) else { return unseen.append(entry) }
    unseen[place].worlds += entry.worlds
    if entry.seed < unseen[place].seed { (unseen[place].seed, unseen[place].reason) = (entry.seed, entry.reason) }
  }

  /// Adds what other worlds came to, which may be before these, after them and between them.
  package mutating func merge(_ other: ExploreTally) {
    worlds += other.worlds
    passed += other.passed
    failed += other.failed
    unjudged += other.unjudged
    passedUnseen += other.passedUnseen
    for entry in other.unseen { add(entry) }
    unseen.sort { ($0.seed, $0.oracle) < ($1.seed, $1.oracle) }
    cutShort += other.cutShort
    excused += other.excused
    withModes += other.withModes
    withCaptures += other.withCaptures
    events += other.events
    simulatedMilliseconds += other.simulatedMilliseconds
    coverage.merge(other.coverage)
    digest &+= other.digest
    for entry in other.causes {
      guard let place = causes.firstIndex(where: { $0.cause == entry.cause }) else {
        causes.append(entry)
        continue
      }
      causes[place].count += entry.count
      if entry.seed < causes[place].seed {
        (causes[place].seed, causes[place].detail, causes[place].place) = (entry.seed, entry.detail, entry.place)
      }
      if (entry.smallestEvents, entry.smallest) < (causes[place].smallestEvents, causes[place].smallest) {
        (causes[place].smallest, causes[place].smallestEvents) = (entry.smallest, entry.smallestEvents)
      }
    }
    causes.sort { ($0.seed, $0.place) < ($1.seed, $1.place) }
  }

  /// The verdict of the worlds that were played.
  package var verdict: Verdict {
    if causes.contains(where: { [.refusal, .bench].contains($0.cause.kind) }) { return .error }
    if failed > 0 { return .fail }
    if passed == 0 { return .none }
    // There is no world of which it is known that all was right.
    return passedUnseen == passed ? .inconclusive : .pass
  }
}
