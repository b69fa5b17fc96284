package import AppSeam
package import SimKernel

/// The reference guest: it looks for an event, and shows what its host speaks.
///
/// Spec: BEAM 1 to 9. Split by concern: finding, BLE, streams, packets.
package final class GuestEngine: AppEngine {
  /// A service that the browser shows.
  struct FoundEvent {
    var endpoint: EndpointID
    var name: String
  }

  let configuration: BeamConfiguration
  /// Whoever drives the engine takes them out of here.
  private(set) var effects = Fifo<AppEffect>()
  var now = SimInstant.zero

  // What its person wants
  var isJoined = false
  /// The name that its person told it; nil: the first event that is found.
  var wanted: String?
  var isReading = true

  // Finding
  var found: [FoundEvent] = []
  /// The event that it joins; nil while it looks for one.
  var target: FoundEvent?
  /// The name of the event that has ended, while the guest waits for it to be there again (BEAM 5.8.4).
  var ended: String?
  var isScanning = false
  var isRadioOn = true
  var primedUntil = SimInstant.zero

  // Streams
  var nextConnection = 2
  var attempt: GuestStream?
  /// Those that are up, the oldest first; at most two.
  var streams: [GuestStream] = []
  /// Waits after losses and failures since the last complete history (BEAM 5.9.4).
  var retriesUsed = 0
  var waitsForRetry = false

  // Shown
  var transcript = GuestTranscript()
  var state: BeamState?
  /// The name of the event whose end it was told of, or noticed, if it has had no complete history since.
  var knowsEndOf: String?

  package init(_ configuration: BeamConfiguration) { self.configuration = configuration }

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
    case .discovered(let advertisement): discovered(advertisement)
    case .background(let isInBackground): if !isInBackground { comeToFront() }
    case .radioPower(let isOn):
      isRadioOn = isOn
      isScanning = false
      updateScanning()
    default: break
    }
  }

  private func perform(_ action: BeamAction) {
    switch action {
    case .join: join(nil)
    case .joinEvent(let name): join(name.isEmpty ? nil : name)
    case .leave: leave()
    case .stopReading: setReading(false)
    case .readAgain: setReading(true)
    case .startEvent, .endEvent, .speakFinal, .speakPartial, .batteryLow, .batteryOK: break
    }
  }

  private func hear(_ input: NetworkInput) {
    switch input {
    case .found(let endpoint, let type, let name, _, _):
      if type == configuration.serviceType { eventFound(FoundEvent(endpoint: endpoint, name: name)) }
    case .lost(let endpoint): eventLost(endpoint)
    case .ready(let id, let interface): if let attempt = attempt(id) { ready(attempt, interface) }
    case .failed(let id, _): over(id, isEnded: false)
    case .ended(let id): over(id, isEnded: true)
    case .received(let id, let octets): if let stream = stream(id) ?? attempt(id) { received(stream, octets) }
    case .viable(let id, let isViable): if let stream = stream(id) { setViable(stream, isViable) }
    case .betterPath(let id, let isBetter): if isBetter, let stream = stream(id) { betterPath(stream) }
    case .submitted(let id, let accepted): if let attempt = attempt(id) { attempt.owesInvitation = !accepted }
    case .room(let id): if let attempt = attempt(id), attempt.owesInvitation { invite(attempt) }
    case .changed, .recordChanged, .waiting, .cancelled, .pathChanged, .incoming, .listenerReady, .listenerFailed: break
    }
  }

  private func timerFired(_ timer: TimerID) {
    switch timer {
    case BeamTimer.attempt: attemptIsDue()
    case BeamTimer.retry: retry()
    default:
      guard let (kind, id) = BeamTimer.ofStream(timer), let stream = stream(id) else { return }
      stream.timers.hasFired(kind)
      switch kind {
      case .viability:
        ask(.cancel(id))
        lose(stream)
      case .stall: stallIsDue(stream)
      case .gate, .slow, .finish, .connect: break
      }
    }
  }

  // MARK: Help

  func report(_ report: BeamReport) { effects.append(.report(report)) }

  func ask(_ effect: NetworkEffect) { effects.append(.network(effect)) }

  func show(_ state: BeamState) {
    guard state != self.state else { return }
    self.state = state
    report(.state(state.rawValue))
  }

  /// Nil for a stream that is over: what it still brings is ignored (BEAM 3.10).
  func stream(_ id: ConnectionID) -> GuestStream? { streams.first { $0.id == id } }

  func attempt(_ id: ConnectionID) -> GuestStream? { attempt.flatMap { $0.id == id ? $0 : nil } }
}
