import Network

/// A guest: it looks for an event, and shows what its host speaks.
public final class GuestSession {
  let screen: Screen
  let wallClock: () -> Int
  let network = P2PConnectionManager()
  private let bluetooth = BLEDiscoveryManager(isHost: false)
  private let attemptEnd = Alarm()
  private let retry = Alarm()

  private var state = ""
  private var isJoined = false
  private var wanted: String?
  private var isReading = true
  private var found: [String] = []
  private var target: String?
  private var ended: String?
  private var knowsEndOf: String?
  private var awakeUntil = 0.0
  private var attempt: GuestStream?
  /// Those that are up, the oldest first.
  private(set) var streams: [GuestStream] = []
  private var retries = 0
  public internal(set) var finals: [String] = []

  public init(wallClock: @escaping () -> Int, screen: @escaping Screen) {
    self.screen = screen
    self.wallClock = wallClock
    network.onFound = { [unowned self] in eventFound($0) }
    network.onLost = { [unowned self] in eventLost($0) }
    bluetooth.onHeard = { [unowned self] in heard($0) }
  }

  func show(_ next: String) {
    guard next != state else { return }
    state = next
    screen("state", ["state": next])
  }

  // MARK: What its person does

  public func join(_ name: String?) {
    if isJoined, Self.isSame(wanted, name) { return }
    if isJoined { leave() }
    isJoined = true
    wanted = name
    network.browse()
    updateScan()
    show("LOOKING")
  }

  public func leave() {
    guard isJoined else { return }
    isJoined = false
    cancelAll()
    retry.cancel()
    network.stopBrowsing()
    (found, target, ended, knowsEndOf, retries) = ([], nil, nil, nil, 0)
    updateScan()
    show("IDLE")
  }

  public func setReading(_ isOn: Bool) {
    isReading = isOn
    for stream in streams { stream.stream.setReading(isOn) }
  }

  /// The app is in front again.
  public func cameToFront() {
    guard isJoined else { return }
    bluetooth.scanAgain()
    guard streams.isEmpty else { return }
    retries = 0
    if retry.isSet {
      retry.cancel()
      connect(isSecond: false)
    }
  }

  private static func isSame(_ a: String?, _ b: String?) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    return a.hasOctets(of: b)
  }

  // MARK: Finding

  private func eventFound(_ name: String) {
    guard isJoined else { return }
    if !found.contains(where: { $0.hasOctets(of: name) }) { found.append(name) }
    guard attempt == nil, streams.isEmpty else { return }
    if let only = target ?? wanted ?? ended, !only.hasOctets(of: name) { return }
    (target, ended) = (name, nil)
    retry.cancel()
    connect(isSecond: false)
  }

  private func eventLost(_ name: String) {
    found.removeAll { $0.hasOctets(of: name) }
    if retry.isSet, let target, target.hasOctets(of: name) { lookAgain() }
  }

  private func lookAgain() {
    retry.cancel()
    (retries, target, ended) = (0, nil, nil)
    browseAgain()
    show("LOOKING")
  }

  private func browseAgain() {
    found = []
    network.stopBrowsing()
    network.browse()
  }

  // MARK: Bluetooth

  private func updateScan() {
    let wantsScan = isJoined && streams.isEmpty
    if wantsScan { awakeUntil = min(awakeUntil, uptime()) }
    bluetooth.scan(wantsScan)
  }

  private func heard(_ name: String?) {
    guard isJoined, streams.isEmpty, uptime() >= awakeUntil else { return }
    if let event = wanted ?? ended, let name, !name.hasOctets(of: event.advertised) { return }
    awakeUntil = uptime() + Beam.wake
    network.wakePeerToPeer()
    if state == "ENDED" { browseAgain() }
  }

  // MARK: Attempts

  private func connect(isSecond: Bool) {
    guard let target else { return }
    let stream = network.connect(to: target, infrastructure: isSecond)
    let attempt = GuestStream(stream, isSecond: isSecond)
    self.attempt = attempt
    stream.onReady = { [unowned self, unowned attempt] _, _ in up(attempt) }
    stream.onOctets = { [unowned self, unowned attempt] _, octets in received(octets, attempt) }
    stream.onEnd = { [unowned self, unowned attempt] _, error in over(attempt, isEnded: error == nil) }
    stream.onViability = { [unowned self, unowned attempt] _, isViable in viability(attempt, isViable) }
    stream.onBetterPath = { [unowned self, unowned attempt] _ in betterPath(attempt) }
    stream.start()
    attemptEnd.set(after: Beam.attempt) { [unowned self] in
      self.attempt?.stream.cancel()
      failAttempt()
    }
    if !isSecond { show("CONNECTING") }
  }

  private func up(_ stream: GuestStream) {
    guard stream === attempt else { return }
    endAttempt()
    stream.isUp = true
    streams.append(stream)
    if !isReading { stream.stream.setReading(false) }
    updateScan()
    if !stream.isSecond { show("CONNECTED") }
  }

  private func endAttempt() {
    attempt = nil
    attemptEnd.cancel()
  }

  private func failAttempt() {
    guard let attempt else { return }
    endAttempt()
    if !attempt.isSecond { loss() }
  }

  private func betterPath(_ stream: GuestStream) {
    guard stream.isUp, stream.stream.interface != "en0", attempt == nil, streams.count == 1 else { return }
    connect(isSecond: true)
  }

  // MARK: Ends

  private func over(_ stream: GuestStream, isEnded: Bool) {
    if stream.isUp, stream.decoder.isWithinFrame { refused(stream, "truncated") }
    if isEnded { stream.stream.cancel() }
    if stream.isUp { lose(stream) } else if stream === attempt { failAttempt() }
  }

  private func refused(_ stream: GuestStream, _ reason: String) {
    screen("refused", ["stream": stream.stream.number, "reason": reason])
  }

  func refuse(_ stream: GuestStream, _ reason: String) {
    refused(stream, reason)
    stream.stream.cancel()
    lose(stream)
  }

  private func lose(_ stream: GuestStream) {
    remove(stream)
    if let rest = streams.first { return show(rest.isComplete ? "SHOWING" : "CONNECTED") }
    if let attempt {
      attempt.stream.cancel()
      endAttempt()
    }
    loss()
  }

  func remove(_ stream: GuestStream) {
    stream.stop()
    streams.removeAll { $0 === stream }
  }

  private func cancelAll() {
    for stream in streams {
      stream.stream.cancel()
      remove(stream)
    }
    attempt?.stream.cancel()
    if attempt != nil { endAttempt() }
  }

  private func loss() {
    updateScan()
    show("LOST")
    guard retries < Beam.retryWaits.count else {
      if let target, !Self.isSame(knowsEndOf, target) {
        knowsEndOf = target
        screen("alertShown", ["alert": "hostDisconnected", "own": true])
      }
      return lookAgain()
    }
    retry.set(after: Beam.retryWaits[retries]) { [unowned self] in connect(isSecond: false) }
    retries += 1
    if let target, !found.contains(where: { $0.hasOctets(of: target) }) { lookAgain() }
  }

  /// The host has said that the event is over.
  func end() {
    knowsEndOf = target
    ended = target
    cancelAll()
    retry.cancel()
    (retries, target, found) = (0, nil, [])
    show("ENDED")
    updateScan()
  }

  /// The history of a stream is complete.
  func completed(_ stream: GuestStream) {
    show("SHOWING")
    (retries, knowsEndOf) = (0, nil)
    while let older = streams.first, older !== stream {
      older.stream.cancel()
      remove(older)
    }
  }

  private func viability(_ stream: GuestStream, _ isViable: Bool) {
    if isViable, let since = stream.deadSince {
      stream.deadSince = nil
      stream.viability.cancel()
      stream.lastGrowth += uptime() - since
      if stream.decoder.isWithinFrame { watchGrowth(stream) }
    } else if !isViable, stream.isUp {
      stream.deadSince = uptime()
      stream.stall.cancel()
      stream.viability.set(after: Beam.notViable) { [unowned self, unowned stream] in
        stream.stream.cancel()
        lose(stream)
      }
    }
  }

  // MARK: Octets

  private func received(_ octets: [UInt8], _ stream: GuestStream) {
    guard isUp(stream) else { return }
    var piece = octets[...]
    do {
      while let body = try stream.decoder.next(&piece) {
        read(body, on: stream)
        if !isUp(stream) { return }
      }
    } catch {
      return refuse(stream, (error as? LengthFraming.Refusal)?.rawValue ?? "notAPacket")
    }
    guard stream.decoder.isWithinFrame else { return stream.stall.cancel() }
    stream.lastGrowth = uptime()
    watchGrowth(stream)
  }

  func isUp(_ stream: GuestStream) -> Bool { streams.contains { $0 === stream } }

  private func watchGrowth(_ stream: GuestStream) {
    guard stream.deadSince == nil else { return }
    stream.stall.set(after: max(0, stream.lastGrowth + Beam.stall - uptime())) { [unowned self, unowned stream] in
      if stream.decoder.isWithinFrame, isUp(stream) { refuse(stream, "stalled") }
    }
  }
}
