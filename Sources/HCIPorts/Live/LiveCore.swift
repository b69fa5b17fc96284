import NIOCore
import NIOPosix
import SimKernel
import VirtualRadio

/// One live run, on the loop that its thread became.
final class LiveCore: PortOwner, NIOScheduledCallbackHandler {
  /// How long the world may run before the ports have their turn again.
  static let turn = TimeAmount.milliseconds(2)
  /// Events that are kept for a seat until time begins; then it is not read any further.
  private static let heldEvents = 64

  let eventLoop: any EventLoop
  let settings: LiveSettings
  let world: any PacedWorld
  let callbacks: LiveCallbacks
  let control: LiveControl?
  /// Closes the control port.
  var closeControl: (() -> Void)?
  var ports: [Port] = []
  /// By device; nil: it has no port.
  var placeOfDevice: [Int?] = []
  /// What lockstep knows of each port.
  var seats: [LockstepSeat] = []
  /// Who is taken to wait when it is silent, by port.
  var settling: [Scheduled<Void>?] = []
  /// How many turns were given, so that a watch sees whether time stands.
  var turns: UInt64 = 0
  private(set) var outcome: Result<LiveReport, PortError>?

  private struct Arrival {
    var event: ForeignEvent
    var port: Port
    var stamp: SimInstant
  }

  /// What arrived and has not entered: before time begins, or while the world is being run.
  private var inbox = Fifo<Arrival>()
  private var held: [Arrival] = []
  var time: LiveTime?
  private var isOpen = false
  var isBusy = false
  private var timer: (callback: NIOScheduledCallback, instant: SimInstant)?
  private var progress: RepeatedTask?
  var watch: RepeatedTask?
  private var lag: LagMeter

  init(
    world: any PacedWorld, ports: [PortConfiguration], settings: LiveSettings, control: LiveControl?,
    callbacks: LiveCallbacks, on loop: any EventLoop
  ) {
    eventLoop = loop
    self.world = world
    self.settings = settings
    self.control = control
    self.callbacks = callbacks
    lag = LagMeter(bound: settings.lagBound)
    self.ports = ports.map { Port($0, owner: self, log: callbacks.log) }
    placeOfDevice = Array(repeating: nil, count: (ports.map(\.device).max() ?? -1) + 1)
    for (place, port) in self.ports.enumerated() { placeOfDevice[port.configuration.device] = place }
    seats = Array(repeating: LockstepSeat(), count: ports.count)
    settling = Array(repeating: nil, count: ports.count)
  }

  /// The place of a device's port.
  func place(of device: Int) -> Int? { placeOfDevice.indices.contains(device) ? placeOfDevice[device] : nil }

  var isOver: Bool { outcome != nil }
  var hasBegun: Bool { time != nil }

  var clock: SimInstant { time?.instant(at: .now()) ?? .zero }

  // MARK: Beginning

  func open(_ stop: LiveStop) {
    guard let descriptor = stop.makeDescriptor() else { return fail(PortError("no file descriptor left")) }
    let watch = NIOLoopBound(StopWatch { [self] in finish(.stopped) }, eventLoop: eventLoop)
    let watching = NIOPipeBootstrap(group: eventLoop)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(watch.value) }
      }
      .takingOwnershipOfDescriptor(input: descriptor).map { _ in }
    let opening = [watching, openControl()] + ports.map { $0.open() }
    EventLoopFuture.whenAllComplete(opening, on: eventLoop).assumeIsolated().whenSuccess { [self] results in
      if isOver {
        closeControl?()
        return ports.forEach { $0.close() }
      }
      for result in results {
        guard case .failure(let error) = result else { continue }
        return fail(error as? PortError ?? PortError(PortError.reason(error)))
      }
      opened()
    }
  }

  private func opened() {
    guard !isOver else { return }
    do throws(PortError) {
      for port in ports { try port.seatController() }
    } catch {
      return fail(error)
    }
    isOpen = true
    callbacks.opened?(ports.map(\.place))
    if let report = callbacks.progress {
      let interval = TimeAmount.nanoseconds(max(settings.progressInterval.nanoseconds, 1_000_000))
      let bound = NIOLoopBound({ [self] in report(status) }, eventLoop: eventLoop)
      progress = eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in bound.value() }
    }
    beginIfReady()
  }

  private var takenSeats: Int { ports.count { $0.current != nil } }

  func beginIfReady() {
    guard isOpen, !hasBegun, !isOver else { return }
    let isReady =
      switch settings.begin {
      case .atOnce: true
      case .firstSeat: ports.contains { $0.configuration.partner != .controller && $0.current != nil }
      case .allSeats: takenSeats == ports.count
      }
    guard isReady else { return }
    time = LiveTime(beginning: .now())
    if settings.clock == .lockstep { return beginLockstep() }
    for arrival in held { inbox.append(arrival) }
    held.removeAll()
    for port in ports { port.current?.goOn(true) }
    work()
  }

  // MARK: Time

  func arrived(_ event: ForeignEvent, port: Port, stamp: SimInstant) -> Bool {
    guard !isOver else { return false }
    if settings.clock == .lockstep { return arrivedInLockstep(event, port) }
    if hasBegun {
      inbox.append(Arrival(event: event, port: port, stamp: stamp))
      if !isBusy { work() }
      return !isOver
    }
    if event == .detached {
      held.removeAll { $0.port === port }
    } else {
      held.append(Arrival(event: event, port: port, stamp: .zero))
    }
    if event == .attached { eventLoop.assumeIsolated().execute { [self] in beginIfReady() } }
    return held.count { $0.port === port } < LiveCore.heldEvents
  }

  func handleScheduledCallback(eventLoop: some EventLoop) {
    timer = nil
    work()
  }

  /// Everything that has arrived enters at its instant, then the world is run up to now; then the loop sleeps.
  func work() {
    guard !isBusy, !isOver, hasBegun else { return }
    isBusy = true
    defer { isBusy = false }
    let yieldAt = NIODeadline.now() + LiveCore.turn
    while let arrival = inbox.popFirst() {
      guard run(to: max(arrival.stamp, world.now), yieldAt: nil) else { return }
      if let end, world.now >= end.instant { return finish(end.ending) }
      world.enter(arrival.event, device: arrival.port.configuration.device)
      sendOutward()
    }
    guard run(to: max(clock, world.now), yieldAt: yieldAt) else { return }
    if let end, world.now >= end.instant { return finish(end.ending) }
    sleep()
  }

  /// Lets the world pass to an instant, event by event, each with its lag; false when the run is over.
  private func run(to target: SimInstant, yieldAt: NIODeadline?) -> Bool {
    while !isOver {
      let limit = min(target, end?.instant ?? target)
      guard let next = world.nextInstant, next <= limit else {
        if world.now < limit {
          world.advance(to: limit)
          sendOutward()
        }
        if world.now < limit { finish(.worldStuck) }
        return !isOver
      }
      let now = NIODeadline.now()
      if let yieldAt, now > yieldAt { return true }
      lag.record(time!.instant(at: now) - next)
      world.advance(to: next)
      sendOutward()
      if let end, world.now >= end.instant { return true }
      if let after = world.nextInstant, after <= next { finish(.worldStuck) }
    }
    return false
  }

  /// The instant at which the run ends, as far as it is known, and why.
  var end: (instant: SimInstant, ending: LiveReport.Ending)? {
    let duration = settings.duration.map { SimInstant.zero + $0 }
    if let world = world.endInstant, world <= duration ?? world { return (world, .worldEnded) }
    return duration.map { ($0, .durationOver) }
  }

  func sendOutward() {
    guard let first = world.popOutward() else { return }
    var next: (device: Int, packet: [UInt8])? = first
    var told: [Int] = []
    while let (device, packet) = next {
      if let place = place(of: device) {
        ports[place].send(packet)
        if told.last != place { told.append(place) }
      }
      next = world.popOutward()
    }
    // One that was told twice has nothing left the second time.
    for place in told { ports[place].flush() }
  }

  /// Until the world's next event, or without a limit; what arrives wakes the loop itself.
  private func sleep() {
    if !inbox.isEmpty { return eventLoop.assumeIsolated().execute { [self] in work() } }
    guard let instant = [world.nextInstant, end?.instant].compactMap({ $0 }).min() else { return disarm() }
    if timer?.instant == instant { return }
    disarm()
    guard let deadline = time!.deadline(of: instant) else { return }
    if let callback = try? eventLoop.assumeIsolated().scheduleCallback(at: deadline, handler: self) {
      timer = (callback, instant)
    }
  }

  func disarm() {
    timer?.callback.cancel()
    timer = nil
  }

  // MARK: The end

  private func fail(_ error: PortError) {
    guard !isOver else { return }
    conclude(.failure(error))
  }

  func finish(_ ending: LiveReport.Ending) {
    guard !isOver else { return }
    let wall = time?.wall(at: .now()) ?? .zero
    for port in ports { port.countHalfPacket() }
    conclude(
      .success(
        LiveReport(
          ending: ending, clock: settings.clock, now: world.now, wall: wall, lag: lag.report, ports: ports.map(\.report)
        )))
  }

  private func conclude(_ outcome: Result<LiveReport, PortError>) {
    self.outcome = outcome
    disarm()
    progress?.cancel()
    watch?.cancel()
    for task in settling { task?.cancel() }
    callbacks.closing?()
    closeControl?()
    for port in ports { port.close() }
    // In a turn of its own: this may be called from within a channel's handler.
    let loop = eventLoop
    loop.execute { loop.shutdownGracefully { _ in } }
  }

  var status: LiveStatus {
    LiveStatus(
      now: hasBegun ? world.now : nil, lag: lag.report, takenSeats: takenSeats, seats: ports.count,
      packetsIn: ports.reduce(0) { $0 + $1.report.packetsIn }, packetsOut: ports.reduce(0) { $0 + $1.report.packetsOut }
    )
  }
}

/// What the owner of a run wants to hear.
struct LiveCallbacks {
  var log: (String) -> Void
  var opened: (([OpenPort]) -> Void)?
  var progress: ((LiveStatus) -> Void)?
  var closing: (() -> Void)?
}

/// Lag at every event.
private struct LagMeter {
  let bound: SimDuration
  private var histogram = Histogram()
  private var overBound: UInt64 = 0
  private var catchUps: UInt64 = 0
  private var isLate = false

  init(bound: SimDuration) { self.bound = bound }

  mutating func record(_ lag: SimDuration) {
    histogram.record(lag)
    let wasLate = isLate
    isLate = lag > bound
    if isLate { overBound += 1 }
    if isLate, !wasLate { catchUps += 1 }
  }

  var report: LagReport {
    LagReport(
      bound: bound, events: histogram.count, p50: histogram.duration(permille: 500),
      p99: histogram.duration(permille: 990), maximum: .nanoseconds(histogram.maximum), overBound: overBound,
      catchUps: catchUps)
  }
}

/// Calls when the stop's pipe has an octet.
private final class StopWatch: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  private let stopped: () -> Void

  init(_ stopped: @escaping () -> Void) { self.stopped = stopped }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) { stopped() }
}
