public import BluetoothWire
import SimKernel

extension HostStack {
  // MARK: What the owner asks

  /// Adds a service. Clients that are there already and listen to Service Changed are told.
  /// - Returns: its handles; nil when there are not enough left, and nothing was added.
  @discardableResult
  public func publish(_ service: GATT.Service) -> ATT.HandleRange? {
    guard let range = database.publish(service) else { return nil }
    for link in links {
      link.configurations.append(
        contentsOf: repeatElement(0, count: database.configurationCount - link.configurations.count))
    }
    servicesChanged(range)
    return range
  }

  /// Takes the service with these handles back. Clients that listen to Service Changed are told; requests about it that
  /// wait for the owner are refused with Invalid Handle. Its handles are not given out again.
  public func unpublish(_ range: ATT.HandleRange) {
    guard range.isValid, range.end <= database.lastHandle else { return }
    database.remove(range)
    for link in links where link.asked.map({ range.start <= $0.handle && $0.handle <= range.end }) ?? false {
      answer(link, value: [], error: .invalidHandle)
    }
    servicesChanged(range)
  }

  /// The handles of the values of a service's characteristics, in their order.
  public func valueHandles(in range: ATT.HandleRange) -> [ATT.Handle] {
    database.characteristics.map(\.value).filter { range.start <= $0 && $0 <= range.end }
  }

  /// Handles of the descriptors of a published characteristic, in order, without a Client Characteristic Configuration
  /// that came by itself; none where the handle is not that of a value.
  public func descriptorHandles(ofValue handle: ATT.Handle) -> [ATT.Handle] {
    guard database.index(ofValue: handle) != nil, let end = database[handle - 1]?.groupEnd else { return [] }
    return (handle...end).filter {
      switch database[$0]?.role {
      case .descriptor?: true
      case .configuration?: database[$0]?.answering == .owner
      default: false
      }
    }
  }

  private func servicesChanged(_ range: ATT.HandleRange) {
    watchers.note(range)
    for link in links {
      link.changedServices = link.changedServices?.joined(range) ?? range
      indicateServiceChanged(link)
    }
  }

  /// Sets what reads of a published characteristic return; at most 512 octets are kept. False when there is none.
  @discardableResult
  public func setValue(_ value: [UInt8], characteristic: BluetoothUUID) -> Bool {
    guard let index = database.index(of: characteristic) else { return false }
    let kept = value.count <= ATT.longestValue ? value : Array(value.prefix(ATT.longestValue))
    database.setValue(kept, at: database.characteristics[index].value)
    return true
  }

  /// Writes of more octets are answered with Invalid Attribute Value Length from now on, or ignored without response.
  /// False when there is no such characteristic.
  @discardableResult
  public func limitValue(_ octets: Int, characteristic: BluetoothUUID) -> Bool {
    guard let index = database.index(of: characteristic) else { return false }
    database.limitValue(octets, at: database.characteristics[index].value)
    return true
  }

  /// Sends a Handle Value Notification to a subscribed client; one that has switched on indications only gets those.
  ///
  /// False sends nothing: not subscribed, no such link or characteristic, or no room; for want of room, and only then,
  /// `readyToSend` follows. Octets beyond ATT_MTU − 3 are cut off and `valueTruncated` says so.
  /// Spec: Core v5.4, Vol 3, Part G, 4.10 and 4.11.
  public func notify(_ handle: HCI.ConnectionHandle, characteristic: BluetoothUUID, value: [UInt8]) -> Bool {
    guard let place = place(of: handle) else { return false }
    return links.with(place) { link in
      if link.isBearerClosed { return false }
      if let served = subscribed(link, characteristic, GATT.ClientConfiguration.notifications) {
        return sendValue(link, .handleValueNotification, served, characteristic, value)
      }
      return indicate(link, characteristic, value)
    }
  }

  /// Sends a Handle Value Indication to a subscribed client; `indicationConfirmed` follows.
  ///
  /// False sends nothing: as `notify`, or because the previous indication was not confirmed yet; `readyToSend` follows
  /// in that case too. Spec: Core v5.4, Vol 3, Part G, 4.11.
  public func indicate(_ handle: HCI.ConnectionHandle, characteristic: BluetoothUUID, value: [UInt8]) -> Bool {
    guard let link = link(handle), !link.isBearerClosed else { return false }
    return indicate(link, characteristic, value)
  }

  private func indicate(_ link: Link, _ characteristic: BluetoothUUID, _ value: [UInt8]) -> Bool {
    guard let served = subscribed(link, characteristic, GATT.ClientConfiguration.indications) else { return false }
    return indicate(link, served, characteristic, value)
  }

  private func indicate(
    _ link: Link, _ attribute: ATT.Handle, _ characteristic: BluetoothUUID, _ value: [UInt8]
  ) -> Bool {
    guard link.indication == nil else {
      link.isIndicationRefused = true
      return false
    }
    guard sendValue(link, .handleValueIndication, attribute, characteristic, value) else { return false }
    indicationSent(link, attribute, characteristic)
    return true
  }

  /// Whether the client of a link has switched on notifications or indications of a characteristic.
  public func hasSubscribed(_ handle: HCI.ConnectionHandle, characteristic: BluetoothUUID) -> Bool {
    guard let link = link(handle) else { return false }
    let either = GATT.ClientConfiguration.notifications | GATT.ClientConfiguration.indications
    return subscribed(link, characteristic, either) != nil
  }

  /// As above, by the handle of the value.
  public func hasSubscribed(_ handle: HCI.ConnectionHandle, attribute: ATT.Handle) -> Bool {
    guard let link = link(handle), let index = database.index(ofValue: attribute) else { return false }
    let either = GATT.ClientConfiguration.notifications | GATT.ClientConfiguration.indications
    return subscribed(link, index, either) != nil
  }

  /// Sends a value of the characteristic with this value handle, as the client has asked for it: a notification, or
  /// else an indication. As `notify` and `indicate`.
  public func send(_ handle: HCI.ConnectionHandle, attribute: ATT.Handle, value: [UInt8]) -> Bool {
    guard let link = link(handle), !link.isBearerClosed, let index = database.index(ofValue: attribute)
    else { return false }
    let characteristic = database.characteristics[index].uuid
    if subscribed(link, index, GATT.ClientConfiguration.notifications) != nil {
      return sendValue(link, .handleValueNotification, attribute, characteristic, value)
    }
    guard subscribed(link, index, GATT.ClientConfiguration.indications) != nil else { return false }
    return indicate(link, attribute, characteristic, value)
  }

  /// The value handle, when the client has switched on what `bit` stands for.
  private func subscribed(_ link: Link, _ characteristic: BluetoothUUID, _ bit: UInt8) -> ATT.Handle? {
    database.index(of: characteristic).flatMap { subscribed(link, $0, bit) }
  }

  private func subscribed(_ link: Link, _ index: Int, _ bit: UInt8) -> ATT.Handle? {
    let served = database.characteristics[index]
    guard served.configuration >= 0, link.configurations[served.configuration] & bit != 0 else { return nil }
    return served.value
  }

  // MARK: Indications

  private func indicationSent(_ link: Link, _ attribute: ATT.Handle, _ characteristic: BluetoothUUID) {
    assert(link.indication == nil, "one indication at a time waits for its confirmation")
    link.indication = (attribute, characteristic)
    link.indicationDeadline = now + Self.transactionTimeout
    isDeadlineCacheStale = true
  }

  func indicateServiceChanged(_ link: Link) {
    guard let range = link.changedServices, link.indication == nil, !link.isBearerClosed else { return }
    guard let handle = subscribed(link, .serviceChanged, GATT.ClientConfiguration.indications) else {
      return link.changedServices = nil
    }
    link.changedServices = nil
    let value = [range.start, range.end].flatMap {
      [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
    }
    sendPDU(link, .handleValueIndication(handle, value: value), .other)
    indicationSent(link, handle, .serviceChanged)
  }

  func receiveConfirmation(_ link: Link, _ frame: [UInt8]) {
    guard frame.count == L2CAP.headerLength + 1 else { return violation(link, "confirmation with parameters") }
    guard let confirmed = link.indication else { return violation(link, "confirmation of nothing") }
    link.indication = nil
    link.indicationDeadline = .distantFuture
    isDeadlineCacheStale = true
    if confirmed.characteristic == .serviceChanged {
      watcherConfirmed(link)
    } else {
      emit(
        .indicationConfirmed(
          link.handle, attribute: confirmed.attribute, characteristic: confirmed.characteristic))
    }
    indicateServiceChanged(link)
    if link.isIndicationRefused, link.indication == nil {
      link.isIndicationRefused = false
      emit(.readyToSend(link.handle))
    }
  }

  // MARK: Requests

  func serve(_ link: Link, _ frame: [UInt8]) {
    let opcode = ATT.Opcode(rawValue: frame[L2CAP.headerLength])
    guard link.queue.responses == 0, link.asked == nil else {
      return violation(link, "request 0x\(String(opcode.rawValue, radix: 16)) before the response to the last one")
    }
    do throws(WireError) {
      answer(link, try ATT.PDU(decoding: frame, from: L2CAP.headerLength))
    } catch {
      violation(link, "ATT request 0x\(String(opcode.rawValue, radix: 16)) refused: \(error.description)")
      sendError(link, opcode, 0, .invalidPDU)
    }
  }

  private func answer(_ link: Link, _ request: ATT.PDU) {
    if refuses(request, on: link) { return }
    switch request {
    case .exchangeMTURequest(let mtu): answerMTU(link, Int(mtu))
    case .findInformationRequest(let range): answerFindInformation(link, range)
    case .findByTypeValueRequest(let range, let type, let value):
      answerFindByTypeValue(link, range, BluetoothUUID(type), value)
    case .readByTypeRequest(let range, let type): answerReadByType(link, range, type.uuid)
    case .readByGroupTypeRequest(let range, let type): answerReadByGroupType(link, range, type.uuid)
    case .readRequest(let handle): answerRead(link, handle)
    case .readBlobRequest(let handle, let offset): answerReadBlob(link, handle, Int(offset))
    case .readMultipleRequest(let handles): answerReadMultiple(link, handles)
    case .readMultipleVariableRequest(let handles): answerReadMultipleVariable(link, handles)
    case .writeRequest(let handle, let value): answerWrite(link, handle, value)
    case .prepareWriteRequest(let handle, let offset, let value): answerPrepareWrite(link, handle, offset, value)
    case .executeWriteRequest(let flags): answerExecuteWrite(link, flags)
    default: sendError(link, request.opcode, 0, .requestNotSupported)
    }
  }

  /// Spec: Core v5.4, Vol 3, Part F, 3.4.2. Once per connection; the new ATT_MTU holds after the response.
  private func answerMTU(_ link: Link, _ clientRxMTU: Int) {
    guard !link.hasAnsweredMTU else {
      violation(link, "second Exchange MTU Request")
      return sendError(link, .exchangeMTURequest, 0, .requestNotSupported)
    }
    if clientRxMTU < ATT.defaultMTU { violation(link, "Client Rx MTU \(clientRxMTU) is below \(ATT.defaultMTU)") }
    link.hasAnsweredMTU = true
    sendPDU(link, .exchangeMTUResponse(serverRxMTU: UInt16(link.ownRxMTU)), .response)
    link.mtu = max(ATT.defaultMTU, min(clientRxMTU, link.ownRxMTU))
    emit(.attMTU(link.handle, link.mtu))
  }
}
