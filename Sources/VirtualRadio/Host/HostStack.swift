public import BluetoothWire
public import SimKernel

/// The LE host of one device, GAP to GATT, as a sans-IO state machine above the HCI seam.
///
/// Its clock is what `start`, `receive` and `advance` were last told: an owner that calls anything else after time has
/// passed calls `advance(to:)` first, and calls it again at `nextDeadline`. What happened is taken with `popEvent`
/// after each call. The door must not call back into the stack from inside `submit`.
///
/// Spec: Core v5.4, Vol 3, Parts A, C, F, G and H; Vol 4, Part E.
/// Not modelled: pairing out of band, signed writes, own private addresses, client configurations of bonded peers (they
/// end with the link), enhanced credit based channels, Enhanced ATT, GATT caching.
public final class HostStack {
  public let configuration: HostConfiguration
  /// Where its commands and data go.
  public let door: any HCIDoor

  // The door never calls back, so no access to these can meet another one; the run-time check of that costs a fifth of
  // the path from ACL data to a value, therefore `exclusivity(unchecked)` on what that path touches.

  /// The latest instant the owner has told.
  @exclusivity(unchecked) var now = SimInstant.zero
  let events = Fifo<HostEvent>()
  @exclusivity(unchecked) var deadlineCache: SimInstant?
  @exclusivity(unchecked) var isDeadlineCacheStale = false

  /// The address that it uses, at first that of the configuration; links keep theirs.
  public private(set) var address: BluetoothAddress
  @exclusivity(unchecked) var power = Power.off
  @exclusivity(unchecked) var commands = CommandQueue()
  var supportedCommands = SupportedCommandMask([])
  /// Resets in a row that were not asked for, and when the newest was.
  private var restarts = 0
  private var lastRestart = SimInstant.zero
  var commandDeadline: SimInstant?
  var advertiser = HostAdvertiser()
  /// By their numbers, 1 and up.
  var advertisingSets: [UInt8: HostAdvertisingSet] = [:]
  /// A connection as a peripheral, until the controller says which extended set it ended.
  var awaitedEnd: HCI.ConnectionComplete?
  /// The link that has just come through a set, and the address of that.
  var linkOfSet: (handle: HCI.ConnectionHandle, address: BluetoothAddress)?
  var scanner = HostScanner()
  var connector = HostConnector()

  /// In the order in which they were made.
  let links = Roster<Link>()
  /// Where the link stands that was asked for last.
  @exclusivity(unchecked) var recentPlace = 0
  @exclusivity(unchecked) var credits = CreditPool()
  /// Index in `links` of the link whose turn is next.
  @exclusivity(unchecked) var nextLinkToServe = 0
  /// The link of which the controller has completed a packet last.
  @exclusivity(unchecked) var completedLast: HCI.ConnectionHandle?
  /// Some link has frames that wait.
  @exclusivity(unchecked) var hasBacklog = false
  /// Some link has refused a value and not announced room since.
  @exclusivity(unchecked) var hasRefused = false

  /// Credit based channels: who listens.
  var channelBook = ChannelBook()

  var security = HostSecurity()
  /// An owner may keep it and give it back before `start`, with the bonds.
  public var watchers = BondedWatchers()
  @exclusivity(unchecked) var database: AttributeDatabase
  /// Requests of clients that the owner was asked.
  var requestCount = 0
  /// Asked about each request of a client; a code refuses it. It must not call back.
  public var refusal: ((ServedRequest, HCI.ConnectionHandle) -> ATT.ErrorCode?)?
  /// Sees the frames that go out; nil: nobody does.
  @exclusivity(unchecked) public var frameTap: (any FrameTap)?

  enum Power {
    case off
    /// Reset has been sent; nothing but its answer counts.
    case resetting
    case initialising
    case on
  }

  public init(door: any HCIDoor, configuration: HostConfiguration) {
    self.door = door
    self.configuration = configuration
    address = configuration.address
    database = AttributeDatabase(
      deviceName: configuration.deviceName, hasServiceChanged: configuration.hasServiceChanged)
  }

  /// Resets the controller and initialises it; ends in `poweredOn`. Links that were up end with 0x16. What was asked
  /// for while the stack was off begins then. A controller that does not come up is reset again, and given up with
  /// `controllerLost` when that does not help.
  public func start(at now: SimInstant) {
    self.now = max(self.now, now)
    if power != .off { forgetRadioState() }
    restarts = 0
    reset()
  }

  private func reset() {
    power = .resetting
    enqueue(.reset, .reset)
  }

  /// After a hardware error, or without an answer to a reset: everything that was up ends as the owner is told, what it
  /// wants from its radio is kept and begins again with `poweredOn`.
  func restart() {
    let wantsScanning = scanner.isWanted
    let wanted = advertiser.wanted
    let (parameters, phys) = (scanner.parameters, scanner.phys)
    forgetRadioState()
    advertiser.wanted = wanted
    scanner.isWanted = wantsScanning
    (scanner.parameters, scanner.phys) = (parameters, phys)
    if now - lastRestart > Self.restartWindow { restarts = 0 }
    lastRestart = now
    restarts += 1
    guard restarts <= Self.restartLimit else {
      power = .off
      return emit(.controllerLost)
    }
    reset()
  }

  /// More restarts than this, each no longer than the window after the one before, are not tried.
  private static let restartLimit = 2
  private static let restartWindow = SimDuration.seconds(10)

  /// Uses another random address from here on: what it advertises, asks scanners and initiates with. Its owner has
  /// stopped advertising, scanning and connecting, which a controller requires (Vol 4, Part E, 7.8.4).
  public func use(_ address: BluetoothAddress) {
    self.address = address
    if power == .on { enqueue(.leSetRandomAddress(address), .requiredSetting) }
  }

  /// Radio off: resets the controller and forgets everything but the attribute table and its values.
  ///
  /// Peers are not told (HCI_Reset ends links without a PDU, Vol 4, Part E, 7.3.2); they see a supervision timeout.
  public func stop(at now: SimInstant) {
    self.now = max(self.now, now)
    guard power != .off else { return }
    forgetRadioState()
    power = .off
    door.submit(.reset)
  }

  /// Takes what the controller handed up.
  /// - Parameter commandAllowance: `Num_HCI_Command_Packets` where the message has one and it may be other than 1.
  public func receive(_ message: consuming HCI.ToHost, commandAllowance: UInt8? = nil, at now: SimInstant) {
    if now > self.now { self.now = now }
    // The count holds for the next command, so it must be known before the answer releases that command.
    if commandAllowance == 0 { commands.isHeldBack = true }
    switch consume message {
    case .acl(let data): receive(data)
    // This stack opens no isochronous streams.
    case .iso: break
    case .event(let event): receive(event)
    }
    if let commandAllowance { allowCommands(commandAllowance) }
  }

  /// Takes ACL data of its own controller.
  func receive(_ data: HCI.ACLData, at now: SimInstant) {
    if now > self.now { self.now = now }
    receive(data)
  }

  /// Its own controller has sent one ACL data packet of a link.
  func receiveCompletedPacket(_ handle: HCI.ConnectionHandle, at now: SimInstant) {
    if now > self.now { self.now = now }
    guard power == .on else { return }
    completed(handle, 1)
    pump()
    announceRoom()
  }

  /// When `advance` must be called next, or nil when no timer runs.
  public var nextDeadline: SimInstant? {
    if isDeadlineCacheStale {
      deadlineCache = earliestDeadline()
      isDeadlineCacheStale = false
    }
    return deadlineCache
  }

  /// Moves the clock and runs the timers that are due.
  public func advance(to now: SimInstant) {
    if now > self.now { self.now = now }
    guard let due = nextDeadline, due <= self.now else { return }
    isDeadlineCacheStale = true
    if let deadline = commandDeadline, deadline <= self.now { commandTimedOut() }
    connectionAttemptTimer()
    for link in links { linkTimers(link) }
  }

  /// The oldest event that was not taken yet.
  public func popEvent() -> HostEvent? { events.popFirst() }

  /// The oldest event if it is `valueNotified`, without a copy.
  public func popValueNotified() -> (HCI.ConnectionHandle, characteristic: BluetoothUUID, value: [UInt8])? {
    let isNext = events.withFirst { if case .valueNotified = $0 { true } else { false } }
    guard isNext == true, case .valueNotified(let handle, let characteristic, let value)? = events.popFirst() else {
      return nil
    }
    return (handle, characteristic, value)
  }

  func emit(_ event: consuming HostEvent) { events.append(event) }

  func violation(_ link: Link, _ text: String) { emit(.protocolViolation(link.handle, text)) }

  private func earliestDeadline() -> SimInstant? {
    var earliest = SimInstant.distantFuture
    if let deadline = commandDeadline { earliest = min(earliest, deadline) }
    if let deadline = connector.current?.deadline { earliest = min(earliest, deadline) }
    for link in links { earliest = min(earliest, link.earliestDeadline) }
    return earliest == .distantFuture ? nil : earliest
  }

  private func forgetRadioState() {
    isDeadlineCacheStale = true
    for link in links {
      loseChannels(link)
      emit(.disconnected(link.handle, reason: .connectionTerminatedByLocalHost))
    }
    links.removeAll()
    completedLast = nil
    credits = CreditPool()
    hasBacklog = false
    hasRefused = false
    commands = CommandQueue()
    commandDeadline = nil
    if advertiser.isOn {
      emit(.advertisingStopped)
    } else if advertiser.willBeOn {
      emit(.advertisingStarted(.connectionTerminatedByLocalHost))
    }
    advertiser = HostAdvertiser()
    forgetAdvertisingSets()
    scanner = HostScanner()
    let abandoned = (connector.current.map { [$0.peer] } ?? []) + connector.waiting
    for peer in abandoned { emit(.connectFailed(peer, reason: .connectionTerminatedByLocalHost)) }
    connector = HostConnector()
    security.forgetController()
  }
}
