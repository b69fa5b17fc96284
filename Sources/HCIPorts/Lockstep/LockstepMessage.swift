public import SimKernel

/// What a host and its port say about time, in the same stream as the H4 packets (ADR 0042).
///
/// Layout: `54 | code: 1 | length: 1 | parameters`, numbers in little endian, as in HCI. 54 is no packet indicator of
/// H4 (Core v5.4, Vol 4, Part A, 2). A host sends the codes below 80, a port the others.
public enum LockstepMessage: Hashable, Sendable {
  /// `01`, of a host, before anything else: `version: 1 | group: 4`. Ports that name the same group, other than zero,
  /// belong to one program: each of its ports gets the turn when one of them does.
  case hello(version: UInt8, group: UInt32)
  /// `02`, of a host, at the end of its turn: it waits for a packet, and for an instant too if it names one.
  /// Parameters: none, or `instant: 8`, nanoseconds since time began. Nil for no instant.
  case wait(until: SimInstant?)
  /// `81`, of a port: the host has the seat. Parameters: `version: 1`.
  case seated(version: UInt8)
  /// `82`, of a port, after the packets of the turn: it is this instant, and the host has the turn.
  case turn(at: SimInstant)
  /// `83`, of a port, before it closes the connection: why, at most 255 octets of UTF-8.
  case end(reason: String)

  /// The first octet of each message.
  public static let indicator: UInt8 = 0x54
  /// The version of this protocol.
  public static let version: UInt8 = 1

  /// The reason of an end that nobody has caused; clients tell it from the others.
  static let regularEnd = "the session is over"

  /// The message in the octets of the stream. A reason beyond 255 octets is cut.
  public var encoded: [UInt8] {
    switch self {
    case .hello(let version, let group):
      LockstepMessage.framed(0x01, [version] + (0..<4).map { UInt8(truncatingIfNeeded: group >> (8 * $0)) })
    case .wait(nil): LockstepMessage.framed(0x02, [])
    case .wait(let instant?): LockstepMessage.framed(0x02, LockstepMessage.octets(of: instant))
    case .seated(let version): LockstepMessage.framed(0x81, [version])
    case .turn(let instant): LockstepMessage.framed(0x82, LockstepMessage.octets(of: instant))
    case .end(let reason): LockstepMessage.framed(0x83, Array(reason.utf8.prefix(255)))
    }
  }

  /// Reads the parameters of a host's message; nil when the code is not a host's or the length is wrong.
  ///
  /// An instant that no room reaches (beyond 292 years) counts as none.
  static func ofHost(code: UInt8, _ parameters: ArraySlice<UInt8>) -> LockstepMessage? {
    let octets = Array(parameters)
    switch (code, octets.count) {
    case (0x01, 5): return .hello(version: octets[0], group: UInt32(truncatingIfNeeded: number(octets[1...])))
    case (0x02, 0): return .wait(until: nil)
    case (0x02, 8):
      let nanoseconds = number(octets[...])
      return .wait(until: nanoseconds < UInt64(Int64.max) ? SimInstant(nanoseconds: Int64(nanoseconds)) : nil)
    default: return nil
    }
  }

  private static func framed(_ code: UInt8, _ parameters: [UInt8]) -> [UInt8] {
    [indicator, code, UInt8(parameters.count)] + parameters
  }

  private static func octets(of instant: SimInstant) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: instant.nanoseconds >> (8 * $0)) }
  }

  private static func number(_ octets: ArraySlice<UInt8>) -> UInt64 {
    octets.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
