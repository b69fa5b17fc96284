public import SimKernel

/// How late events were handled: wall clock minus the instant at which they were due, at every event.
public struct LagReport: Hashable, Sendable {
  /// What was promised.
  public var bound: SimDuration
  public var events: UInt64
  public var p50: SimDuration
  public var p99: SimDuration
  public var maximum: SimDuration
  /// Events that were handled later than the bound.
  public var overBound: UInt64
  /// How often lag went over the bound. Each time the world was run as fast as it could until it was level again.
  public var catchUps: UInt64
}

/// What went through one port.
public struct PortReport: Hashable, Sendable {
  public var name: String
  /// Where it was: with the real TCP port, and the real terminal.
  public var address: String
  public var attachments = 0
  /// Connections that were turned away because the seat was taken.
  public var refusals = 0
  /// Partners that did not read and were sent away.
  public var drops = 0
  public var lossesOfStep = 0
  /// Octets that were no packet: out of step, or the half packet of a partner that left.
  public var discardedOctets = 0
  public var packetsIn = 0
  public var packetsOut = 0
  /// Packets of the world for which no partner was there.
  public var unclaimedPackets = 0

  public init(name: String, address: String) {
    self.name = name
    self.address = address
  }
}

/// How a live run went.
public struct LiveReport: Hashable, Sendable {
  public enum Ending: Hashable, Sendable {
    /// The world came to its `endInstant`.
    case worldEnded
    /// The wanted duration is over.
    case durationOver
    /// `LiveStop.stop()` was called, or a signal came.
    case stopped
    /// The world does not let time pass any more (it hit its event limit).
    case worldStuck
    /// The last host has left (`LiveSettings.endsWithHosts`).
    case hostsLeft
  }

  public var ending: Ending
  public var clock = LiveClock.wall
  /// The world's `now` at the end.
  public var now: SimInstant
  /// Wall-clock time since virtual time began; zero when it never did.
  public var wall: SimDuration
  public var lag: LagReport
  public var ports: [PortReport]
}

/// How a live run goes at the moment.
public struct LiveStatus: Hashable, Sendable {
  /// Nil as long as virtual time has not begun.
  public var now: SimInstant?
  public var lag: LagReport
  /// Seats that are taken, of how many.
  public var takenSeats: Int
  public var seats: Int
  public var packetsIn: Int
  public var packetsOut: Int
}

/// A port that is open now.
public struct OpenPort: Hashable, Sendable {
  public var device: Int
  public var name: String
  /// With the real TCP port.
  public var address: PortAddress
  /// A program for the air comes here (ADR 0044).
  public var isForAir = false
  /// The terminal's device of a pseudo-terminal that we serve.
  public var terminal: String?
}
