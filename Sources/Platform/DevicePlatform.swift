package import AppSeam
package import BluetoothWire
package import SimKernel
package import VirtualRadio

/// One simulated device between its host stack and its app: what a phone's operating system does.
///
/// It performs what the app asks for as far as the phone allows it, tells the app what the stack tells, keeps timers,
/// holds values back when a broken stack is played, and carries out faults. It does not know which app runs on it.
///
/// A device whose seat is `.foreignHost` or `.foreignLinkLayer` has neither stack nor app here; only its radio can be
/// moved or silenced.
package final class DevicePlatform {
  /// Event kinds of all platforms, above those of the radio world.
  package enum Kind: UInt32, CaseIterable {
    case appTimer = 64
    case hostDeadline
    case radioGoesOff
    case suspends
    case wakes
    case appIsEnded
    case attemptFails
    case addressChanges
    case dozes
    case screenTimesOut
  }

  /// The first event kind that no platform uses.
  package static let kindLimit: UInt32 = 74

  package let configuration: PlatformConfiguration
  package var index: Int { configuration.index }
  /// The address that it uses now.
  package internal(set) var address: BluetoothAddress
  var privacy: PlatformPrivacy?
  /// A change of the address is to come.
  var isRotating = false
  package var seat: Seat { configuration.seat }
  var phone: PhonePreset { configuration.phone }

  let timeline: Timeline
  /// Unsafe because they own the platform, and are asked several times for each value.
  unowned(unsafe) let surroundings: any PlatformSurroundings
  /// Makes the app for one launch; nil when the device has none.
  private let makeEngine: () -> (any AppEngine)?

  /// The one host stack there is at a time; in a list, which is looked into without counting a reference.
  let stack = Roster<HostStack>()
  package var host: HostStack { stack[0] }
  /// What an app has published that names attributes one by one.
  var attributes = LocalAttributeTable()
  var channels: [AppChannel] = []
  var nextChannel = 0
  /// What the app listens for; another host stack listens for the same.
  var listeners: [ChannelListener] = []

  /// nil: the app is not running.
  package internal(set) var engine: (any AppEngine)? {
    get { running.first?.occupant }
    set {
      running.removeAll()
      if let newValue { running.append(Seated(newValue)) }
    }
  }
  /// The one app that runs, or none; in a list, as the host stack is.
  private let running = Roster<Seated<any AppEngine>>()
  /// What the app asks for because of one input.
  private let answers = Fifo<AppEffect>()
  /// Inputs that wait for the app.
  let inbox = Fifo<AppInput>()
  /// Devices whose app has inputs, in the order in which they got the first one; `feed` hands them over.
  private let fed: Fifo<Int>
  /// This device is among them.
  private var isAnnounced = false
  var isRadioOn = true
  var isVanished = false
  var isInBackground = false
  /// What the app wants to know of what its system does by itself.
  var watches = (bonds: false, links: false)
  /// Bonds that their peers have lost, whose keys the phone has forgotten (`PhonePreset.LostBond.pairsAgain`): for apps
  /// they are there until a pairing with the peer has ended.
  var keylessBonds: [Bond] = []
  /// The app wants the system to keep what it has of Bluetooth when it ends the app.
  var isPreserved = false
  /// The system has ended the app and keeps that; inputs wait, and one of Bluetooth launches it again.
  package internal(set) var isReclaimed = false
  /// The app is not run; inputs wait.
  @exclusivity(unchecked) var isSuspended = false
  /// When it will not be run any more.
  var suspension: EventHandle?
  /// When the system lets a suspended app run by the clock.
  var wakeUp: EventHandle?
  /// When the system ends an app that stays in the background.
  var appEnd: EventHandle?
  var isScreenOff = false
  /// The app was in front when the screen went off.
  var wasInFront = false
  /// When the screen goes off by itself, and when the phone begins to doze, or a window of its doze begins or ends.
  var screenTimeout: EventHandle?
  var doze: EventHandle?
  /// How long it is from the last window of a doze to the next one; nil: it does not doze.
  var dozingFor: SimDuration?
  /// The app runs for a while in a doze.
  var isWindow = false
  /// The system has ended it in the background; it is launched when it comes to the front.
  var isEndedBySystem = false
  /// When the app began its scans of the last half minute.
  var scanStarts: [SimInstant] = []
  /// What was said of its advertising and its scans.
  var saidRare: Set<PlatformRemark.Kind> = []
  var position: Position
  /// Where it was before it went out of range.
  var placeBefore: Position?
  /// Up, in the order in which they came.
  package let links = Roster<AppLink>()
  private var nextLink = 0
  var timers: [AppTimer] = []
  @exclusivity(unchecked) private var hostDeadline: EventHandle?
  /// The app wants to advertise, scan; the platform may not do it at the moment (background, radio off).
  var advertisement: WantedAdvertisement?
  /// How it wants that to be sent; nil: as the phone does.
  var manner: AdvertisingManner?
  var isAdvertising = false
  /// Advertising sets beside that, in the order in which the app began them.
  var sets: [WantedSet] = []
  var scanFilter: [BluetoothUUID]?
  /// The same from an app that wants advertisements whole; nil: it does not.
  var wholeScan: ScanRequest?
  /// Where it looks for extended advertising, too.
  var extendedPHYs: HCI.PHYMask = []
  var connecting: [BluetoothAddress] = []
  /// Attempts among them that will fail on order.
  var failingAttempts: [FailingAttempt] = []
  var lastFailingAttempt = 0
  /// What it keeps of servers from one link to the next.
  var serviceCache = ServiceCache()
  /// Services that the app has published by type.
  var services = PlainServices()
  /// A launched stack is ready once its controller has answered; effects before that wait.
  @exclusivity(unchecked) var isPoweredOn = false
  var held: [AppEffect] = []
  /// What its person wants to do as soon as the app is there.
  var wishes: [AppAction] = []
  /// What its app kept for the next launch.
  package private(set) var kept: [UInt8] = []
  /// What the phone keeps of its app for the next launch.
  package internal(set) var memory: AppMemory?
  @exclusivity(unchecked) var faults: [ActiveMessageFault] = []
  var failures: [ActiveFailure] = []
  /// Sees what the app sends; nil: nobody does.
  @exclusivity(unchecked) package var valueTap: (any ValueTap)?
  @exclusivity(unchecked) package internal(set) var valuesSent = 0
  @exclusivity(unchecked) package internal(set) var valuesReceived = 0

  /// - Parameters:
  ///   - door: the controller that every host stack of the device talks to.
  ///   - fed: gets the number of the device when there are inputs for its app.
  ///   - makeEngine: makes the app for one launch; nil for a device without one.
  package init(
    _ configuration: PlatformConfiguration, door: any HCIDoor, timeline: Timeline, fed: Fifo<Int>,
    surroundings: any PlatformSurroundings, makeEngine: @escaping () -> (any AppEngine)?
  ) {
    self.configuration = configuration
    self.timeline = timeline
    self.fed = fed
    self.surroundings = surroundings
    self.makeEngine = makeEngine
    position = configuration.position
    address = configuration.address
    privacy = configuration.privacy
    stack.append(HostStack(door: door, configuration: configuration.host))
  }

  // MARK: Time and the host stack

  /// An event of one of `Kind` whose target is this device.
  package func handle(_ event: SimEvent) {
    switch Kind(rawValue: event.kind) {
    case .appTimer: timerFired(TimerID(Int(Int64(bitPattern: event.argument))))
    case .hostDeadline:
      hostDeadline = nil
      host.advance(to: timeline.now)
      drainHost()
    case .radioGoesOff: radioGoesOff()
    case .suspends: suspend()
    case .wakes: wakeByTheClock()
    case .appIsEnded: endBySystem()
    case .addressChanges: changeAddress()
    case .dozes: dozes()
    case .screenTimesOut: screenGoesOff()
    case .attemptFails: attemptFails(Int(event.argument))
    case nil: preconditionFailure("event kind \(event.kind) is no platform's")
    }
  }

  func schedule(_ kind: Kind, argument: UInt64 = 0, at instant: SimInstant) -> EventHandle {
    timeline.schedule(SimEvent(kind: kind.rawValue, target: UInt32(index), argument: argument), at: instant)
  }

  /// Packets from the controller; `drainHost` afterwards lets their consequences happen.
  package func receive(_ message: HCI.ToHost, commandAllowance: UInt8? = nil) {
    if let commandAllowance {
      host.receive(message, commandAllowance: commandAllowance, at: timeline.now)
    } else {
      host.receive(message, at: timeline.now)
    }
  }

  /// Takes all that its own controller has for it, and lets the consequences happen.
  package func receiveAll(from controller: Controller) {
    stack.with(0) { host in
      controller.handOver(to: host, at: timeline.now)
      drain(host)
    }
  }

  /// Takes what the host stack has to tell, and sees to its next deadline.
  package func drainHost() { stack.with(0, drain) }

  private func drain(_ host: HostStack) {
    while true {
      if let (handle, characteristic, value) = host.popValueNotified() {
        arrived(value, characteristic, on: handle)
      } else if let event = host.popEvent() {
        translate(event)
      } else {
        break
      }
    }
    let now = timeline.now
    switch (host.nextDeadline, hostDeadline) {
    case (nil, nil): break
    case (nil, let handle?):
      timeline.cancel(handle)
      hostDeadline = nil
    case (let due?, nil): hostDeadline = schedule(.hostDeadline, at: max(due, now))
    case (let due?, let handle?): timeline.reschedule(handle, to: max(due, now))
    }
    assert((hostDeadline == nil) == (host.nextDeadline == nil), "a stack is called at its deadline")
  }

  // MARK: The app

  /// Puts an input into the app's inbox.
  package func tell(_ input: consuming AppInput) {
    if isReclaimed { return keepForLaunch(consume input) }
    let mayBeTold = mayBeTold(input)
    inbox.append(consume input)
    if mayBeTold { announce() }
  }

  func announce() {
    if isAnnounced { return }
    isAnnounced = true
    fed.append(index)
  }

  /// Hands the app its inputs, one at a time, and performs what it answers.
  /// - Parameters:
  ///   - surroundings: those that it was made with; to look for them in the platform would count a reference.
  ///   - mayGoOn: asked before each input; false leaves the rest.
  package func feed(_ surroundings: any PlatformSurroundings, whileAllowed mayGoOn: () -> Bool) {
    isAnnounced = false
    while !inbox.isEmpty {
      guard !running.isEmpty else {
        if !isReclaimed { inbox.removeAll() }
        return
      }
      guard let input = inbox.popFirst(), mayGoOn() else { return }
      surroundings.observe(input, device: index)
      running.with(0) { $0.occupant.handle(input, at: timeline.now, into: answers) }
      perform(answers, surroundings)
    }
  }

  /// A person does something with the app, or wants to and waits until it runs. Where the app is not ours, nobody but
  /// its own people can.
  package func act(_ action: AppAction) {
    if seat.isOnlyRadio { return }
    isUsed()
    if engine == nil {
      wishes.append(action)
    } else {
      tell(.user(action))
    }
  }

  /// Launches the app; the stack comes up with it the first time, if the radio is on.
  package func launch() {
    guard engine == nil, !seat.isOnlyRadio, let made = makeEngine() else { return }
    engine = made
    // What came while the system kept its things for it; nil: it kept nothing.
    let missed = isReclaimed ? inbox.popAll() : nil
    isReclaimed = false
    if missed == nil, !isPoweredOn, isRadioOn {
      host.start(at: timeline.now)
      drainHost()
    }
    if !isRotating { beginRotation() }
    tell(.launched)
    surroundings.appStarted(index)
    if !isInBackground { isUsed() }
    launchedInDoze()
    if let missed {
      if isInBackground { tell(.background(true)) }
      for input in missed { tell(input) }
    } else {
      if !isRadioOn { tell(.radioPower(false)) }
      for link in links { tell(.connected(link.id, peer: link.peer)) }
    }
    for action in wishes { tell(.user(action)) }
    wishes.removeAll()
  }

  /// Octets that an app may keep for its next launch.
  static let keptLimit = 1 << 20

  func keep(_ octets: [UInt8]) {
    if octets.count <= Self.keptLimit { kept = octets }
  }

  func keepMore(_ octets: [UInt8]) {
    if kept.count + octets.count <= Self.keptLimit { kept += octets }
  }

  // MARK: Links

  func addLink(_ handle: HCI.ConnectionHandle, peer: BluetoothAddress, role: HCI.Role) -> AppLink {
    let link = AppLink(
      id: LinkID(nextLink), handle: handle, peer: peer,
      peerDevice: surroundings.peerDevice(of: index, handle, peer), role: role)
    nextLink += 1
    links.append(link)
    assert(links.count <= nextLink, "a link stands at or before the place of its number")
    return link
  }

  /// Whether a connection is up.
  package func hasLink(_ handle: HCI.ConnectionHandle) -> Bool { place(of: handle) != nil }

  func link(_ handle: HCI.ConnectionHandle) -> AppLink? { place(of: handle).map { links[$0] } }

  /// What its app calls a link.
  func id(of handle: HCI.ConnectionHandle) -> LinkID? { place(of: handle).map { links.with($0) { $0.id } } }

  private func place(of handle: HCI.ConnectionHandle) -> Int? { links.firstIndex { $0.handle == handle } }

  package func link(_ id: LinkID) -> AppLink? { place(of: id).map { links[$0] } }

  func place(of id: LinkID) -> Int? {
    // Ids only grow, so a link stands at or before the place of its number.
    var index = min(id.rawValue, links.count - 1)
    while index >= 0 {
      if links.with(index, { $0.id == id }) { return index }
      index -= 1
    }
    return nil
  }

  func removeLink(_ handle: HCI.ConnectionHandle) {
    guard let link = link(handle) else { return }
    links.remove(link)
    dropHeldValues(of: link.id)
  }

  func removeAllLinks() {
    dropHeldValues(of: nil)
    links.removeAll()
  }
}

struct AppTimer {
  var id: TimerID
  var handle: EventHandle
}
