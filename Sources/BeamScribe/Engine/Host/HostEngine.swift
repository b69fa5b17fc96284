package import AppSeam
package import SimKernel

/// The reference host: it listens, takes guests, and broadcasts what its person speaks.
///
/// Spec: BEAM 1 to 9. Split by concern: the event, its BLE, streams, what is spoken, what is sent, what is kept.
package final class HostEngine: AppEngine {
  enum Listener { case off, asked, ready, failed }

  let configuration: BeamConfiguration
  /// Whoever drives the engine takes them out of here.
  private(set) var effects = Fifo<AppEffect>()
  var now = SimInstant.zero

  // The event
  /// Its name, as the network knows it; nil: there is none.
  var event: String?
  var listener = Listener.off
  var isInBackground = false
  var isBatteryLow = false
  /// The transcript.
  var finals: [String] = []
  /// Guests that have had an open stream in this session.
  var known: [String] = []
  /// Those of them that have not been told yet that the session goes on (BEAM 5.7.3).
  var owed: [String] = []
  var unstable: [(peer: String, count: Int)] = []
  /// The finals as they are kept.
  var keptFinals: [UInt8] = []
  /// Octets of all that is kept.
  var keptCount = 0
  /// They have become too long to be kept.
  var keepsNothing = false

  // BLE
  var isRadioOn = true
  /// The name that is advertised; nil: nothing is.
  var advertised: String?

  var streams: [HostStream] = []
  /// Guests that were last shown, and how many of them with an open stream.
  var shownGuests = (count: 0, open: 0)
  /// For the time that a connection of `mpc` takes.
  var connectTimes: RandomStream

  package init(_ configuration: BeamConfiguration) {
    self.configuration = configuration
    connectTimes = RandomStream(
      seed: configuration.seed, component: configuration.peerID, purpose: "beamscribe-mpc-connect")
  }

  package func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    take(input, at: now)
    var list: [AppEffect] = []
    while let effect = effects.popFirst() { list.append(effect) }
    return list
  }

  package func handle(_ input: AppInput, at now: SimInstant, into effects: Fifo<AppEffect>) {
    if effects !== self.effects { self.effects = effects }
    take(input, at: now)
  }

  private func take(_ input: AppInput, at now: SimInstant) {
    self.now = now
    switch input {
    case .network(let input): hear(input)
    case .user(let action): if let action = action.beam { perform(action) }
    case .timer(let timer): timerFired(timer)
    case .launched: launched()
    case .background(let isInBackground):
      self.isInBackground = isInBackground
      if !isInBackground { comeToFront() }
    case .radioPower(let isOn): radioPower(isOn)
    case .advertisingStarted(let hasStarted): if !hasStarted { advertised = nil }
    // A link that somebody opened ends advertising.
    case .connected, .disconnected: advertiseAgain()
    default: break
    }
  }

  private func perform(_ action: BeamAction) {
    switch action {
    case .startEvent(let name): startEvent(name)
    case .endEvent: endEvent()
    case .speakFinal(let text): speakFinal(text)
    case .speakPartial(let text): speakPartial(text)
    case .batteryLow: setBatteryLow(true)
    case .batteryOK: setBatteryLow(false)
    case .join, .joinEvent, .leave, .stopReading, .readAgain: break
    }
  }

  private func hear(_ input: NetworkInput) {
    switch input {
    case .listenerReady(let type, let name, _): if type == configuration.serviceType { listenerReady(name) }
    case .listenerFailed(let type, let reason):
      if type == configuration.serviceType { listenerFailed(reason) }
    case .incoming(let id, let interface, let peer): incoming(id, interface, peer)
    case .submitted(let id, let accepted): if let stream = stream(id) { submitted(stream, accepted) }
    case .room(let id): if let stream = stream(id) { roomAgain(stream) }
    case .received(let id, let octets): if let stream = stream(id) { received(stream, octets) }
    case .ended(let id):
      if let stream = stream(id) {
        ask(.cancel(id))
        lose(stream)
      }
    case .failed(let id, let reason): if let stream = stream(id) { failed(stream, reason) }
    case .viable(let id, let isViable): if let stream = stream(id) { setViable(stream, isViable) }
    case .found, .changed, .recordChanged, .lost, .ready, .waiting, .betterPath, .cancelled, .pathChanged: break
    }
  }

  private func timerFired(_ timer: TimerID) {
    if timer == BeamTimer.listenAgain {
      if listener == .failed { listen() }
      return
    }
    guard let (kind, id) = BeamTimer.ofStream(timer), let stream = stream(id) else { return }
    stream.timers.hasFired(kind)
    switch kind {
    case .gate: gateIsDue(stream)
    case .slow: checkAge(stream)
    case .finish: cancel(stream)
    case .viability:
      ask(.cancel(id))
      lose(stream)
    case .connect: connectIsDue(stream)
    case .stall: break
    }
  }

  // MARK: Help

  func report(_ report: BeamReport) { effects.append(.report(report)) }

  func ask(_ effect: NetworkEffect) { effects.append(.network(effect)) }

  /// Nil for a stream that was refused, or is over: what it still brings is ignored (BEAM 3.10).
  func stream(_ id: ConnectionID) -> HostStream? { streams.first { $0.id == id } }

  /// Guests among streams, each once.
  func guests(among matches: (HostStream) -> Bool) -> [String] {
    var peers: [String] = []
    for stream in streams where matches(stream) && !peers.contains(stream.peer) { peers.append(stream.peer) }
    return peers
  }

  /// After every change of streams: what is shown of guests, and whether BLE is on.
  func guestsChanged() {
    let guests = (count: self.guests { $0.isUp }.count, open: self.guests { $0.phase == .open }.count)
    assert(guests.count <= configuration.guestLimit, "no more guests have a stream than there may be")
    if guests != shownGuests {
      shownGuests = guests
      report(.guests(count: guests.count, open: guests.open))
    }
    updateAdvertising()
  }
}
