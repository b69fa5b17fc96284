import AppSeam
import CoreBluetooth
import SimKernel

/// The way to the other end, and its end.
extension NWConnection {
  /// Whether it tries again when the network changes.
  var isWaiting: Bool { phase == .stuck || phase == .resolving && isShownWaiting }
  private var isShownWaiting: Bool { if case .waiting = state { true } else { false } }

  /// Asks for the connection as far as the other end is known.
  func attempt() {
    guard let network else { return }
    guard case .service(let name, let type, _, let wanted) = endpoint else {
      network.remarkOnce(
        .limit, .endpointNotModelled,
        "\(endpoint.debugDescription): virtual phones reach each other by services; other endpoints lead nowhere")
      return wait(.posix(.EHOSTUNREACH))
    }
    if parameters.defaultProtocolStack.transportProtocol == nil {
      network.remarkOnce(.misuse, .transportMissing, "a connection is started with parameters that have no transport")
      return fail(.posix(.EINVAL))
    }
    let interfaces = parameters.allowedInterfaces.filter { wanted == nil || wanted?.word == $0 }
    guard !interfaces.isEmpty else { return wait(.posix(.ENETDOWN)) }
    guard let service = network.service(name, ServiceNames.type(type)) else {
      phase = .resolving
      network.search(ServiceNames.type(type), peerToPeer: interfaces.contains(.peerToPeer), for: self)
      if network.links == [] { show(.waiting(.posix(.ENETDOWN))) }
      return
    }
    network.giveUp(ServiceNames.type(type), for: self)
    let id = network.newNumber(for: self)
    numbered(id)
    phase = .asking
    network.ask(
      .connect(
        id,
        ConnectRequest(
          endpoint: service.id, interfaces: interfaces,
          timeout: parameters.connectionTimeout.map { .seconds(Int64($0)) },
          keepAlive: parameters.keepAlive)))
  }

  /// Begins again, from a state in which it waits.
  func tryAgain() {
    dropAttempt()
    show(.preparing)
    attempt()
  }

  /// What the seam knows of the attempt is given up.
  func dropAttempt() {
    giveUpSearch()
    guard let id else { return }
    network?.forget(id)
    network?.ask(.cancel(id))
    self.id = nil
  }

  private func giveUpSearch() {
    if case .service(_, let type, _, _) = endpoint { network?.giveUp(ServiceNames.type(type), for: self) }
  }

  // MARK: States

  /// The app is told of a state, in its turn.
  func show(_ next: State) {
    guard let network, let queue else {
      state = next
      return
    }
    network.phone.call(on: queue) { [self] in
      if state == .cancelled || state == next { return }
      state = next
      if let stateUpdateHandler {
        network.noteCallback("NWConnection.stateUpdateHandler", [text, next.text])
        stateUpdateHandler(next)
      } else if case .waiting = next {
        network.remarkOnce(
          .note, .noStateHandler, "a connection waits, and its app has no stateUpdateHandler to learn it")
      }
      if next == .cancelled { release() }
    }
  }

  /// All blocks are let go of, so that nothing keeps the app's objects.
  private func release() {
    stateUpdateHandler = nil
    pathUpdateHandler = nil
    viabilityUpdateHandler = nil
    betterPathUpdateHandler = nil
  }

  func wait(_ error: NWError) {
    id = nil
    phase = .stuck
    show(.waiting(error))
  }

  func fail(_ error: NWError) {
    id = nil
    phase = .failed
    framer?.stop()
    settleAll(with: error)
    show(.failed(error))
    network?.closed(self)
  }

  func end() {
    switch phase {
    case .cancelling, .cancelled: return
    case .setup, .failed, .stuck, .resolving:
      giveUpSearch()
      if let id, phase == .setup {
        network?.forget(id)
        network?.ask(.cancel(id))
      }
      finishCancel()
    case .asking, .ready:
      phase = .cancelling
      framer?.stop()
      if let id { network?.ask(.cancel(id)) } else { finishCancel() }
    }
  }

  private func finishCancel() {
    phase = .cancelled
    settleAll(with: .posix(.ECANCELED))
    show(.cancelled)
    network?.closed(self)
  }

  // MARK: What the seam tells

  func cancelDone() { if phase == .cancelling { finishCancel() } }

  func becameReady(over interface: NetworkInterface) {
    guard phase == .asking || phase == .setup else { return }
    // Apple tells of each attempt.
    if isShownWaiting { show(.preparing) }
    phase = .ready
    self.interface = interface
    makeFramer()
    guard framer?.isReady != false else { return pump() }
    tellReady()
  }

  func tellReady() {
    tellPath()
    show(.ready)
    viability(true)
    pump()
    serve()
  }

  private func tellPath() {
    guard let network, let queue, let path = currentPath else { return }
    network.phone.call(on: queue) { [self] in
      if state != .cancelled { pathUpdateHandler?(path) }
    }
  }

  func waits(for reason: NetworkReason) {
    guard phase == .asking else { return }
    show(.waiting(.before(reason)))
  }

  /// The connection or an attempt is over, and not by the app.
  func broke(_ reason: NetworkReason) {
    switch phase {
    case .ready: fail(.after(reason))
    case .asking:
      id = nil
      if reason == .invalid || reason == .reclaimed { fail(.before(reason)) } else { wait(.before(reason)) }
    case .setup: earlyEnd = reason
    case .cancelling: finishCancel()
    case .resolving, .stuck, .failed, .cancelled: break
    }
  }

  func viability(_ isViable: Bool) {
    tell("viabilityUpdateHandler", isViable) { $0.viabilityUpdateHandler }
  }

  func betterPath(_ isThere: Bool) {
    tell("betterPathUpdateHandler", isThere) { $0.betterPathUpdateHandler }
  }

  private func tell(
    _ name: String, _ value: Bool, _ handler: @escaping (NWConnection) -> (@Sendable (Bool) -> Void)?
  ) {
    guard let network, let queue else { return }
    network.phone.call(on: queue) { [self] in
      guard state != .cancelled, let handler = handler(self) else { return }
      network.noteCallback("NWConnection." + name, [text, "\(value)"])
      handler(value)
    }
  }

  func networkChanged() {
    guard let network else { return }
    switch phase {
    case .stuck: tryAgain()
    case .resolving: show(network.links == [] ? .waiting(.posix(.ENETDOWN)) : .preparing)
    default: break
    }
  }

  /// A service was found, or is reached over other interfaces now.
  func serviceChanged(_ name: String, _ type: String) {
    guard case .service(name, let wanted, _, _) = endpoint, ServiceNames.type(wanted) == type else { return }
    switch phase {
    case .resolving:
      if isShownWaiting { show(.preparing) }
      attempt()
    case .stuck: tryAgain()
    default: break
    }
  }
}

extension NWConnection.State {
  /// As the trace shows it.
  var text: String {
    switch self {
    case .setup: "setup"
    case .waiting(let error): "waiting(\(error.debugDescription))"
    case .preparing: "preparing"
    case .ready: "ready"
    case .failed(let error): "failed(\(error.debugDescription))"
    case .cancelled: "cancelled"
    }
  }
}

extension NWError {
  /// Why an attempt did not come to anything.
  static func before(_ reason: NetworkReason) -> NWError {
    switch reason {
    case .noPath, .interfaceOff: .posix(.ENETDOWN)
    case .refused, .reset: .posix(.ECONNREFUSED)
    case .timedOut: .posix(.ETIMEDOUT)
    case .reclaimed: .posix(.ECONNABORTED)
    case .invalid: .posix(.EINVAL)
    }
  }

  /// Why a ready connection ended.
  static func after(_ reason: NetworkReason) -> NWError {
    switch reason {
    case .reset, .refused: .posix(.ECONNRESET)
    case .timedOut: .posix(.ETIMEDOUT)
    case .noPath, .interfaceOff: .posix(.ENETDOWN)
    case .reclaimed: .posix(.ECONNABORTED)
    case .invalid: .posix(.EINVAL)
    }
  }
}
