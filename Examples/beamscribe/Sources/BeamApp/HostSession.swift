import Foundation
import Network

/// The host of an event: it speaks, and its guests show it.
public final class HostSession {
  public struct Settings {
    public var advertisesFreeSeats = false
    public var writesTime = true
    public var resumes = true
    public init() {}
  }

  let settings: Settings
  let displayName: String
  let screen: Screen
  /// Milliseconds since 1970.
  let wallClock: () -> Int
  let keeper: HostKeeper
  private let network = P2PConnectionManager()
  private let bluetooth = BLEDiscoveryManager(isHost: true)
  private let listenAgain = Alarm()

  private(set) var event: String?
  private var isListening = false
  private var isInFront = true
  private(set) var isBatteryLow = false
  private(set) var finals: [String] = []
  /// Guests that have had an open stream in this session, and those among them that are owed `sessionResumed`.
  private(set) var known: [String] = []
  private var owed: [String] = []
  private var unstable: [String: Int] = [:]
  private var streams: [HostedStream] = []
  private var shownGuests = (0, 0)

  public init(
    displayName: String, settings: Settings, kept: Data, wallClock: @escaping () -> Int, screen: @escaping Screen,
    keep: @escaping (Data) -> Void
  ) {
    self.displayName = displayName
    self.settings = settings
    self.wallClock = wallClock
    self.screen = screen
    keeper = HostKeeper(isOn: settings.resumes, keep: keep)
    network.onRegistered = { [unowned self] in registered($0) }
    network.onListenerFailed = { [unowned self] in listenerFailed(isReclaimed: $0) }
    network.onIncoming = { [unowned self] in incoming($0) }
    screen("state", ["state": "IDLE"])
    if settings.resumes, let session = HostKeeper.session(kept) { resume(session) }
  }

  // MARK: The event

  public func startEvent(_ name: String) {
    guard event == nil else { return }
    (finals, known, owed) = ([], [], [])
    open((name.isEmpty ? displayName : name).cut(octets: 63))
    keep()
  }

  private func open(_ name: String) {
    event = name
    screen("state", ["state": "HOSTING"])
    screen("eventNamed", ["name_": name])
    listen()
    updateBluetooth()
  }

  public func endEvent() {
    guard event != nil else { return }
    event = nil
    screen("alertRaised", ["alert": "hostDisconnected"])
    for stream in streams {
      switch stream.phase {
      case .open:
        stream.add(.alert(.hostDisconnected))
        stream.phase = .ending
        stream.pump()
      case .coming, .gated: finish(stream)
      case .ending, .finished: break
      }
    }
    network.stopHosting()
    listenAgain.cancel()
    isListening = false
    keeper.forget()
    screen("state", ["state": "IDLE"])
    guestsChanged()
  }

  private func listen() {
    guard let event else { return }
    isListening = true
    network.host(event)
  }

  private func registered(_ name: String) {
    guard let event else { return }
    if !name.hasOctets(of: event) {
      self.event = name
      screen("eventNamed", ["name_": name])
      keep()
    }
    updateBluetooth()
  }

  private func listenerFailed(isReclaimed: Bool) {
    guard event != nil else { return }
    isListening = false
    if isReclaimed, isInFront { return listen() }
    listenAgain.set(after: 1) { [unowned self] in if !isListening { listen() } }
  }

  public func setInFront(_ isInFront: Bool) {
    self.isInFront = isInFront
    guard isInFront else { return }
    if event != nil, !isListening {
      listenAgain.cancel()
      listen()
    }
    bluetooth.advertiseAgain()
  }

  private func updateBluetooth() {
    let limit = settings.advertisesFreeSeats ? Beam.guests : 1
    bluetooth.advertise(guests { $0.phase != .coming }.count < limit ? event?.advertised : nil)
  }

  // MARK: Guests

  private func guests(where matches: (HostedStream) -> Bool) -> [String] {
    var peers: [String] = []
    for stream in streams where matches(stream) && !peers.contains(stream.peer) { peers.append(stream.peer) }
    return peers
  }

  private func guestsChanged() {
    let now = (guests { $0.phase != .coming }.count, guests { $0.phase == .open }.count)
    if now != shownGuests {
      shownGuests = now
      screen("guests", ["count": now.0, "open": now.1])
    }
    updateBluetooth()
  }

  private func incoming(_ stream: P2PStream) {
    guard event != nil else { return stream.cancel() }
    guard guests(where: { $0.peer != stream.peer }).count < Beam.guests else {
      screen("refused", ["stream": stream.number, "reason": "full"])
      return stream.cancel()
    }
    let hosted = HostedStream(stream) { [unowned self] in settings.writesTime ? wallClock() : nil }
    streams.append(hosted)
    hosted.onSent = { [unowned self] type, octets in
      screen("packetSent", ["stream": stream.number, "type": type, "octets": octets])
    }
    hosted.onSlow = { [unowned self, unowned hosted] in refuse(hosted, "slow") }
    hosted.onIdle = { [unowned self, unowned hosted] in if hosted.phase == .ending { finish(hosted) } }
    stream.onReady = { [unowned self, unowned hosted] _, _ in ready(hosted) }
    stream.onOctets = { [unowned self, unowned hosted] _, _ in refuse(hosted, "unexpectedData") }
    stream.onEnd = { [unowned self, unowned hosted] _, error in ended(hosted, error) }
    stream.onViability = { [unowned self, unowned hosted] _, isViable in viability(hosted, isViable) }
    stream.start()
  }

  private func ready(_ stream: HostedStream) {
    stream.phase = .gated
    stream.readyAt = uptime()
    let older = streams.first {
      $0 !== stream && $0.peer == stream.peer && $0.stream.interface == stream.stream.interface
    }
    if let older { refuse(older, "superseded") }
    stream.gate.set(after: Beam.gate) { [unowned self, unowned stream] in
      if stream.stream.isViable { openGate(stream) } else { stream.isGateDue = true }
    }
    guestsChanged()
  }

  private func openGate(_ stream: HostedStream) {
    guard stream.phase == .gated else { return }
    stream.phase = .open
    screen("gateOpened", ["stream": stream.stream.number, "peer": stream.peer])
    stream.add(history: finals)
    if isBatteryLow { stream.add(.alert(.batteryLow)) }
    if owed.contains(stream.peer) {
      owed.removeAll { $0 == stream.peer }
      stream.add(.alert(.sessionResumed))
    }
    if !known.contains(stream.peer) {
      known.append(stream.peer)
      keep()
    }
    guestsChanged()
    stream.pump()
  }

  private func viability(_ stream: HostedStream, _ isViable: Bool) {
    if isViable {
      stream.viability.cancel()
      if stream.isGateDue { openGate(stream) }
    } else {
      stream.viability.set(after: Beam.notViable) { [unowned self, unowned stream] in
        stream.stream.cancel()
        lose(stream)
      }
    }
  }

  // MARK: Ends

  private func ended(_ stream: HostedStream, _ error: NWError?) {
    if error == nil { stream.stream.cancel() }
    lose(stream)
    if error == .posix(.ECONNABORTED), event != nil, streams.isEmpty { resumeSession() }
  }

  private func lose(_ stream: HostedStream) {
    remove(stream)
    if stream.phase == .gated || stream.phase == .open, uptime() - stream.readyAt < Beam.unstableBefore {
      let count = unstable[stream.peer, default: 0] + 1
      unstable[stream.peer] = count
      screen("unstable", ["peer": stream.peer, "count": count])
    }
    guestsChanged()
  }

  private func refuse(_ stream: HostedStream, _ reason: String) {
    guard streams.contains(where: { $0 === stream }) else { return }
    screen("refused", ["stream": stream.stream.number, "reason": reason])
    stream.stream.cancel()
    remove(stream)
    guestsChanged()
  }

  private func finish(_ stream: HostedStream) {
    stream.phase = .finished
    stream.gate.cancel()
    stream.viability.cancel()
    stream.stream.finish()
    stream.finishing.set(after: Beam.finish) { [unowned self, unowned stream] in
      stream.stream.cancel()
      remove(stream)
      guestsChanged()
    }
  }

  private func remove(_ stream: HostedStream) {
    stream.stop()
    streams.removeAll { $0 === stream }
  }

  // MARK: What is spoken

  public func speakFinal(_ text: String) {
    guard event != nil else { return }
    for piece in text.pieces(octets: Beam.longestText) {
      finals.append(piece)
      screen("finalShown", ["sequence_": finals.count, "text": piece])
      broadcast(.init(.init(sequence: finals.count, text: piece), isFinal: true))
      keeper.add(piece)
    }
  }

  public func speakPartial(_ text: String) {
    let text = text.cut(octets: Beam.longestText)
    guard event != nil, !text.isEmpty else { return }
    screen("partialShown", ["sequence_": finals.count + 1, "text": text])
    broadcast(.init(.init(sequence: finals.count + 1, text: text), isFinal: false))
  }

  private func broadcast(_ chunk: HostedStream.Chunk) {
    for stream in streams where stream.phase == .open {
      stream.dropWaitingPartial()
      stream.add(.chunk(chunk))
      stream.pump()
      if stream.waitingOctets > Beam.slowOctets { refuse(stream, "slow") }
    }
  }

  public func setBatteryLow(_ isLow: Bool) {
    guard isLow != isBatteryLow else { return }
    isBatteryLow = isLow
    if isLow {
      screen("alertRaised", ["alert": "batteryLow"])
      for stream in streams where stream.phase == .open {
        stream.add(.alert(.batteryLow))
        stream.pump()
      }
    }
    keep()
  }

  // MARK: Over a relaunch

  private func keep() {
    guard let event else { return }
    keeper.keep(HostKeeper.Session(name: event, isBatteryLow: isBatteryLow, guests: known, finals: finals))
  }

  private func resume(_ session: HostKeeper.Session) {
    (finals, known, isBatteryLow) = (session.finals, session.guests, session.isBatteryLow)
    open(session.name)
    resumeSession()
    keep()
  }

  private func resumeSession() {
    guard !known.isEmpty else { return }
    owed = known
    screen("alertRaised", ["alert": "sessionResumed"])
  }
}
