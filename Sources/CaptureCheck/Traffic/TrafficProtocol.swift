public import Judging

/// What the bench knows of one app's protocol, for captures: another app is one more of these, in a folder of its own.
///
/// It watches the traffic, finds the links on which its protocol is spoken, and says what its oracles say.
public protocol TrafficProtocol: TrafficJudge, SendableMetatype {
  /// As `--protocol` takes it.
  static var name: String { get }
  /// What `--dialect` takes.
  static var dialects: [String] { get }
  /// - Parameter dialect: nil to find out from the traffic.
  init(dialect: String?, session: TrafficSession)
  /// What puts the protocol's packets into words, for one reading of captures.
  static func makePrinter() -> any PacketPrinter
}

/// Judges the traffic by an app's protocol. It is made for one check, and is asked for its results once, after
/// `finish`.
public protocol TrafficJudge: TrafficObserver {
  var results: TrafficJudgement { get }
}

/// What is known before the traffic is read: which captures there are, and which of their devices are the same.
public struct TrafficSession: Sendable {
  /// Paths of the captures, in the order of their file index.
  public var captures: [String]
  /// Indices of the captures whose clocks are not certain: what they show and what others show has no order.
  public var uncertainClocks: [Int]

  public init(captures: [String], uncertainClocks: [Int] = []) {
    self.captures = captures
    self.uncertainClocks = uncertainClocks
  }

  /// - Parameter clocks: of the captures, nil for one that keeps its own.
  init(_ captures: [String], _ clocks: [ClockOffset?]) {
    self.captures = captures
    uncertainClocks = clocks.indices.dropFirst().filter { !(clocks[$0]?.isCertain ?? false) }
  }
}

/// Who took part in what captures show, as the protocol sees it.
public struct TrafficParticipant: Hashable, Sendable {
  public var name: String
  /// The protocol's own word for it.
  public var role: String
  public var dialect: String
  public var address: String

  public init(name: String, role: String, dialect: String, address: String) {
    self.name = name
    self.role = role
    self.dialect = dialect
    self.address = address
  }
}

/// What a protocol says of captures.
public struct TrafficJudgement: Sendable {
  /// `Finding.device` is an index into these.
  public var participants: [TrafficParticipant]
  /// The dialect, and how it was found: "sdk, by its service UUID".
  public var dialect: String?
  public var oracles: [OracleResult]
  /// What could not be judged, and why; in the order of the packets.
  public var notes: [TrafficNote]

  public init(participants: [TrafficParticipant], dialect: String?, oracles: [OracleResult], notes: [TrafficNote]) {
    self.participants = participants
    self.dialect = dialect
    self.oracles = oracles
    self.notes = notes
  }

  /// The name of a participant; `world` for what is nobody's.
  func name(of device: Int) -> String { participants.indices.contains(device) ? participants[device].name : "world" }
}

/// Something about a capture that is no verdict.
public struct TrafficNote: Hashable, Sendable {
  public var place: PacketPlace?
  public var text: String
  public init(place: PacketPlace? = nil, text: String) {
    self.place = place
    self.text = text
  }
}
