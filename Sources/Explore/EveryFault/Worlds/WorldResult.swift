import InPlaceFuzz
import SimKernel

/// What makes findings of different worlds one: the claim, and who has broken it.
package struct FaultCause: Hashable, Sendable {
  /// The oracle, or `ComesToRest`, `Crash`, `Hang`, `Memory`.
  package var oracle: String
  package var clause: String
  /// That of the device that is blamed; empty: the world is.
  package var role: String

  package init(oracle: String, clause: String, role: String) {
    self.oracle = oracle
    self.clause = clause
    self.role = role
  }

  /// For people.
  package var text: String {
    oracle + (clause.isEmpty ? "" : " (\(clause))") + (role.isEmpty ? "" : " by \(CountedNoun.one(role))")
  }
}

/// What one world came to.
package struct FaultedWorld: Hashable, Sendable {
  package struct Sighting: Hashable, Sendable {
    package var cause: FaultCause
    /// One line for people.
    package var text: String
  }

  package var digest = ""
  package var events = 0
  /// Each cause once, in the order in which oracles report.
  package var sightings: [Sighting] = []
  /// Whether any oracle judged anything but the end of the run.
  package var isJudged = true
  package var isSound: Bool { sightings.isEmpty }

  package init() {}

  /// What there is of a world whose process ended in the middle.
  init(ended finding: Execution.Finding) {
    let cause = FaultCause(oracle: finding.cause.oracle, clause: finding.cause.clause, role: "")
    sightings = [Sighting(cause: cause, text: finding.text)]
  }

  /// What there is of a world that the bench could not play.
  init(failedBy error: any Error) {
    sightings = [Sighting(cause: Self.benchFailed, text: "\(error)")]
  }

  private static let benchFailed = FaultCause(oracle: "Bench", clause: "", role: "")

  /// Why the bench could not play it; nil: it did.
  var benchFailure: String? { sightings.first { $0.cause == Self.benchFailed }?.text }

  // MARK: From a child to its parent

  /// Causes that are told of a world.
  private static let mostSightings = 64

  func write(to memory: UnsafeMutableRawBufferPointer) {
    // The first word says that all is there.
    var writer = SharedMemoryWriter(memory: memory, place: 8)
    writer.number(UInt64(events))
    writer.number(isJudged ? 1 : 0)
    writer.text(digest)
    let told = sightings.prefix(Self.mostSightings)
    writer.number(UInt64(told.count))
    for sighting in told {
      for text in [sighting.cause.oracle, sighting.cause.clause, sighting.cause.role, sighting.text] {
        writer.text(text)
      }
    }
    memory.storeBytes(of: 1, as: UInt64.self)
  }

  /// Nil when the child did not get to its end.
  init?(reading memory: UnsafeRawBufferPointer) {
    guard memory.load(as: UInt64.self) == 1 else { return nil }
    var reader = SharedMemoryReader(memory: memory, place: 8)
    events = Int(reader.number())
    isJudged = reader.number() == 1
    digest = reader.text()
    sightings = (0..<reader.number()).map { _ in
      let (oracle, clause, role) = (reader.text(), reader.text(), reader.text())
      return Sighting(cause: FaultCause(oracle: oracle, clause: clause, role: role), text: reader.text())
    }
  }
}
