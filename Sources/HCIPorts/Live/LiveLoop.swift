import NIOPosix
public import SimKernel

/// When virtual time begins.
public enum TimeBegin: Hashable, Sendable {
  /// As soon as all ports are open and all controllers are there.
  case atOnce
  /// With the first host that takes a seat.
  case firstSeat
  /// When every seat is taken.
  case allSeats
}

/// What makes virtual time pass.
public enum LiveClock: Hashable, Sendable {
  /// The wall clock.
  case wall
  /// The hosts: time stands until each has said what it waits for (ADR 0042). The wall clock has no effect.
  case lockstep
}

/// What a live run is held to.
public struct LiveSettings: Hashable, Sendable {
  /// An event handled later than this counts as late; there is no other effect.
  public var lagBound = SimDuration.milliseconds(5)
  /// Ends the run after this much virtual time; nil for as long as the world goes on.
  public var duration: SimDuration?
  public var begin = TimeBegin.atOnce
  public var clock = LiveClock.wall
  /// In lockstep: a host that cannot say what it waits for is taken to wait when it was silent for this long by the
  /// wall clock, and as much virtual time may pass then. Nil refuses such hosts.
  public var settle: SimDuration?
  /// In lockstep: the run ends when the last host has left.
  public var endsWithHosts = false
  /// How many octets may wait for a partner that does not read. Beyond, it is sent away.
  public var waitingOctets = 262_144
  /// How often `progress` is called.
  public var progressInterval = SimDuration.seconds(1)

  public init() {}
}

/// A world run by the wall clock, and its ports.
///
/// World, ports and timers live on the thread that calls `run`, and on no other (ADR 0013). What comes in is stamped
/// with the monotonic clock when it is read; the world is advanced to that instant, the packet enters, and what the
/// world has to say goes out. Between packets the loop sleeps until the world's next event. If the world lags it runs
/// as fast as it can until it is level; lag never reorders anything.
public final class LiveLoop {
  private let world: any PacedWorld
  private let ports: [PortConfiguration]
  private let settings: LiveSettings
  private let control: LiveControl?
  private let callbacks: LiveCallbacks

  /// - Parameters:
  ///   - ports: at most one for each device; devices without one hear nothing from outside.
  ///   - control: where people give orders while it runs.
  ///   - log: one line for each attachment, detachment, refusal and loss of step; never one for a packet.
  ///   - opened: called once, when all ports are open and before time begins.
  ///   - progress: called about every `settings.progressInterval`.
  ///   - closing: called once, before the ports are closed: what partners do after it is an answer to that.
  /// All of these are called on the thread of `run`.
  public init(
    world: any PacedWorld, ports: [PortConfiguration], settings: LiveSettings = LiveSettings(),
    control: LiveControl? = nil, log: @escaping (String) -> Void, opened: (([OpenPort]) -> Void)? = nil,
    progress: ((LiveStatus) -> Void)? = nil,
    closing: (() -> Void)? = nil
  ) {
    self.world = world
    self.ports = ports
    self.settings = settings
    self.control = control
    callbacks = LiveCallbacks(log: log, opened: opened, progress: progress, closing: closing)
  }

  /// Opens the ports, lets time pass, and returns when the world has ended, the duration is over, or `stop` was called.
  ///
  /// Errors: a port that cannot be opened; nothing has entered the world then. Everything is closed in any case.
  public func run(until stop: LiveStop) throws(PortError) -> LiveReport {
    for (index, port) in ports.enumerated() {
      try port.validate()
      precondition(port.device >= 0 && !ports[..<index].contains { $0.device == port.device }, "one port for a device")
    }
    var core: LiveCore?
    MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { [self] loop in
      let run = LiveCore(
        world: world, ports: ports, settings: settings, control: control, callbacks: callbacks, on: loop)
      core = run
      run.open(stop)
    }
    guard let outcome = core?.outcome else { preconditionFailure("the loop ends with an outcome") }
    return try outcome.get()
  }
}
