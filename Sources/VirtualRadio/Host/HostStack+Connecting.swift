public import BluetoothWire
import SimKernel

/// Connections that were asked for; the controller makes one at a time.
struct HostConnector {
  struct Attempt {
    var peer: BluetoothAddress
    var deadline: SimInstant?
    /// The attempt has been cancelled, and this is what its failure will say.
    var cancelReason: HCI.ErrorCode?
  }

  var current: Attempt?
  var waiting: [BluetoothAddress] = []
  /// The controller has been told which PHY this device prefers as a central.
  var hasPreferredPHY = false
}

extension HostStack {
  /// Ends in `connected` or `connectFailed`. Attempts queue; a second one to the same peer is the same attempt. A peer
  /// with which there is a link in either role fails with 0x0B.
  public func connect(to peer: BluetoothAddress) {
    if connector.current?.peer == peer || connector.waiting.contains(peer) { return }
    if isLinked(with: peer) { return emit(.connectFailed(peer, reason: .connectionAlreadyExists)) }
    connector.waiting.append(peer)
    beginNextConnectionAttempt()
  }

  /// Gives up the attempt to `peer`, or every attempt; each ends in `connectFailed` with 0x02. When the connection was
  /// already made, `connected` is still sent, and `disconnected` after it.
  public func cancelConnect(_ peer: BluetoothAddress? = nil) {
    let dropped = connector.waiting.filter { peer == nil || $0 == peer }
    connector.waiting.removeAll { peer == nil || $0 == peer }
    for address in dropped { emit(.connectFailed(address, reason: .unknownConnectionIdentifier)) }
    guard let current = connector.current, peer == nil || current.peer == peer else { return }
    cancelCurrentAttempt(.unknownConnectionIdentifier)
  }

  /// `reason` is one of those that HCI_Disconnect allows (Vol 4, Part E, 7.1.6): 0x05, 0x13 … 0x15, 0x1A, 0x29, 0x3B.
  /// Ends in `disconnected`, whose reason is the controller's, 0x16.
  public func disconnect(
    _ handle: HCI.ConnectionHandle, reason: HCI.ErrorCode = .remoteUserTerminatedConnection
  ) {
    guard let link = link(handle), !link.isDisconnecting else { return }
    link.isDisconnecting = true
    enqueue(.disconnect(handle, reason: reason), .disconnect(handle))
  }

  /// A link that its controller no longer knows has ended without an event; for any other the command may be
  /// sent again.
  func disconnectRefused(_ handle: HCI.ConnectionHandle, _ status: HCI.ErrorCode) {
    guard let link = link(handle), link.isDisconnecting else { return }
    link.isDisconnecting = false
    guard status == .unknownConnectionIdentifier else { return }
    emit(.controllerFault("handle \(handle) was gone without a word"))
    removeLink(handle, reason: .connectionTerminatedByLocalHost)
  }

  func beginNextConnectionAttempt() {
    guard power == .on else { return }
    while connector.current == nil, !connector.waiting.isEmpty {
      let peer = connector.waiting.removeFirst()
      if let refusal = refusal(of: peer) {
        emit(.connectFailed(peer, reason: refusal))
        continue
      }
      connector.current = HostConnector.Attempt(
        peer: peer, deadline: configuration.connectionAttemptTimeout.map { now + $0 })
      isDeadlineCacheStale = true
      updateScanning()
      preferPHY()
      var command = HCI.CreateConnection(
        scanInterval: configuration.initiatingScan?.interval ?? configuration.scanInterval,
        scanWindow: configuration.initiatingScan?.window ?? configuration.scanWindow, peer: peer,
        parameters: HCI.ConnectionParameters(
          intervalMinimum: configuration.connectionInterval.lowerBound,
          intervalMaximum: configuration.connectionInterval.upperBound,
          peripheralLatency: configuration.peripheralLatency,
          supervisionTimeout: configuration.supervisionTimeout))
      command.ownAddressType = .init(address.kind)
      enqueue(.leCreateConnection(command), .createConnection)
    }
    updateScanning()
  }

  /// Why an attempt is not begun.
  private func refusal(of peer: BluetoothAddress) -> HCI.ErrorCode? {
    if isLinked(with: peer) { return .connectionAlreadyExists }
    return isFull(of: .central) ? .connectionLimitExceeded : nil
  }

  /// Two devices have one link at most, whichever of them made it.
  func isLinked(with peer: BluetoothAddress) -> Bool { links.contains { $0.peer == peer } }

  /// Before the first attempt and not at power-on, because a device that is only ever a peripheral has no preference.
  private func preferPHY() {
    guard configuration.requested2M, !connector.hasPreferredPHY, supportedCommands.contains(.leSetDefaultPHY) else {
      return
    }
    connector.hasPreferredPHY = true
    enqueue(.leSetDefaultPHY(tx: .le2M, rx: .le2M), .initialisation)
  }

  func connectionAttemptTimer() {
    guard let attempt = connector.current, let deadline = attempt.deadline, deadline <= now else { return }
    guard let reason = attempt.cancelReason else { return cancelCurrentAttempt(.connectionTimeout) }
    emit(.controllerFault("a cancelled connection attempt did not end"))
    connectionAttemptEnded(reason)
  }

  private func cancelCurrentAttempt(_ reason: HCI.ErrorCode) {
    guard connector.current?.cancelReason == nil else { return }
    connector.current?.cancelReason = reason
    // Its end is an event of its own, which a controller owes whatever it answers to the command.
    connector.current?.deadline = now + Self.commandTimeout * 2
    isDeadlineCacheStale = true
    enqueue(.leCreateConnectionCancel, .cancelConnection)
  }

  /// The attempt has ended without a connection.
  func connectionAttemptEnded(_ status: HCI.ErrorCode) {
    guard let attempt = connector.current else { return }
    connector.current = nil
    isDeadlineCacheStale = true
    emit(.connectFailed(attempt.peer, reason: attempt.cancelReason ?? status))
    beginNextConnectionAttempt()
  }

  func receive(_ complete: HCI.ConnectionComplete) {
    // Directed advertising that timed out ends in this event too (Vol 4, Part E, 7.8.9); no attempt has that status.
    if complete.status == .advertisingTimeout { return advertisingTimedOut() }
    guard complete.status == .success else { return connectionAttemptEnded(complete.status) }
    // Which advertising set it was comes after it.
    guard configuration.usesExtendedAdvertising, complete.role == .peripheral else { return connectionMade(complete) }
    if let earlier = awaitedEnd { connectionMade(earlier) }
    awaitedEnd = complete
  }

  func connectionMade(_ complete: HCI.ConnectionComplete) {
    if let known = link(complete.handle) {
      emit(.controllerFault("handle \(complete.handle) was connected already"))
      if known.peer == complete.peer, known.role == complete.role { return }
      removeLink(complete.handle, reason: .connectionTerminatedByLocalHost)
    }
    var wasCancelled = false
    var own: BluetoothAddress?
    if complete.role == .central {
      wasCancelled = connector.current?.cancelReason != nil
      connector.current = nil
      isDeadlineCacheStale = true
    } else {
      own = takeAddress(of: complete.handle)
      if own == nil { advertisingEndedByConnection() }
      // The peer was faster than an attempt to connect to it, and a second link with it is not possible.
      if connector.current?.peer == complete.peer { cancelCurrentAttempt(.connectionAlreadyExists) }
    }
    if !isFull(of: complete.role) {
      let link = Link(complete, configuration, clientConfigurations: database.configurationCount)
      link.own = own
      if complete.role == .central, configuration.requestsAfter > .zero {
        link.firstRequest = now + configuration.requestsAfter
      }
      addLink(link)
      if configuration.usesExtendedAdvertising { enqueue(.leReadPHY(link.handle), .readPHY(link.handle)) }
      if wasCancelled { disconnect(link.handle) }
    } else {
      // Remote Device Terminated Connection due to Low Resources.
      enqueue(.disconnect(complete.handle, reason: HCI.ErrorCode(0x14)), .link(complete.handle))
      if complete.role == .central { emit(.connectFailed(complete.peer, reason: .connectionLimitExceeded)) }
    }
    beginNextConnectionAttempt()
  }
}
