public import BabSim

/// What the bench knows of one app's protocol, for captures: another app is one more of these, in a folder of its own.
///
/// It watches the traffic, finds the links on which its protocol is spoken, and says what its oracles say. It is made
/// for one check, and is asked for its results once, behind `finish`.
public protocol TrafficProtocol: TrafficObserver {
  /// As `--protocol` takes it.
  static var name: String { get }
  /// What `--dialect` takes.
  static var dialects: [String] { get }
  /// - Parameter dialect: nil to find out from the traffic.
  init(dialect: String?, session: TrafficSession)
  var results: TrafficJudgement { get }
}

/// What is known before the traffic is read: which captures there are, and which of their devices are the same.
public struct TrafficSession: Sendable {
  /// Paths of the captures, in the order of their file index.
  public var captures: [String]
  public init(captures: [String]) { self.captures = captures }
}

/// What a protocol says of captures.
public struct TrafficJudgement: Sendable {
  /// Who took part: `Finding.device` is an index into these.
  public var header: TraceHeader
  /// The dialect, and how it was found: "sdk, by its service UUID".
  public var dialect: String?
  public var oracles: [OracleResult]
  /// What could not be judged, and why; in the order of the packets.
  public var notes: [TrafficNote]

  public init(header: TraceHeader, dialect: String?, oracles: [OracleResult], notes: [TrafficNote]) {
    self.header = header
    self.dialect = dialect
    self.oracles = oracles
    self.notes = notes
  }
}

/// Something about a capture that is no verdict.
public struct TrafficNote: Hashable, Sendable {
  public var place: PacketPlace?
  public var text: String
  public init(place: PacketPlace?, text: String) {
    self.place = place
    self.text = text
  }
}
