public import BluetoothWire
import SimKernel

/// The client's calls; each asks for one procedure, and a link's procedures run one after the other.
///
/// A call on a handle without a link does nothing: `disconnected` has said so. On a bearer that a timeout has closed,
/// and beyond 64 waiting procedures, the answer is an immediate error.
extension HostStack {
  /// Ends in `attMTU`. Only the first call on a link is on the air: an exchange happens once per connection.
  /// Spec: Core v5.4, Vol 3, Part G, 4.3.1.
  public func exchangeMTU(_ handle: HCI.ConnectionHandle, _ mtu: Int) { request(handle, .exchangeMTU(mtu)) }

  /// All primary services; ends in `primaryServices`, with the tag. Spec: Core v5.4, Vol 3, Part G, 4.4.1.
  public func discoverServices(_ handle: HCI.ConnectionHandle, tag: Int = 0) { request(handle, .services(tag: tag)) }

  /// A service with its characteristics and descriptors; ends in `servicesDiscovered`.
  /// Spec: Core v5.4, Vol 3, Part G, 4.4.2, 4.6.1, 4.7.1.
  public func discover(_ handle: HCI.ConnectionHandle, service: BluetoothUUID) { request(handle, .service(service)) }

  /// Switches notifications on or off, or indications when there are no notifications; ends in `subscribeCompleted`.
  /// Spec: Core v5.4, Vol 3, Part G, 4.12.3.
  public func subscribe(_ handle: HCI.ConnectionHandle, characteristic: BluetoothUUID, _ isOn: Bool) {
    request(handle, .subscribe(.type(characteristic), isOn))
  }

  /// Reads a value of up to 512 octets, whatever the ATT_MTU; ends in `readCompleted`.
  /// Spec: Core v5.4, Vol 3, Part G, 4.8.1 and 4.8.3.
  public func read(_ handle: HCI.ConnectionHandle, characteristic: BluetoothUUID) {
    request(handle, .read(.type(characteristic)))
  }

  /// Writes a value of up to 512 octets, in parts when one request cannot carry it; ends in `writeCompleted`.
  /// Spec: Core v5.4, Vol 3, Part G, 4.9.3 and 4.9.4.
  public func write(_ handle: HCI.ConnectionHandle, characteristic: BluetoothUUID, value: [UInt8]) {
    request(handle, .write(.type(characteristic), value))
  }

  /// Sends a Write Command.
  ///
  /// False sends nothing: not discovered, no such link, or no room; for want of room, and only then, `readyToSend`
  /// follows. Octets beyond ATT_MTU − 3 are cut off and `valueTruncated` says so.
  /// Spec: Core v5.4, Vol 3, Part G, 4.9.1.
  public func writeWithoutResponse(
    _ handle: HCI.ConnectionHandle, characteristic: BluetoothUUID, value: [UInt8]
  ) -> Bool {
    guard let link = link(handle), !link.isBearerClosed, let found = link.client.characteristic(characteristic)
    else { return false }
    return sendValue(link, .writeCommand, found.value, characteristic, value)
  }

  /// The owner knows characteristics of a peer from an earlier link, and has not asked for them on this one.
  /// - Parameter namesHandles: it is told of values by handle.
  public func restore(
    _ handle: HCI.ConnectionHandle, _ characteristics: [GATT.DiscoveredCharacteristic], namesHandles: Bool
  ) {
    guard let link = link(handle) else { return }
    link.client.learn(characteristics)
    if namesHandles { link.client.namesHandles = true }
  }

  // MARK: Procedures in turn

  func request(_ handle: HCI.ConnectionHandle, _ procedure: ClientState.Procedure) {
    guard let link = link(handle) else { return }
    if link.isBearerClosed { return fail(link, procedure, .unlikelyError) }
    guard link.client.waiting.count < ClientState.procedureLimit else {
      return fail(link, procedure, .insufficientResources)
    }
    link.client.waiting.append(procedure)
    beginNextProcedure(link)
  }

  func beginNextProcedure(_ link: Link) {
    if link.firstRequest != .distantFuture { return }
    while link.client.isIdle, !link.client.waiting.isEmpty { begin(link, link.client.waiting.removeFirst()) }
    if link.client.isIdle { isDone(link) }
  }

  private func begin(_ link: Link, _ procedure: ClientState.Procedure) {
    if procedure.isDiscovery { hurry(link) }
    switch procedure {
    case .exchangeMTU(let mtu): beginExchangeMTU(link, mtu)
    case .services(let tag):
      link.client.step = .findingServices(next: 1, found: [], tag: tag)
      askForServices(link, from: 1)
    case .service(let uuid):
      link.client.step = .findingService(uuid, next: 1, found: [])
      askForService(link, uuid, from: 1)
    case .included(let range, let tag): beginFindingIncluded(link, range, tag)
    case .characteristics(let range, let tag): beginFindingCharacteristics(link, range, tag)
    case .descriptors(let range, let tag):
      link.client.step = .listingDescriptors(range, next: range.start, found: [], tag: tag)
      sendRequest(link, .findInformationRequest(range))
    case .subscribe(let target, let isOn): beginSubscribe(link, procedure, target, isOn)
    case .read(let target):
      guard let handle = valueHandle(target, link) else { return fail(link, procedure, .attributeNotFound) }
      link.client.step = .reading(target, handle: handle, value: [])
      sendRequest(link, .readRequest(handle))
    case .write(let target, let value):
      guard let handle = valueHandle(target, link) else { return fail(link, procedure, .attributeNotFound) }
      guard value.count <= ATT.longestValue else { return fail(link, procedure, .invalidAttributeValueLength) }
      if value.count <= link.mtu - ATT.valueHeaderLength {
        link.client.step = .writing(target)
        sendRequest(link, .writeRequest(handle, value: value))
      } else {
        prepare(link, target, handle, value, from: 0)
      }
    case .prepareWrite(let handle, let offset, let value, let tag):
      guard value.count <= link.mtu - 5 else { return fail(link, procedure, .invalidAttributeValueLength) }
      link.client.step = .preparingPart(handle, offset: offset, tag: tag)
      sendRequest(link, .prepareWriteRequest(handle, offset: UInt16(clamping: offset), value: value))
    case .executeWrites(let isMeant):
      link.client.step = .executingParts
      sendRequest(link, .executeWriteRequest(flags: isMeant ? 1 : 0))
    }
  }

  private func valueHandle(_ target: ClientState.Target, _ link: Link) -> ATT.Handle? {
    switch target {
    case .type(let uuid): link.client.characteristic(uuid)?.value
    case .attribute(let handle, _): handle
    }
  }

  private func beginExchangeMTU(_ link: Link, _ mtu: Int) {
    guard !link.hasAskedForMTU else { return emit(.attMTU(link.handle, link.mtu)) }
    link.hasAskedForMTU = true
    if !link.hasAnsweredMTU { link.ownRxMTU = min(max(mtu, ATT.defaultMTU), ATT.largestMTU) }
    link.client.step = .exchangingMTU
    sendRequest(link, .exchangeMTURequest(clientRxMTU: UInt16(link.ownRxMTU)))
  }

  private func beginSubscribe(
    _ link: Link, _ procedure: ClientState.Procedure, _ target: ClientState.Target, _ isOn: Bool
  ) {
    guard let found = link.client.characteristic(target), let configuration = found.clientConfiguration else {
      return fail(link, procedure, .attributeNotFound)
    }
    let bit =
      found.properties.contains(.notify)
      ? GATT.ClientConfiguration.notifications : GATT.ClientConfiguration.indications
    link.client.step = .subscribing(target, isOn)
    sendRequest(link, .writeRequest(configuration, value: [isOn ? bit : 0, 0]))
  }

  func sendRequest(_ link: Link, _ pdu: ATT.PDU) {
    assert(link.client.request == nil, "a client asks for one thing at a time")
    link.client.request = pdu.opcode
    link.client.requestMTU = link.mtu
    link.requestDeadline = now + Self.transactionTimeout
    isDeadlineCacheStale = true
    sendPDU(link, pdu, .other)
  }

  func requestFinished(_ link: Link) {
    link.client.request = nil
    link.requestDeadline = .distantFuture
    isDeadlineCacheStale = true
  }

  // MARK: Failing

  private func fail(_ link: Link, _ procedure: ClientState.Procedure, _ code: ATT.ErrorCode) {
    let handle = link.handle
    switch procedure {
    case .exchangeMTU: emit(.attMTU(handle, link.mtu))
    case .services(let tag): emit(.primaryServices(handle, [], tag: tag))
    case .service(let uuid): emit(.servicesDiscovered(handle, service: uuid, characteristics: []))
    case .included(let range, let tag): emit(.includedFound(handle, range, [], error: code, tag: tag))
    case .characteristics(let range, let tag):
      emit(.characteristicsFound(handle, range, [], error: code, tag: tag))
    case .descriptors(let range, let tag): emit(.descriptorsFound(handle, range, [], error: code, tag: tag))
    case .subscribe(let target, let isOn): subscribed(link, target, isOn, error: code)
    case .read(let target): finishRead(link, target, [], error: code)
    case .write(let target, _): finishWrite(link, target, error: code)
    case .prepareWrite(let attribute, let offset, _, let tag):
      emit(.writePrepared(handle, attribute: attribute, offset: offset, value: [], error: code, tag: tag))
    case .executeWrites: emit(.writesExecuted(handle, error: code))
    }
  }

  /// The bearer is closed: the running procedure and those after it end in errors.
  func failAllProcedures(_ link: Link) {
    link.client.request = nil
    let waiting = link.client.waiting
    link.client.waiting = []
    abandonStep(link)
    for procedure in waiting { fail(link, procedure, .unlikelyError) }
  }

  private func abandonStep(_ link: Link) {
    let step = link.client.step
    link.client.step = .idle
    switch step {
    case .idle: break
    case .exchangingMTU: fail(link, .exchangeMTU(0), .unlikelyError)
    case .findingServices(_, let found, let tag): emit(.primaryServices(link.handle, found, tag: tag))
    case .findingService(let uuid, _, _): fail(link, .service(uuid), .unlikelyError)
    case .findingCharacteristics(let discovery), .findingDescriptors(let discovery):
      if let service = discovery.service {
        fail(link, .service(service), .unlikelyError)
      } else {
        fail(link, .characteristics(discovery.ranges[0], tag: discovery.tag), .unlikelyError)
      }
    case .findingIncluded(let search): fail(link, .included(search.range, tag: search.tag), .unlikelyError)
    case .listingDescriptors(let range, _, _, let tag):
      fail(link, .descriptors(range, tag: tag), .unlikelyError)
    case .subscribing(let target, let isOn): fail(link, .subscribe(target, isOn), .unlikelyError)
    case .reading(let target, _, let value): finishRead(link, target, value, error: .unlikelyError)
    case .writing(let target), .preparing(let target, _, _, _), .executing(let target, _):
      fail(link, .write(target, []), .unlikelyError)
    case .preparingPart(let handle, let offset, let tag):
      fail(link, .prepareWrite(handle, offset: offset, [], tag: tag), .unlikelyError)
    case .executingParts: fail(link, .executeWrites(true), .unlikelyError)
    }
  }
}
