import AppSeam
import BluetoothWire

/// Links, and who of the app waits for them or holds them.
extension VirtualPhone {
  func link(_ id: LinkID) -> PhoneLink? { links.first { $0.id == id } }
  /// The first link with a peer.
  func link(with peer: BluetoothAddress) -> PhoneLink? { links.first { $0.peer == peer } }

  // MARK: What the app asks for

  func connect(_ peer: BluetoothAddress, for manager: CBCentralManager) {
    if let link = link(with: peer), !link.isEnding { return hold(link, manager) }
    // A link that the app has ended is there until its end is told; a new one is asked for then.
    let isAsked = isAttempted(peer) || link(with: peer) != nil
    if !isAttempted(peer, by: manager.number) {
      attempts.append(ConnectionAttempt(manager: manager.number, peer: peer))
    }
    if !isAsked { ask(.connect(peer)) }
  }

  /// - Returns: whether the connection is over at once; else the end of the link tells.
  func cancel(_ peer: BluetoothAddress, manager number: Int) -> Bool {
    if isAttempted(peer, by: number) {
      attempts.removeAll { $0.peer == peer && $0.manager == number }
      if link(with: peer)?.isEnding == true { return false }
      if !isAttempted(peer) { ask(.cancelConnect(peer)) }
      return true
    }
    guard let link = links.first(where: { $0.peer == peer && $0.holders.contains(number) }) else { return true }
    if link.holders.count == 1, link.isOurs {
      link.isEnding = true
      ask(.disconnect(link.id))
      return false
    }
    // Another manager, or the peer, still uses the link.
    link.holders.removeAll { $0 == number }
    dropPending(link.id, manager: number)
    return true
  }

  /// A manager is gone: nobody of it waits for anything.
  func managerGone(_ number: Int) {
    for peer in attempts.filter({ $0.manager == number }).map(\.peer) { _ = cancel(peer, manager: number) }
    for link in links where link.holders.contains(number) { _ = cancel(link.peer, manager: number) }
    refreshScan()
    refreshAdvertising(startedBy: nil)
  }

  private func hold(_ link: PhoneLink, _ manager: CBCentralManager) {
    if !link.holders.contains(manager.number) { link.holders.append(manager.number) }
    if link.isEstablished { manager.connected(link) }
  }

  /// The other end has answered on a link, by the exchange of ATT_MTU that begins it: managers are told of it.
  private func established(_ link: PhoneLink) {
    guard !link.isEstablished else { return }
    link.isEstablished = true
    for manager in liveCentrals {
      if link.holders.contains(manager.number), !link.isEnding { manager.connected(link) }
      manager.connectionEvent(.peerConnected, link.peer)
    }
  }

  private func dropPending(_ id: LinkID, manager number: Int? = nil) {
    pending.removeAll { answer in
      answer.link == id && (number == nil || answer.peripheral?.manager?.number == number)
    }
  }

  // MARK: What the seam tells

  func connected(_ id: LinkID, _ peer: BluetoothAddress) {
    let waiting = attempts.filter { $0.peer == peer }
    attempts.removeAll { $0.peer == peer }
    book.meet(peer)
    let link = PhoneLink(id: id, peer: peer, isOurs: !waiting.isEmpty)
    links.append(link)
    if link.isOurs { ask(.exchangeMTU(id, 517)) }
    for manager in liveCentrals {
      if waiting.contains(where: { $0.manager == manager.number }) { hold(link, manager) }
      if link.isEstablished { manager.connectionEvent(.peerConnected, peer) }
    }
  }

  func attMTU(_ id: LinkID, _ size: Int) {
    guard let link = link(id) else { return }
    link.attMTU = size
    established(link)
  }

  func connectFailed(_ peer: BluetoothAddress, _ reason: HCI.ErrorCode) {
    if reason == .connectionAlreadyExists, let link = link(with: peer) {
      // One link serves both roles.
      let waiting = attempts.filter { $0.peer == peer }
      attempts.removeAll { $0.peer == peer }
      for manager in liveCentrals where waiting.contains(where: { $0.manager == manager.number }) {
        hold(link, manager)
      }
      return
    }
    let waiting = attempts.filter { $0.peer == peer }
    attempts.removeAll { $0.peer == peer }
    // The stack below gave up, or the other end did not answer CONNECT_IND; phones never give up.
    if reason == .connectionTimeout || reason == .connectionFailedToBeEstablished { return tryAgain(waiting, peer) }
    let code: CBError.Code = reason == .connectionLimitExceeded ? .connectionLimitReached : .connectionFailed
    for manager in liveCentrals where waiting.contains(where: { $0.manager == manager.number }) {
      manager.connectFailed(peer, CBError.with(code))
    }
  }

  private func tryAgain(_ waiting: [ConnectionAttempt], _ peer: BluetoothAddress) {
    attempts = waiting + attempts
    if !waiting.isEmpty { ask(.connect(peer)) }
  }

  func disconnected(_ id: LinkID, _ reason: HCI.ErrorCode) {
    guard let link = link(id) else { return }
    links.removeAll { $0.id == id }
    dropPending(id)
    if !link.isEstablished, !link.isEnding, reason == .connectionFailedToBeEstablished {
      return tryAgain(link.holders.map { ConnectionAttempt(manager: $0, peer: link.peer) }, link.peer)
    }
    for open in channels where open.link == id { close(open) }
    channels.removeAll { $0.link == id }
    for manager in liveServers { manager.linkEnded(link) }
    let error = link.isEnding ? nil : CBError.with(Self.code(of: reason))
    for manager in liveCentrals {
      if link.holders.contains(manager.number) {
        if let error, !link.isEstablished {
          manager.connectFailed(link.peer, error)
        } else {
          manager.disconnected(link.peer, error)
        }
      }
      if link.isEstablished { manager.connectionEvent(.peerDisconnected, link.peer) }
    }
    if link.isEnding, self.link(with: link.peer) == nil, isAttempted(link.peer) { ask(.connect(link.peer)) }
  }

  /// Whether somebody of the app waits for a connection; of one manager, where one is given.
  func isAttempted(_ peer: BluetoothAddress, by number: Int? = nil) -> Bool {
    attempts.contains { $0.peer == peer && (number == nil || $0.manager == number) }
  }

  private static func code(of reason: HCI.ErrorCode) -> CBError.Code {
    switch reason {
    case .connectionTimeout: .connectionTimeout
    case .remoteUserTerminatedConnection, .remoteDeviceTerminatedDueToPowerOff: .peripheralDisconnected
    case .connectionFailedToBeEstablished: .connectionFailed
    case .pinOrKeyMissing: .peerRemovedPairingInformation
    default: .unknown
    }
  }

  func readyToSend(_ id: LinkID) {
    guard let link = link(id) else { return }
    for item in link.notifications.unblocked() { submit(item, on: link) }
    for item in link.writes.unblocked() { submit(item, on: link) }
    tellReady(link)
  }

  func submit(_ item: Outbox<AttributeKey>.Item, on link: PhoneLink) {
    link.notifications.sent(item)
    ask(.gatt(.notify(link.id, item.attribute, type: item.type, octets: item.octets)))
  }

  func submit(_ item: Outbox<ATT.Handle>.Item, on link: PhoneLink) {
    link.writes.sent(item)
    ask(.gatt(.writeWithoutResponse(link.id, item.attribute, type: item.type, octets: item.octets)))
  }

  /// There is room: who was refused is told.
  func tellReady(_ link: PhoneLink) {
    if link.writes.owesReady, link.writes.isIdle {
      link.writes.owesReady = false
      for manager in liveCentrals where link.holders.contains(manager.number) { manager.readyToWrite(link.peer) }
    }
    if link.notifications.isIdle {
      for manager in liveServers { manager.roomAgain() }
    }
  }
}

extension CBPeripheral {
  /// The number by which reports name the link with it; nil: there is none.
  package var linkNumber: Int? { manager?.phone?.link(with: address)?.id.rawValue }
}
