import BluetoothWire

/// The server's side of finding and reading. Spec: Core v5.4, Vol 3, Part F, 3.4.3 and 3.4.4.
extension HostStack {
  /// The handles of a valid range that exist; nil after an Invalid Handle was sent.
  private func existing(
    _ link: Link, _ range: ATT.HandleRange, for request: ATT.Opcode
  ) -> Range<Int>? {
    guard range.isValid else {
      sendError(link, request, range.start, .invalidHandle)
      return nil
    }
    let end = min(Int(range.end), database.attributes.count)
    return Int(range.start) - 1..<max(Int(range.start) - 1, end)
  }

  /// What a read by this link's client returns, or why it is refused.
  private func read(_ link: Link, _ handle: ATT.Handle) -> Result<[UInt8], Refusal> {
    guard let attribute = database[handle] else { return .failure(Refusal(code: .invalidHandle)) }
    guard attribute.isReadable else { return .failure(Refusal(code: .readNotPermitted)) }
    if attribute.readNeedsEncryption, let code = missingSecurity(link) { return .failure(Refusal(code: code)) }
    // Several values in one request: the owner can be asked for one at a time only.
    guard attribute.answering != .owner else { return .failure(Refusal(code: .requestNotSupported)) }
    return .success(value(link, attribute))
  }

  private struct Refusal: Error {
    var code: ATT.ErrorCode
  }

  private func value(_ link: Link, _ attribute: AttributeDatabase.Attribute) -> [UInt8] {
    guard case .configuration(let index) = attribute.role else { return attribute.value }
    return [link.configurations[database.characteristics[index].configuration], 0]
  }

  func answerFindInformation(_ link: Link, _ range: ATT.HandleRange) {
    guard let indices = existing(link, range, for: .findInformationRequest) else { return }
    var list: [ATT.Information] = []
    var width = 0
    for index in indices where !database.attributes[index].isGone {
      let type = ATT.AttributeType(database.attributes[index].type)
      var typeWidth = 2
      if case .long = type { typeWidth = 16 }
      if list.isEmpty { width = typeWidth }
      guard typeWidth == width, list.count < (link.mtu - 2) / (2 + width) else { break }
      list.append(ATT.Information(handle: ATT.Handle(index + 1), type: type))
    }
    guard !list.isEmpty else { return sendError(link, .findInformationRequest, range.start, .attributeNotFound) }
    sendPDU(link, .findInformationResponse(list), .response)
  }

  func answerFindByTypeValue(_ link: Link, _ range: ATT.HandleRange, _ type: BluetoothUUID, _ value: [UInt8]) {
    guard let indices = existing(link, range, for: .findByTypeValueRequest) else { return }
    var list: [ATT.HandleRange] = []
    for index in indices where list.count < (link.mtu - 1) / 4 {
      let attribute = database.attributes[index]
      guard !attribute.isGone, attribute.type == type, attribute.isReadable, self.value(link, attribute) == value
      else { continue }
      list.append(ATT.HandleRange(start: ATT.Handle(index + 1), end: attribute.groupEnd))
    }
    guard !list.isEmpty else { return sendError(link, .findByTypeValueRequest, range.start, .attributeNotFound) }
    sendPDU(link, .findByTypeValueResponse(list), .response)
  }

  func answerReadByType(_ link: Link, _ range: ATT.HandleRange, _ type: BluetoothUUID) {
    guard let indices = existing(link, range, for: .readByTypeRequest) else { return }
    var list: [ATT.HandleValue] = []
    var room = link.mtu - 2
    for index in indices where database.attributes[index].type == type && !database.attributes[index].isGone {
      if list.isEmpty, asksOwner(link, ATT.Handle(index + 1), .readByType, offset: 0) { return }
      let whole: [UInt8]
      switch read(link, ATT.Handle(index + 1)) {
      case .success(let value): whole = value
      case .failure(let refusal):
        guard list.isEmpty else { return sendPDU(link, .readByTypeResponse(list), .response) }
        return sendError(link, .readByTypeRequest, ATT.Handle(index + 1), refusal.code)
      }
      let part = Array(whole.prefix(min(link.mtu - 4, 253)))
      guard part.count + 2 <= room, list.isEmpty || list[0].value.count == part.count else { break }
      room -= part.count + 2
      list.append(ATT.HandleValue(handle: ATT.Handle(index + 1), value: part))
    }
    guard !list.isEmpty else { return sendError(link, .readByTypeRequest, range.start, .attributeNotFound) }
    sendPDU(link, .readByTypeResponse(list), .response)
  }

  func answerReadByGroupType(_ link: Link, _ range: ATT.HandleRange, _ type: BluetoothUUID) {
    guard let indices = existing(link, range, for: .readByGroupTypeRequest) else { return }
    guard type == .primaryService || type == .secondaryService else {
      return sendError(link, .readByGroupTypeRequest, range.start, .unsupportedGroupType)
    }
    var list: [ATT.Group] = []
    var room = link.mtu - 2
    for index in indices where database.attributes[index].type == type && !database.attributes[index].isGone {
      let attribute = database.attributes[index]
      let part = Array(attribute.value.prefix(min(link.mtu - 6, 251)))
      guard part.count + 4 <= room, list.isEmpty || list[0].value.count == part.count else { break }
      room -= part.count + 4
      list.append(ATT.Group(handle: ATT.Handle(index + 1), end: attribute.groupEnd, value: part))
    }
    guard !list.isEmpty else { return sendError(link, .readByGroupTypeRequest, range.start, .attributeNotFound) }
    sendPDU(link, .readByGroupTypeResponse(list), .response)
  }

  func answerRead(_ link: Link, _ handle: ATT.Handle) {
    if asksOwner(link, handle, .read, offset: 0) { return }
    switch read(link, handle) {
    case .success(let value): sendPDU(link, .readResponse(Array(value.prefix(link.mtu - 1))), .response)
    case .failure(let refusal): sendError(link, .readRequest, handle, refusal.code)
    }
  }

  func answerReadBlob(_ link: Link, _ handle: ATT.Handle, _ offset: Int) {
    if asksOwner(link, handle, .readBlob, offset: offset) { return }
    switch read(link, handle) {
    case .success(let value) where offset > value.count:
      sendError(link, .readBlobRequest, handle, .invalidOffset)
    case .success(let value):
      sendPDU(link, .readBlobResponse(Array(value[offset...].prefix(link.mtu - 1))), .response)
    case .failure(let refusal): sendError(link, .readBlobRequest, handle, refusal.code)
    }
  }

  func answerReadMultiple(_ link: Link, _ handles: [ATT.Handle]) {
    var values: [UInt8] = []
    for handle in handles {
      switch read(link, handle) {
      case .success(let value): values.append(contentsOf: value.prefix(link.mtu - 1 - values.count))
      case .failure(let refusal): return sendError(link, .readMultipleRequest, handle, refusal.code)
      }
    }
    sendPDU(link, .readMultipleResponse(values), .response)
  }

  func answerReadMultipleVariable(_ link: Link, _ handles: [ATT.Handle]) {
    var values: [ATT.VariableValue] = []
    var room = link.mtu - 1
    for handle in handles {
      switch read(link, handle) {
      case .success(let value):
        // A length without both of its octets would say nothing, so the list ends before it.
        guard room >= 2 else { continue }
        let part = Array(value.prefix(room - 2))
        values.append(ATT.VariableValue(length: UInt16(value.count), value: part))
        room -= 2 + part.count
      case .failure(let refusal): return sendError(link, .readMultipleVariableRequest, handle, refusal.code)
      }
    }
    sendPDU(link, .readMultipleVariableResponse(values), .response)
  }
}
