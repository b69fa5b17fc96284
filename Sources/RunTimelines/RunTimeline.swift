package import RunCauses
package import SimKernel

/// A run as a picture over time: a lane for each device, what went between them, and what was judged.
///
/// Instants are nanoseconds of the run. Memory grows with the run up to the limits of `TimelineReader`.
package struct RunTimeline: Sendable {
  package struct Lane: Sendable {
    package var name: String
    package var role: String
    /// What it is, in a line: engine, dialect, phone, address.
    package var about: String
  }

  /// A state that a lane was in.
  package typealias Span = StateSpan

  /// What one app sent to another.
  package struct Packet: Sendable {
    /// Lanes; −1: nobody of this run.
    package var from: Int
    package var to: Int
    package var sentAt: SimInstant
    /// Nil: it never came.
    package var receivedAt: SimInstant?
    package var label: String
    /// How many values carried it.
    package var fragments: Int
    package var isPacket: Bool
    /// As text where it is text, else as octets.
    package var text: String
    /// The record of the trace that showed it whole.
    package var record: Int
  }

  /// A PDU on the air.
  package struct PDU: Sendable {
    package var start: SimInstant
    package var duration: SimDuration
    package var transmitter: Int
    /// −1: nobody in particular.
    package var receiver: Int
    package var rfChannel: Int
    package var fate: Fate
    /// One line.
    package var words: String
    /// All layers with their fields.
    package var tree: String
    package var octets: [UInt8]

    package enum Fate: Int, Sendable {
      case received, corrupted, unheard
    }
  }

  /// Something at an instant.
  package struct Mark: Sendable {
    package enum Kind: String, Sendable {
      case step, expectation, fault, note, finding
    }

    package var kind: Kind
    package var at: SimInstant
    /// −1: of the whole run.
    package var lane: Int
    package var text: String
    /// Lines of more, for people.
    package var details: [String] = []
    /// Whether an expectation did not hold, or a finding is a failure.
    package var isBad = false
    /// The line of the scenario file; nil where it has none.
    package var line: Int?
    /// Indices of packets that led to it, the newest last.
    package var evidence: [Int] = []
  }

  package var lanes: [Lane]
  package var spans: [Span] = []
  package var packets: [Packet] = []
  package var pdus: [PDU] = []
  package var marks: [Mark] = []
  package var end: SimInstant
  /// What is not shown, and why, for people.
  package var omissions: [String] = []
}
