package import AppSeam
package import SimKernel

/// What a scenario says of BeamScribe: what all apps are told, and who speaks.
package struct BeamSettings: Hashable, Sendable {
  /// A host advertises as long as it has a free seat, and not only until its first guest (BEAM 5.2.6).
  package var advertisesFreeSeats = false
  /// Chunks carry the host's wall time (BEAM 9.3).
  package var writesSentTimestamp = true
  /// A host keeps its transcript over a relaunch (BEAM 5.7.3).
  package var resumes = true
  /// The bench's own speaker, who is nothing that an app is told of; nil: only steps speak.
  package var speech: Speech? = nil

  package init() {}

  /// A person who speaks at every host as long as an event is on.
  package struct Speech: Hashable, Sendable {
    /// From one final to the next.
    package var interval = SimDuration.seconds(2)
    /// Finals in all; nil: without an end.
    package var finals: Int? = nil
    /// Partials before each final.
    package var partials = 0

    package init() {}
  }
}

/// What every app of a run is told, by name. The speaker is not among it: it is the bench's.
extension BeamSettings: WordRecord {
  package static let empty = BeamSettings()

  package mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.field("advertisesFreeSeats", &advertisesFreeSeats)
    try visitor.field("writesSentTimestamp", &writesSentTimestamp)
    try visitor.field("resumes", &resumes)
  }
}
