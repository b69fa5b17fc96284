import BluetoothWire
import LinkCrypto
import SimKernel

/// Creating connections by legacy and extended commands (Vol 4, Part E, 7.8.12, 7.8.13, 7.8.66).
extension Controller {
  func create(_ command: HCI.Command, _ creation: HCI.CreateConnection) {
    create(
      command,
      Initiation(
        on1M: ScanTime(interval: creation.scanInterval, window: creation.scanWindow),
        peer: creation.usesFilterAcceptList ? nil : creation.peer, ownAddress: creation.ownAddressType,
        parameters: creation.parameters), maximumInterval: 0x4000)
  }

  /// Advertisers are found on LE 1M and LE Coded; what the command says of LE 2M is for connections that begin on it.
  func create(_ command: HCI.Command, _ creation: HCI.ExtendedCreateConnection) {
    guard creation.phys.isSubset(of: supportedPHYs) else { return status(command, .unsupportedFeature) }
    let (on1M, onCoded) = (creation.entry(for: .le1M), creation.entry(for: .leCoded))
    let parametersOn2M = creation.entry(for: .le2M)?.parameters
    guard let entry = on1M ?? onCoded, onCoded?.parameters.areValid ?? true, parametersOn2M?.areValid ?? true else {
      return status(command, .invalidParameters)
    }
    create(
      command,
      Initiation(
        on1M: on1M.map { ScanTime(interval: $0.scanInterval, window: $0.scanWindow) },
        onCoded: onCoded.map { ScanTime(interval: $0.scanInterval, window: $0.scanWindow) },
        peer: creation.usesFilterAcceptList ? nil : creation.peer, ownAddress: creation.ownAddressType,
        parameters: entry.parameters, parametersOn2M: parametersOn2M, parametersOnCoded: onCoded?.parameters,
        isExtended: true), maximumInterval: .max)
  }

  private func create(_ command: HCI.Command, _ initiation: Initiation, maximumInterval: UInt16) {
    if radio.scanner.initiation != nil {
      status(command, .commandDisallowed)
    } else if !initiation.parameters.areValid
      || ![initiation.on1M, initiation.onCoded].allSatisfy({ $0?.isInRange(to: maximumInterval) ?? true })
      || !hasAddress(initiation.ownAddress, random: randomAddress, peer: initiation.peer)
    {
      status(command, .invalidParameters)
    } else if radio.links.count >= radio.configuration.maximumLinks {
      status(command, .connectionLimitExceeded)
    } else if let peer = initiation.peer, isConnected(to: peer) {
      status(command, .connectionAlreadyExists)
    } else {
      status(command)
      radio.scanner.initiation = initiation
      radio.scanner.restart(at: world.timeline.now)
    }
  }

  func cancelCreation(_ command: HCI.Command) {
    guard let initiation = radio.scanner.initiation else { return complete(command, status: .commandDisallowed) }
    radio.scanner.initiation = nil
    complete(command)
    emitFailedConnection(.unknownConnectionIdentifier, role: .central, peer: initiation.peer ?? .none)
  }

  // MARK: Connection complete

  func emitFailedConnection(_ status: HCI.ErrorCode, role: HCI.Role, peer: BluetoothAddress) {
    emit(
      HCI.ConnectionComplete(
        status: status, handle: 0, role: role, peer: peer, interval: 0, peripheralLatency: 0, supervisionTimeout: 0,
        centralClockAccuracy: 0), local: nil, peer: nil)
  }

  /// A connection was made. `own` and `peer` are as CONNECT_IND has them.
  func connected(
    _ connection: Connection, _ end: LinkEnd, peer address: BluetoothAddress, own: BluetoothAddress,
    as type: HCI.OwnAddressType, set: Advertiser? = nil
  ) {
    let peer = identify(address) ?? PeerIdentity(address: address)
    end.peerAddress = peer.address
    end.acceptedSubrate = hostSettings.acceptedSubrate
    end.syncTransfer = synchronising.transfer
    var complete = HCI.ConnectionComplete(
      status: .success, handle: end.handle, role: end.role, peer: peer.address, interval: connection.intervalUnits,
      peripheralLatency: end.subrating.latency, supervisionTimeout: end.subrating.timeoutUnits,
      centralClockAccuracy: connection.centralClockAccuracy)
    complete.peerIsIdentity = peer.resolved != nil
    if let set { emitStateChange(of: set, end.handle) }
    emit(
      complete, local: type.isResolvable && ResolvableAddress.isResolvable(own) ? own : nil, peer: peer.resolved)
    emit(.leChannelSelectionAlgorithm(end.handle, algorithm: connection.usesChannelSelection2 ? 1 : 0))
    if let set { emitTermination(of: set, .success, connection: end.handle) }
    suggest(suggested.octets, suggested.time, end)
    if end.maxTxOctets > 27 || end.maxTxTime > 328 { world.start(.dataLength, end, connection) }
  }

  /// The enhanced event where the host has unmasked it, else the plain one (7.7.65.1, 7.7.65.10).
  private func emit(_ complete: HCI.ConnectionComplete, local: BluetoothAddress?, peer: BluetoothAddress?) {
    let enhanced = HCI.Event.extended(
      .leEnhancedConnectionComplete(
        HCI.EnhancedConnectionComplete(complete, localResolvable: local, peerResolvable: peer)))
    if masks.admit(enhanced) {
      emit(enhanced)
    } else {
      var plain = complete
      plain.peerIsIdentity = false
      emit(.leConnectionComplete(plain))
    }
  }
}

extension ScanTime {
  fileprivate func isInRange(to maximumInterval: UInt16) -> Bool {
    (4...maximumInterval).contains(interval) && (4...interval).contains(window)
  }
}
