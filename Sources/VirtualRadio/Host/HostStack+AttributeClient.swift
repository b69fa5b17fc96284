public import BluetoothWire

/// The client's calls for owners that name attributes by handle; as the calls by type, one procedure each.
///
/// `tag` is the owner's number of the call, which the answer has too: one that fails at once is answered before those
/// that wait.
extension HostStack {
  /// The services that those in a range of handles include; ends in `includedFound`.
  /// Spec: Core v5.4, Vol 3, Part G, 4.5.1.
  public func discoverIncluded(_ handle: HCI.ConnectionHandle, in range: ATT.HandleRange, tag: Int = 0) {
    request(handle, .included(range, tag: tag))
  }

  /// The characteristics in a range of handles, with their Client Characteristic Configuration; ends in
  /// `characteristicsFound`. From here on values of this link are told by handle.
  /// Spec: Core v5.4, Vol 3, Part G, 4.6.1 and 4.7.1.
  public func discoverCharacteristics(_ handle: HCI.ConnectionHandle, in range: ATT.HandleRange, tag: Int = 0) {
    request(handle, .characteristics(range, tag: tag))
  }

  /// The descriptors of a characteristic, whose value is before the range; ends in `descriptorsFound`.
  /// Spec: Core v5.4, Vol 3, Part G, 4.7.1.
  public func discoverDescriptors(_ handle: HCI.ConnectionHandle, in range: ATT.HandleRange, tag: Int = 0) {
    request(handle, .descriptors(range, tag: tag))
  }

  /// As `read(_:characteristic:)`, of a value or descriptor; ends in `attributeRead`.
  public func read(_ handle: HCI.ConnectionHandle, attribute: ATT.Handle, tag: Int = 0) {
    request(handle, .read(.attribute(attribute, tag: tag)))
  }

  /// As `write(_:characteristic:value:)`, of a value or descriptor; ends in `attributeWritten`.
  public func write(_ handle: HCI.ConnectionHandle, attribute: ATT.Handle, value: [UInt8], tag: Int = 0) {
    request(handle, .write(.attribute(attribute, tag: tag), value))
  }

  /// Has a server keep a part of a value, at most ATT_MTU − 5 octets, until `executeWrites`; ends in `writePrepared`.
  /// Spec: Core v5.4, Vol 3, Part G, 4.9.5.
  public func prepareWrite(
    _ handle: HCI.ConnectionHandle, attribute: ATT.Handle, offset: Int, value: [UInt8], tag: Int = 0
  ) {
    request(handle, .prepareWrite(attribute, offset: offset, value, tag: tag))
  }

  /// Has the parts that a server keeps written, or dropped; ends in `writesExecuted`.
  public func executeWrites(_ handle: HCI.ConnectionHandle, _ isMeant: Bool) {
    request(handle, .executeWrites(isMeant))
  }

  /// As `subscribe`, by the handle of the value; ends in `attributeConfigured`, with Attribute Not Found when it was
  /// not discovered or has no configuration.
  public func configure(_ handle: HCI.ConnectionHandle, attribute: ATT.Handle, _ isOn: Bool, tag: Int = 0) {
    request(handle, .subscribe(.attribute(attribute, tag: tag), isOn))
  }

  /// As `writeWithoutResponse(_:characteristic:value:)`, whatever was discovered.
  public func writeWithoutResponse(
    _ handle: HCI.ConnectionHandle, attribute: ATT.Handle, type: BluetoothUUID, value: [UInt8]
  ) -> Bool {
    guard let link = link(handle), !link.isBearerClosed else { return false }
    return sendValue(link, .writeCommand, attribute, type, value)
  }

  /// Asks the controller how strong the peer is received; ends in `rssi`. Spec: Core v5.4, Vol 4, Part E, 7.5.4.
  public func readRSSI(_ handle: HCI.ConnectionHandle) {
    if link(handle) != nil { enqueue(.readRSSI(handle), .rssi(handle)) }
  }

  func rssiRead(_ handle: HCI.ConnectionHandle, _ status: HCI.ErrorCode, _ parameters: [UInt8]) {
    guard link(handle) != nil else { return }
    let isKnown = status == .success && parameters.count >= 3
    emit(.rssi(handle, isKnown ? Int8(bitPattern: parameters[2]) : 127))
  }

  // MARK: Included services

  func beginFindingIncluded(_ link: Link, _ range: ATT.HandleRange, _ tag: Int) {
    askForIncluded(link, ClientState.InclusionSearch(range: range, tag: tag, next: range.start))
  }

  private func askForIncluded(_ link: Link, _ search: ClientState.InclusionSearch) {
    link.client.step = .findingIncluded(search)
    sendRequest(
      link,
      .readByTypeRequest(ATT.HandleRange(start: search.next, end: search.range.end), type: .short(0x2802)))
  }

  func foundIncluded(_ link: Link, _ search: ClientState.InclusionSearch, _ answer: ClientState.Answer) {
    if search.readsTypes { return readIncludedType(link, search, answer) }
    var search = search
    var error: ATT.ErrorCode?
    var isDone = true
    switch answer {
    case .response(.readByTypeResponse(let list)):
      isDone = false
      for entry in list where !isDone {
        let isRight = add(entry, to: &search)
        if !isRight { violation(link, "include declaration out of order or malformed") }
        isDone = !isRight || entry.handle == search.range.end
      }
    case .response: break
    case .failure(let code): if code != .attributeNotFound { error = code }
    }
    if !isDone { return askForIncluded(link, search) }
    search.readsTypes = true
    finishIncluded(link, search, error)
  }

  /// False when the entry is no include declaration that may stand here.
  private func add(_ entry: ATT.HandleValue, to search: inout ClientState.InclusionSearch) -> Bool {
    let octets = entry.value
    guard entry.handle >= search.next, entry.handle <= search.range.end, octets.count == 4 || octets.count == 6,
      search.found.count < ClientState.discoveryLimit
    else { return false }
    let start = UInt16(octets[0]) | UInt16(octets[1]) << 8
    let end = UInt16(octets[2]) | UInt16(octets[3]) << 8
    guard start > 0, end >= start else { return false }
    let uuid = octets.count == 6 ? BluetoothUUID(UInt16(octets[4]) | UInt16(octets[5]) << 8) : BluetoothUUID(0)
    if octets.count == 4 { search.open.append(search.found.count) }
    search.found.append(GATT.DiscoveredService(uuid: uuid, start: start, end: end))
    search.next = entry.handle &+ 1
    return true
  }

  private func finishIncluded(_ link: Link, _ search: ClientState.InclusionSearch, _ error: ATT.ErrorCode?) {
    guard error == nil, let place = search.open.first else {
      return emit(.includedFound(link.handle, search.range, search.found, error: error, tag: search.tag))
    }
    link.client.step = .findingIncluded(search)
    sendRequest(link, .readRequest(search.found[place].start))
  }

  private func readIncludedType(_ link: Link, _ search: ClientState.InclusionSearch, _ answer: ClientState.Answer) {
    var search = search
    let place = search.open.removeFirst()
    guard case .response(.readResponse(let value)) = answer, let uuid = try? BluetoothUUID(decoding: value) else {
      return finishIncluded(link, search, answer.error ?? .unlikelyError)
    }
    search.found[place].uuid = uuid
    finishIncluded(link, search, nil)
  }

  // MARK: Descriptors

  func listedDescriptors(
    _ link: Link, _ range: ATT.HandleRange, _ next: ATT.Handle, _ found: [ATT.Information], _ tag: Int,
    _ answer: ClientState.Answer
  ) {
    var next = next
    var found = found
    var error: ATT.ErrorCode?
    switch answer {
    case .response(.findInformationResponse(let list)):
      for entry in list {
        guard entry.handle >= next, entry.handle <= range.end, found.count < ClientState.discoveryLimit else {
          violation(link, "descriptor at handle \(entry.handle) out of order")
          return emit(.descriptorsFound(link.handle, range, found, error: .unlikelyError, tag: tag))
        }
        found.append(entry)
        if entry.handle == range.end {
          return emit(.descriptorsFound(link.handle, range, found, error: nil, tag: tag))
        }
        next = entry.handle + 1
      }
      link.client.step = .listingDescriptors(range, next: next, found: found, tag: tag)
      return sendRequest(link, .findInformationRequest(ATT.HandleRange(start: next, end: range.end)))
    case .response: break
    case .failure(let code): if code != .attributeNotFound { error = code }
    }
    emit(.descriptorsFound(link.handle, range, found, error: error, tag: tag))
  }
}
