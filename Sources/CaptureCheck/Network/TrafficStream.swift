public import NetworkWire
public import SimKernel

/// One end of a stream.
public struct StreamEnd: Hashable, Sendable, CustomStringConvertible {
  public var address: IPAddress
  public var port: UInt16

  public init(address: IPAddress, port: UInt16) {
    self.address = address
    self.port = port
  }

  /// `192.168.1.4:5000`, `[fe80::1]:5000`.
  public var description: String {
    if case .v4 = address { return "\(address):\(port)" }
    return "[\(address)]:\(port)"
  }
}

/// A connection of TCP as one interface of one capture shows it.
///
/// What two captures show of the same connection are two of these; `StreamPairing` finds them.
public final class TrafficStream {
  /// Who opened it, and who accepted it.
  public enum Side: Hashable, Sendable, CaseIterable {
    case client, server
    public var other: Side { self == .client ? .server : .client }
  }

  /// In the order of their opening, over all captures.
  public let index: Int
  public let file: Int
  /// Dense index of the interface within the file, and what the file calls it.
  public let interface: Int
  public let interfaceName: String?
  /// Whoever opened it; where no packet shows that, the sender of the first packet.
  public let client: StreamEnd
  public let server: StreamEnd
  public let isOpenerKnown: Bool
  public let openedAt: SimInstant
  public let openedBy: PacketPlace
  @exclusivity(unchecked) public internal(set) var endedAt: SimInstant?
  /// When the server's first SYN was seen; nil: the capture does not have it.
  @exclusivity(unchecked) public private(set) var answeredAt: SimInstant?
  /// When the client was first heard after that: it has the answer.
  @exclusivity(unchecked) public private(set) var confirmedAt: SimInstant?
  @exclusivity(unchecked) private var hearings = PerStreamSide(StreamHearing())
  @exclusivity(unchecked) private var initial = PerStreamSide<UInt32?>(nil)
  @exclusivity(unchecked) private var first = PerStreamSide<UInt32?>(nil)
  /// Sides of which packets left the captured machine, and of which they came to it.
  @exclusivity(unchecked) private var left = PerStreamSide(false)
  @exclusivity(unchecked) private var came = PerStreamSide(false)

  init(
    index: Int, file: Int, interface: Int, interfaceName: String?, client: StreamEnd, server: StreamEnd,
    isOpenerKnown: Bool, at moment: TrafficMoment
  ) {
    self.index = index
    self.file = file
    self.interface = interface
    self.interfaceName = interfaceName
    self.client = client
    self.server = server
    self.isOpenerKnown = isOpenerKnown
    openedAt = moment.instant
    openedBy = moment.place
  }

  public subscript(side: Side) -> StreamEnd { side == .client ? client : server }
  public var isUp: Bool { endedAt == nil }

  /// The sequence number of a side's SYN; nil when the capture does not have it.
  public internal(set) subscript(initialSequenceOf side: Side) -> UInt32? {
    get { initial[side] }
    set { initial[side] = newValue }
  }

  /// The sequence number of the octet at offset 0 of a side; nil before anything tells it.
  public internal(set) subscript(firstSequenceOf side: Side) -> UInt32? {
    get { first[side] }
    set { first[side] = newValue }
  }

  /// Whether the octet at offset 0 is the first that this side ever sent.
  public func isFromStart(_ side: Side) -> Bool { self[initialSequenceOf: side] != nil }

  /// At whose machine the capture was taken, as the directions of its packets tell; nil: between the two, or unknown.
  public var viewpoint: Side? { Side.allCases.first { isAt($0) } }

  /// When a side was heard, in this capture.
  public func hearing(_ side: Side) -> StreamHearing { hearings[side] }

  /// - Parameter isOpening: the packet has a SYN.
  func hear(_ side: Side, isOpening: Bool, window: UInt16, at instant: SimInstant) {
    hearings[side].hear(at: instant, window: isOpening ? nil : window)
    if isOpening, side == .server { answeredAt = min(answeredAt ?? instant, instant) }
    if !isOpening, side == .client, answeredAt != nil, confirmedAt == nil { confirmedAt = instant }
  }

  private func isAt(_ side: Side) -> Bool {
    !came[side] && !left[side.other] && (left[side] || came[side.other])
  }

  func note(isOutgoing: Bool, from side: Side) {
    if isOutgoing { left[side] = true } else { came[side] = true }
  }
}

/// One value for each side of a stream.
struct PerStreamSide<Value> {
  private var client: Value
  private var server: Value

  init(_ value: Value) {
    client = value
    server = value
  }

  subscript(side: TrafficStream.Side) -> Value {
    _read { if side == .client { yield client } else { yield server } }
    _modify { if side == .client { yield &client } else { yield &server } }
  }
}

/// Why octets of a stream are not there. After one of these nothing that this side says is certain until the app's
/// framing is found again.
public enum StreamGap: String, Hashable, Sendable, CaseIterable {
  case missed = "octets that the other end has acknowledged, and the capture does not have"
  case unfinished = "octets that had not come when the connection or the capture ended"
  case snapped = "octets that the capturer cut off"
  case beyondLimits = "octets that did not come before the reader's memory was full"
  case contradicted = "octets that were sent twice and differ"
  case jump = "sequence numbers that go on elsewhere"
}

/// How a stream ended.
public enum StreamEnding: Hashable, Sendable {
  /// Both sides said that they had nothing more to send.
  case finished
  case reset(by: TrafficStream.Side)
  /// The same ends opened another one.
  case replaced
  /// It was the one that had been silent longest when `TrafficLimits.liveStreams` were up.
  case beyondLimits
  /// The captures are over; the stream may have gone on.
  case captureEnded

  /// For people, after "ends".
  public var description: String {
    switch self {
    case .finished: "finished by both sides"
    case .reset(let side): "reset by the \(side == .client ? "client" : "server")"
    case .replaced: "replaced by another one between the same ends"
    case .beyondLimits: "no longer followed: too many streams are up"
    case .captureEnded: "up at the end of the captures"
    }
  }
}
