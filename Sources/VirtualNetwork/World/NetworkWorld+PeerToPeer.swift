import AppSeam
import SimKernel

extension NetworkWorld {
  /// The time between two synchronisation frames of a master, and of another device (NET 4.10).
  static let masterInterval = SimDuration.microseconds(110 * 1_024)
  static let slaveInterval = SimDuration.microseconds(440 * 1_024)
  /// After so long without a frame a neighbour is gone.
  static let neighbourTimeout = SimDuration.seconds(2)

  // MARK: Awake or asleep

  /// An app listens, browses, connects or is connected from peer to peer (NET 4.5).
  func asks(_ device: NetworkDevice) -> Bool {
    device.listeners.contains { $0.request.peerToPeer } || device.browsers.contains { $0.peerToPeer }
      || device.open.contains { index in
        let connection = connections[index]
        if connection.state == .ready { return legs[connection.leg].interface == .peerToPeer }
        return connection.request?.interfaces.contains(.peerToPeer) ?? false
      }
  }

  private func isPrimed(_ device: NetworkDevice) -> Bool { timeline.now < device.primedUntil }

  private func lingers(_ device: NetworkDevice) -> Bool { timeline.now < device.lingersUntil }

  /// The app ends a stream from peer to peer: its FIN or RST needs the interface, whoever asks for it then (NET 4.12).
  func linger(_ device: NetworkDevice, after connection: NetworkConnection) {
    guard sleeps, connection.state == .ready, connection.leg >= 0, legs[connection.leg].interface == .peerToPeer else {
      return
    }
    device.lingersUntil = timeline.now + Self.neighbourTimeout
    cancel(&device.lingerEvent)
    device.lingerEvent = schedule(.lingered, device.index, after: Self.neighbourTimeout)
  }

  func lingeringIsOver(_ device: NetworkDevice) {
    device.lingerEvent = nil
    reviewAsks(device)
  }

  /// What the app asks of AWDL has changed.
  func reviewAsks(_ device: NetworkDevice) {
    guard device.station.hasPeerToPeer else { return }
    let isAwake = device.hasLink(.peerToPeer) && (!sleeps || asks(device) || isPrimed(device) || lingers(device))
    let hasChanged = isAwake != device.isAwake
    if air == nil, !hasChanged { return }
    if hasChanged {
      device.isAwake = isAwake
      surroundings.observe(.peerToPeer(isAwake: isAwake), device: device.index)
    }
    retune()
    if isAwake || hasChanged { reviewNeighbours() }
  }

  func prime(_ device: NetworkDevice, _ time: SimDuration) {
    guard time > .zero, device.station.hasPeerToPeer else { return }
    device.primedUntil = max(device.primedUntil, timeline.now + min(time, Self.longestTime))
    cancel(&device.primeEvent)
    device.primeEvent = schedule(.unprimed, device.index, after: device.primedUntil - timeline.now)
    reviewAsks(device)
  }

  func primeIsOver(_ device: NetworkDevice) {
    device.primeEvent = nil
    reviewAsks(device)
  }

  // MARK: Neighbours

  private func canHear(_ a: NetworkDevice, _ b: NetworkDevice) -> Bool {
    a.isAwake && b.isAwake && !a.isVanished && !b.isVanished && reaches(a.index, b.index)
  }

  /// Begins and ends searches and neighbourhoods as who is awake and who reaches whom wants it, and says what passes.
  func reviewNeighbours(isStart: Bool = false) {
    for a in devices {
      for b in devices where b.index > a.index { reviewPair(a, b, isStart: isStart) }
    }
    reviewPaths()
  }

  private func reviewPair(_ a: NetworkDevice, _ b: NetworkDevice, isStart: Bool) {
    var pair = neighbours[a.index, b.index]
    let hears = canHear(a, b)
    let isQuick = !sleeps || isPrimed(a) || isPrimed(b)
    switch pair.state {
    case .apart where hears:
      pair.searches += 1
      if air == nil || isStart {
        pair.state = .linked
        neighbours[a.index, b.index] = pair
        return isStart ? () : neighboursMeet(a, b)
      }
      let wait = isQuick ? SimDuration.zero : draw(room.peerToPeer.search, .search, pairNumber(a, b), pair.searches)
      pair.state = .searching
      pair.due = timeline.now + wait + frameWait(a, b, pair.searches)
      pair.event = schedule(.neighbour, a.index, b.index, after: pair.due - timeline.now)
    case .searching where !hears:
      cancel(&pair.event)
      pair.state = .apart
    case .searching where isQuick:
      let due = timeline.now + frameWait(a, b, pair.searches)
      if due < pair.due, let event = pair.event {
        pair.due = due
        timeline.reschedule(event, to: due)
      }
    case .linked where !hears:
      pair.state = .fading
      pair.event = schedule(.neighbourLoss, a.index, b.index, after: Self.neighbourTimeout)
    case .fading where hears:
      cancel(&pair.event)
      pair.state = .linked
    default: return
    }
    neighbours[a.index, b.index] = pair
  }

  /// The same for both orders.
  private func pairNumber(_ a: NetworkDevice, _ b: NetworkDevice) -> UInt64 { a.number &+ b.number }

  /// Until the next synchronisation frame of a master (NET 4.13).
  private func frameWait(_ a: NetworkDevice, _ b: NetworkDevice, _ occasion: UInt64) -> SimDuration {
    draw(.zero...Self.masterInterval, .synchronisation, pairNumber(a, b), occasion)
  }

  func neighbourIsThere(_ a: Int, _ b: Int) {
    neighbours[a, b].state = .linked
    neighbours[a, b].event = nil
    neighboursMeet(devices[a], devices[b])
    reviewPaths()
  }

  private func neighboursMeet(_ a: NetworkDevice, _ b: NetworkDevice) {
    reviewPaths()
    for (device, other) in [(a, b), (b, a)] {
      surroundings.observe(.neighbour(other.index, isThere: true), device: device.index)
      reviewConnections(device)
      neighbourAppeared(device)
    }
  }

  func neighbourIsGone(_ a: Int, _ b: Int) {
    dropFrames(between: a, b)
    neighbours[a, b].state = .apart
    neighbours[a, b].event = nil
    for (device, other) in [(a, b), (b, a)] {
      surroundings.observe(.neighbour(other, isThere: false), device: device)
      reviewConnections(devices[device])
    }
    reviewNeighbours()
  }

  // MARK: What passes

  /// Between which interfaces packets can pass as things are.
  func reviewPaths() {
    let isolates = room.accessPoint?.isolates ?? true
    for a in devices {
      for b in devices where b.index != a.index {
        let reachAccessPoint = reaches(a.index, devices.count) && reaches(b.index, devices.count)
        let areThere = !a.isVanished && !b.isVanished
        paths.setPasses(
          a.index, b.index, .infrastructure, areThere && !isolates && a.isJoined && b.isJoined && reachAccessPoint)
        paths.setPasses(
          a.index, b.index, .peerToPeer,
          areThere && neighbours[a.index, b.index].state == .linked && a.isAwake && b.isAwake)
      }
    }
  }
}
