import SimKernel
import VirtualRadio

/// One port in lockstep: whose turn it is there, and what its host has said that has not entered the world yet.
struct LockstepSeat {
  /// How many octets of packets a host may send in one turn.
  static let octetsOfTurn = 1_048_576
  /// How often in sequence a host may be done at once: it sends nothing, and waits for an instant that has passed.
  static let emptyTurns = 10_000

  enum State: Hashable {
    /// Nobody is there, or whoever was is leaving.
    case empty
    /// A host has come and gets its first turn as soon as time stands.
    case arriving
    /// The host has the turn: time stands.
    case hasTurn
    /// The host waits for a packet, and for this instant.
    case waits(until: SimInstant)
  }

  var state = State.empty
  /// Who belongs together; zero for nobody else.
  var group: UInt32 = 0
  /// The host cannot say what it waits for.
  var isPlain = false
  /// What happened here since time stood, in order.
  var said: [ForeignEvent] = []
  private(set) var octets = 0
  /// A packet of the world waits for the next turn.
  var hasPackets = false
  private var empty = 0

  /// Takes a packet of the turn; false when these are too many octets.
  mutating func say(_ packet: [UInt8]) -> Bool {
    octets += packet.count
    guard octets <= LockstepSeat.octetsOfTurn else { return false }
    said.append(.packet(packet))
    empty = 0
    return true
  }

  /// Ends the turn; false when the host keeps time from passing.
  mutating func wait(until instant: SimInstant, now: SimInstant) -> Bool {
    empty = instant <= now && said.isEmpty ? empty + 1 : 0
    state = .waits(until: max(instant, now))
    return empty <= LockstepSeat.emptyTurns
  }

  /// Everything that was said, which is forgotten.
  mutating func take() -> [ForeignEvent] {
    defer {
      said.removeAll(keepingCapacity: true)
      octets = 0
    }
    return said
  }

  /// Whether the host's turn is due at an instant at which time stands.
  func isDue(_ now: SimInstant) -> Bool {
    switch state {
    case .empty, .hasTurn: false
    case .arriving: true
    case .waits(let instant): hasPackets || instant <= now
    }
  }
}
