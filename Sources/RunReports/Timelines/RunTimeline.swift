package import SimKernel

/// A run, or what captures show, as a picture over time: a lane for each device, what went between them, and what was
/// judged.
///
/// Instants are nanoseconds since the beginning. Memory grows with the run up to the limits of `TimelineReader`, and
/// with captures up to those of `CapturePicture`.
package struct RunTimeline: Sendable {
  package struct Lane: Sendable {
    package var name: String
    package var role: String
    /// What it is, in a line: engine, dialect, phone, address.
    package var about: String
    package var addresses: [String] = []
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
    /// An app said it; else it is what a capture shows of other layers.
    package var isOfApp = true
    /// What it is, in lines that come before the body; empty where the label says it.
    package var heading = ""
    /// As text where it is text, else as octets.
    package var body: String
    /// The record that showed it whole: of the trace, or of a capture.
    package var record: Int
    /// The capture that has the record, as an index of `files`; −1: the trace has it.
    package var file = -1
    /// What tells it from others of its label; empty: nothing does.
    package var note = ""
    /// Octets of a stream before the body that belong to it, in hexadecimal; nil: it is of no stream.
    package var head: String?
    /// Indices of the PDUs that carried it, in the order of time, as far as they are shown.
    package var carriers: [Int] = []

    package var text: String { heading.isEmpty ? body : body.isEmpty ? heading : heading + "\n" + body }
  }

  /// A PDU on the air, or another record of a capture.
  package struct PDU: Sendable {
    package var start: SimInstant
    package var duration: SimDuration
    package var transmitter: Int
    /// −1: nobody in particular.
    package var receiver: Int
    /// −1: none, or not known.
    package var rfChannel: Int
    package var fate: Fate
    /// One line.
    package var words: String
    /// All layers with their fields.
    package var tree: String
    package var octets: [UInt8]
    /// How many it has; more than `octets` where a page keeps the first only.
    package var octetCount: Int
    /// Its number in its capture, from 1.
    package var number: Int
    /// Index of `files`.
    package var file = 0
    /// Index of `rows`.
    package var row = 0

    package enum Fate: Int, Sendable {
      case received, corrupted, unheard
      /// On its way through a network.
      case lost
    }
  }

  /// A call that an app made of CoreBluetooth, or what it was told by it.
  package struct Call: Sendable {
    package enum Kind: Int, Sendable { case call, callback, remark }

    package var kind: Kind
    package var lane: Int
    package var at: SimInstant
    /// The method with its arguments, or a remark.
    package var text: String
    /// The lane that it is about; −1: none in particular.
    package var peer = -1
    /// A phone would log it as misuse, or the app was told of an error.
    package var isBad = false
    /// The record of the trace.
    package var record: Int
  }

  /// A line that an app which is a program wrote to standard error.
  package struct LogLine: Sendable {
    package var lane: Int
    /// When the bench took it over: with the answer to what the program was told at this instant.
    package var at: SimInstant
    package var text: String
    /// It came when the program was told nothing more.
    package var isAfterAnswers = false
  }

  /// Something at an instant.
  package struct Mark: Sendable {
    package enum Kind: String, Sendable {
      case step, expectation, fault, note, finding
      /// A browser has found a service, or it is gone.
      case discovery
      /// Here two timelines part.
      case difference
      /// What the capturer wrote into the capture.
      case comment
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
    /// Indices of PDUs: the one that shows it, with those around it on the same connection.
    package var around: [Int] = []
    /// Where it is, for example `air.pcapng packet 12`; nil: the line says it, or nothing does.
    package var place: String?
    /// What led to it, in the order of time.
    package var story: [StoryLine] = []
  }

  /// One thing that led to a mark.
  package struct StoryLine: Sendable {
    package var at: SimInstant
    package var text: String
    /// Indices of the packet and of the first PDU that it is about.
    package var packet: Int?
    package var pdu: Int?
    /// Index of the call that it is.
    package var call: Int?
  }

  package var lanes: [Lane]
  package var spans: [Span] = []
  package var packets: [Packet] = []
  /// By their start, which the page looks for in halves.
  package var pdus: [PDU] = []
  package var marks: [Mark] = []
  /// In the order of the trace; empty where no app uses CoreBluetooth.
  package var calls: [Call] = []
  /// By lanes, each in its order; empty where no program wrote anything.
  package var log: [LogLine] = []
  package var end: SimInstant
  /// The captures that have the PDUs.
  package var files = ["air.pcapng"]
  /// Where PDUs are drawn in a lane: one below the other.
  package var rows = ["radio"]
  /// A capture that is known to lack PDUs of connections: it has gaps, or begins in the middle of one.
  package var missesPDUs = false
  /// What is not shown, and why, for people.
  package var omissions: [String] = []
}
