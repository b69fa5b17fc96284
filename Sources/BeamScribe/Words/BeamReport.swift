package import AppSeam

/// What a BeamScribe app shows or claims; the only view that judges have into an engine.
///
/// Spec: BEAM 10.
package enum BeamReport: Hashable, Sendable {
  /// One of `BeamState`, by its name.
  case state(String)
  /// Host: the name of the event as it starts, and as the network has changed it.
  case eventNamed(String)
  /// A guest shows a final; a host has spoken it.
  case finalShown(sequence: Int, text: String)
  case partialShown(sequence: Int, text: String)
  /// A guest drops all that it showed, because the history is of another session.
  case transcriptCleared
  /// The history of a stream is complete.
  case historyShown(upTo: Int)
  /// `isOwn`: nobody sent it, the guest noticed itself.
  case alertShown(String, isOwn: Bool)
  /// Host.
  case alertRaised(String)
  case gateOpened(ConnectionID, peer: String)
  /// Host: a stream of a guest ended too early; the count is that of the guest.
  case unstable(peer: String, count: Int)
  /// Host: guests with a stream up, and how many of them have one that is open.
  case guests(count: Int, open: Int)
  /// Guest: its own wall time less the host's for a chunk, in milliseconds; may be negative.
  case latency(sequence: Int, milliseconds: Int)
  /// The platform took the last octet of a frame; `octets` counts the whole frame.
  case packetSent(ConnectionID, type: String, octets: Int)
  /// A packet was read; `octets` counts its whole frame.
  case packetReceived(ConnectionID, type: String, octets: Int)
  /// A stream was refused; one of `RefusalReason`, by its name.
  case refused(ConnectionID, reason: String)
}

extension BeamReport {
  /// What a report is, without its fields.
  package enum Mark: UInt8, Hashable, Sendable {
    case state = 1
    case eventNamed, finalShown, partialShown, transcriptCleared, historyShown, alertShown, alertRaised, gateOpened
    case unstable, guests, latency, packetSent, packetReceived, refused
  }

  package var mark: UInt8 {
    let mark: Mark =
      switch self {
      case .state: .state
      case .eventNamed: .eventNamed
      case .finalShown: .finalShown
      case .partialShown: .partialShown
      case .transcriptCleared: .transcriptCleared
      case .historyShown: .historyShown
      case .alertShown: .alertShown
      case .alertRaised: .alertRaised
      case .gateOpened: .gateOpened
      case .unstable: .unstable
      case .guests: .guests
      case .latency: .latency
      case .packetSent: .packetSent
      case .packetReceived: .packetReceived
      case .refused: .refused
      }
    return mark.rawValue
  }
}

extension BeamReport: AppStatement {
  package static let words: [BeamReport] = [
    .state(""), .eventNamed(""), .finalShown(sequence: 0, text: ""), .partialShown(sequence: 0, text: ""),
    .transcriptCleared, .historyShown(upTo: 0), .alertShown("", isOwn: false), .alertRaised(""),
    .gateOpened(ConnectionID(0), peer: ""), .unstable(peer: "", count: 0), .guests(count: 0, open: 0),
    .latency(sequence: 0, milliseconds: 0), .packetSent(ConnectionID(0), type: "", octets: 0),
    .packetReceived(ConnectionID(0), type: "", octets: 0), .refused(ConnectionID(0), reason: ""),
  ]

  package mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .state, .eventNamed, .finalShown, .partialShown, .transcriptCleared, .historyShown, .alertShown,
      .alertRaised, .latency:
      try visitScreen(&visitor)
    case .gateOpened, .unstable, .guests, .packetSent, .packetReceived, .refused: try visitStreams(&visitor)
    }
  }

  private mutating func visitScreen<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .state(var state):
      try visitor.word("state")
      try visitor.field("state", &state)
      self = .state(state)
    case .eventNamed(var name):
      try visitor.word("eventNamed")
      try visitor.field("name", &name)
      self = .eventNamed(name)
    case .finalShown(var sequence, var text):
      try visitor.word("finalShown")
      try visitor.field("sequence", &sequence)
      try visitor.field("text", &text)
      self = .finalShown(sequence: sequence, text: text)
    case .partialShown(var sequence, var text):
      try visitor.word("partialShown")
      try visitor.field("sequence", &sequence)
      try visitor.field("text", &text)
      self = .partialShown(sequence: sequence, text: text)
    case .transcriptCleared: try visitor.word("transcriptCleared")
    case .historyShown(var upTo):
      try visitor.word("historyShown")
      try visitor.field("upTo", &upTo)
      self = .historyShown(upTo: upTo)
    case .alertShown(var alert, var isOwn):
      try visitor.word("alertShown")
      try visitor.field("alert", &alert)
      try visitor.field("own", &isOwn)
      self = .alertShown(alert, isOwn: isOwn)
    case .alertRaised(var alert):
      try visitor.word("alertRaised")
      try visitor.field("alert", &alert)
      self = .alertRaised(alert)
    case .latency(var sequence, var milliseconds):
      try visitor.word("latency")
      try visitor.field("sequence", &sequence)
      try visitor.field("milliseconds", &milliseconds)
      self = .latency(sequence: sequence, milliseconds: milliseconds)
    default: break
    }
  }

  private mutating func visitStreams<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .gateOpened(var stream, var peer):
      try visitor.word("gateOpened")
      try visitor.field("stream", &stream)
      try visitor.field("peer", &peer)
      self = .gateOpened(stream, peer: peer)
    case .unstable(var peer, var count):
      try visitor.word("unstable")
      try visitor.field("peer", &peer)
      try visitor.field("count", &count)
      self = .unstable(peer: peer, count: count)
    case .guests(var count, var open):
      try visitor.word("guests")
      try visitor.field("count", &count)
      try visitor.field("open", &open)
      self = .guests(count: count, open: open)
    case .packetSent(var stream, var type, var octets):
      try visitor.word("packetSent")
      try visitor.field("stream", &stream)
      try visitor.field("type", &type)
      try visitor.field("octets", &octets)
      self = .packetSent(stream, type: type, octets: octets)
    case .packetReceived(var stream, var type, var octets):
      try visitor.word("packetReceived")
      try visitor.field("stream", &stream)
      try visitor.field("type", &type)
      try visitor.field("octets", &octets)
      self = .packetReceived(stream, type: type, octets: octets)
    case .refused(var stream, var reason):
      try visitor.word("refused")
      try visitor.field("stream", &stream)
      try visitor.field("reason", &reason)
      self = .refused(stream, reason: reason)
    default: break
    }
  }
}

extension WordVisitor {
  /// A stream is its number.
  fileprivate mutating func field(_ name: StaticString, _ value: inout ConnectionID) throws(Failure) {
    var number = value.rawValue
    try field(name, &number)
    value = ConnectionID(number)
  }
}
