import AppSeam
import SimKernel

extension NetworkWorld {
  /// How long the preferred interface has before another one is tried (NET 8.4; RFC 8305, 5).
  static let headStart = SimDuration.milliseconds(250)
  /// What an interface that went off has to come back (NET 8.5).
  static let patience = SimDuration.seconds(5)

  func connect(_ id: ConnectionID, _ request: ConnectRequest, _ device: NetworkDevice) {
    let endpoint = request.endpoint.rawValue
    guard id.rawValue >= 0, id.rawValue % 2 == 0, device.connections[id] == nil, !request.interfaces.isEmpty,
      device.endpoints.indices.contains(endpoint)
    else { return tell(device, .failed(id, .invalid)) }
    let connection = NetworkConnection(
      connections.count, device: device.index, id: id, request: request,
      isDatagram: device.endpoints[endpoint].type.hasSuffix("._udp"), state: .connecting)
    connections.append(connection)
    device.connections[id] = connection.index
    device.open.append(connection.index)
    if let limit = request.timeout { connection.timeout = schedule(.timeout, connection.index, after: limit) }
    reviewAsks(device)
    attempt(connection)
  }

  /// Tries the interfaces over which the endpoint is known, the preferred one first.
  func attempt(_ connection: NetworkConnection) {
    guard let request = connection.request else { return }
    let device = devices[connection.device]
    connection.state = .connecting
    let endpoint = current(request.endpoint, device)
    let candidates = candidates(connection, device, endpoint)
    guard let first = candidates.first else {
      if !connection.failed.isEmpty { return fail(connection, connection.lastFailure) }
      connection.state = .waiting
      cancel(&connection.race)
      return tell(device, .waiting(connection.id, .noPath))
    }
    if connection.race == nil {
      // A preferred interface has a moment to be found on as well.
      let moment = endpoint.firstFound + Self.headStart
      if first != request.interfaces.first, connection.failed.isEmpty, timeline.now < moment,
        device.hasLink(request.interfaces[0])
      {
        connection.race = schedule(.race, connection.index, after: moment - timeline.now)
        return
      }
      if candidates.count > 1 { connection.race = schedule(.race, connection.index, after: Self.headStart) }
    }
    start(connection, first, endpoint)
  }

  /// The service that an endpoint stands for as it is known now.
  private func current(_ id: EndpointID, _ device: NetworkDevice) -> NetworkEndpoint {
    let endpoint = device.endpoints[id.rawValue]
    if endpoint.isThere { return endpoint }
    return device.endpoints.last { $0.isThere && $0.type == endpoint.type && $0.name == endpoint.name } ?? endpoint
  }

  private func candidates(
    _ connection: NetworkConnection, _ device: NetworkDevice, _ endpoint: NetworkEndpoint
  ) -> [NetworkInterface] {
    guard let remote = self.device(ofHost: endpoint.hostName), remote != device.index else { return [] }
    return connection.request?.interfaces.filter {
      endpoint.ports[$0.index] != nil && device.hasLink($0) && !connection.failed.contains($0)
        && ($0 == .infrastructure || neighbours.knows(device.index, remote))
    } ?? []
  }

  private func start(_ connection: NetworkConnection, _ interface: NetworkInterface, _ endpoint: NetworkEndpoint) {
    guard let remote = device(ofHost: endpoint.hostName), let port = endpoint.ports[interface.index] else { return }
    let device = devices[connection.device]
    let leg = makeLeg(
      device, to: remote, interface, localPort: device.takePort(), remotePort: port,
      isDatagram: connection.isDatagram, keepAlive: connection.request?.keepAlive)
    leg.connection = connection.index
    connection.racing.append(leg.index)
    guard let end = leg.end else { return won(connection, leg) }
    end.open(at: timeline.now)
    settle(leg)
  }

  /// The other interface's turn, while nothing is ready.
  func raceIsOn(_ connection: NetworkConnection) {
    guard connection.state == .connecting, let request = connection.request else { return }
    if connection.racing.isEmpty { return attempt(connection) }
    let device = devices[connection.device]
    let endpoint = current(request.endpoint, device)
    let tried = connection.racing.map { legs[$0].interface }
    if let next = candidates(connection, device, endpoint).first(where: { !tried.contains($0) }) {
      start(connection, next, endpoint)
    }
  }

  /// A leg is ready: it carries the connection, and the others end.
  func won(_ connection: NetworkConnection, _ leg: NetworkLeg) {
    guard connection.state == .connecting else { return }
    connection.state = .ready
    connection.leg = leg.index
    stopTimers(connection)
    for other in connection.racing where other != leg.index { abort(legs[other]) }
    connection.racing = []
    connection.failed = []
    let device = devices[connection.device]
    device.statistics.connections += 1
    tell(device, .ready(connection.id, leg.interface))
    connection.isViable = true
    reviewViability(connection)
    reviewBetterPath(connection)
  }

  /// A leg is over, not by its own app.
  func lost(_ connection: NetworkConnection, _ leg: NetworkLeg, _ reason: NetworkReason) {
    switch connection.state {
    case .ready: fail(connection, reason)
    case .connecting:
      connection.racing.removeAll { $0 == leg.index }
      connection.failed.append(leg.interface)
      connection.lastFailure = reason
      if connection.racing.isEmpty { attempt(connection) }
    case .waiting, .over: break
    }
  }

  func fail(_ connection: NetworkConnection, _ reason: NetworkReason) {
    guard connection.state != .over else { return }
    let device = devices[connection.device]
    end(connection, device)
    tell(device, .failed(connection.id, reason))
    reviewAsks(device)
  }

  /// Nothing more is told of a connection, and its legs end at once.
  func end(_ connection: NetworkConnection, _ device: NetworkDevice) {
    connection.state = .over
    stopTimers(connection)
    for index in connection.racing + (connection.leg >= 0 ? [connection.leg] : []) { abort(legs[index]) }
    connection.racing = []
    device.open.removeAll { $0 == connection.index }
  }

  private func stopTimers(_ connection: NetworkConnection) {
    cancel(&connection.timeout)
    cancel(&connection.race)
    cancel(&connection.grace)
  }

  // MARK: After changes of paths

  /// Connections without a path try again; those that race on an interface that is gone go on without it.
  func reviewConnections(_ device: NetworkDevice) {
    for index in device.open {
      let connection = connections[index]
      switch connection.state {
      case .waiting:
        guard let request = connection.request else { continue }
        if !candidates(connection, device, current(request.endpoint, device)).isEmpty { attempt(connection) }
      case .connecting:
        let gone = connection.racing.filter { !device.hasLink(legs[$0].interface) }
        // One that waits for the preferred interface to be found looks again.
        if gone.isEmpty, !connection.racing.isEmpty { continue }
        for leg in gone { abort(legs[leg]) }
        connection.racing.removeAll { gone.contains($0) }
        if connection.racing.isEmpty {
          cancel(&connection.race)
          attempt(connection)
        }
      case .ready:
        reviewViability(connection)
        reviewBetterPath(connection)
      case .over: break
      }
    }
  }

  /// Whether a ready connection can carry anything, as far as its device knows (NET 8.3).
  func reviewViability(_ connection: NetworkConnection) {
    guard connection.state == .ready else { return }
    let device = devices[connection.device]
    let leg = legs[connection.leg]
    let hasLink = device.hasLink(leg.interface)
    let isViable = hasLink && (leg.interface == .infrastructure || neighbours.knows(device.index, leg.remote))
    if hasLink {
      cancel(&connection.grace)
    } else if connection.grace == nil {
      connection.grace = schedule(.grace, connection.index, after: Self.patience)
    }
    if isViable == connection.isViable { return }
    connection.isViable = isViable
    tell(device, .viable(connection.id, isViable))
  }

  func graceIsOver(_ connection: NetworkConnection) {
    connection.grace = nil
    fail(connection, .interfaceOff)
  }

  /// Whether an interface that the app prefers could carry a new connection to the same service.
  func reviewBetterPath(_ connection: NetworkConnection) {
    guard connection.state == .ready, let request = connection.request else { return }
    let device = devices[connection.device]
    let used = legs[connection.leg].interface
    let first = candidates(connection, device, current(request.endpoint, device)).first
    let hasBetter = first.map { $0 != used && request.interfaces.prefix { $0 != used }.contains($0) } ?? false
    if hasBetter == connection.hasBetter { return }
    connection.hasBetter = hasBetter
    tell(device, .betterPath(connection.id, hasBetter))
  }
}
