package import Conformance

/// Engines of BeamScribe with one clause broken each (Docs/Protocol/beamscribe-purposes.md).
package enum BeamMutants {
  package static let all: [Mutant] =
    hostPresence + hostStreams + hostPackets + hostBreakdowns + guestFinding + guestReading + guestBreakdowns
}
