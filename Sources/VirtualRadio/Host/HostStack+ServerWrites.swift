import BluetoothWire

/// The server's side of writing. Spec: Core v5.4, Vol 3, Part F, 3.4.5 and 3.4.6.
extension HostStack {
  func receiveWriteCommand(_ link: Link, _ frame: [UInt8]) {
    let headers = L2CAP.headerLength + ATT.valueHeaderLength
    guard frame.count >= headers else { return violation(link, "write command without a handle") }
    // A command is never answered; what cannot be written is ignored (3.4.5.3).
    let handle = UInt16(frame[5]) | UInt16(frame[6]) << 8
    let index = Int(handle) - 1
    guard database.attributes.indices.contains(index), database.attributes[index].isWritableWithoutResponse,
      frame.count - headers <= database.attributes[index].maximumLength, !database.attributes[index].isGone,
      !database.attributes[index].writeNeedsEncryption || missingSecurity(link) == nil
    else { return }
    let value = Array(frame[headers...])
    if database.attributes[index].answering != .stored {
      return emit(
        .writeRequested(
          link.handle, request: nextRequest(), [WrittenPart(attribute: handle, offset: 0, value: value)],
          needsAnswer: false))
    }
    store(link, handle, value, withResponse: false)
  }

  func answerWrite(_ link: Link, _ handle: ATT.Handle, _ value: [UInt8]) {
    if let code = refusal(link, handle) ?? refusal(handle, value) {
      return sendError(link, .writeRequest, handle, code)
    }
    if database.attributes[Int(handle) - 1].answering != .stored {
      return askOwner(link, [WrittenPart(attribute: handle, offset: 0, value: value)], .write)
    }
    sendPDU(link, .writeResponse, .response)
    store(link, handle, value, withResponse: true)
  }

  /// Why writing with a response is refused, whatever the value.
  private func refusal(_ link: Link, _ handle: ATT.Handle) -> ATT.ErrorCode? {
    guard let attribute = database[handle] else { return .invalidHandle }
    guard attribute.isWritable else { return .writeNotPermitted }
    return attribute.writeNeedsEncryption ? missingSecurity(link) : nil
  }

  /// Why this value is refused.
  /// - Precondition: the attribute exists.
  private func refusal(_ handle: ATT.Handle, _ value: [UInt8]) -> ATT.ErrorCode? {
    let attribute = database.attributes[Int(handle) - 1]
    guard value.count <= attribute.maximumLength else { return .invalidAttributeValueLength }
    guard case .configuration(let index) = attribute.role else { return nil }
    guard value.count == 2 else { return .invalidAttributeValueLength }
    let properties = database.characteristics[index].properties
    let allowed =
      (properties.contains(.notify) ? GATT.ClientConfiguration.notifications : 0)
      | (properties.contains(.indicate) ? GATT.ClientConfiguration.indications : 0)
    return value[1] == 0 && value[0] & ~allowed == 0 ? nil : .valueNotAllowed
  }

  /// Stores a value that was accepted, and tells the owner.
  private func store(_ link: Link, _ handle: ATT.Handle, _ value: [UInt8], withResponse: Bool) {
    let attribute = database.attributes[Int(handle) - 1]
    switch attribute.role {
    case .configuration(let index):
      let served = database.characteristics[index]
      let before = link.configurations[served.configuration]
      link.configurations[served.configuration] = value[0]
      guard before != value[0] else { return }
      if served.isInternal { return watcherChanged(link, isOn: value[0] != 0) }
      if served.isByHandle {
        return emit(.configurationWritten(link.handle, attribute: served.value, value[0] != 0))
      }
      emit(.subscriptionChanged(link.handle, characteristic: served.uuid, value[0] != 0))
    case .value(let index):
      // Nobody could see the stored value of an attribute that cannot be read.
      if attribute.isReadable { database.setValue(value, at: handle) }
      emit(
        .valueWritten(
          link.handle, characteristic: database.characteristics[index].uuid, value: value,
          withResponse: withResponse))
    case .descriptor: database.setValue(value, at: handle)
    case .serviceDeclaration, .characteristicDeclaration: break
    }
  }

  /// The owner has taken parts: configurations among them hold from here on.
  func take(_ parts: [WrittenPart], _ link: Link) {
    for part in parts where database.isConfiguration(part.attribute) && part.offset == 0 {
      guard refusal(part.attribute, part.value) == nil else { continue }
      store(link, part.attribute, part.value, withResponse: true)
    }
  }

  func answerPrepareWrite(_ link: Link, _ handle: ATT.Handle, _ offset: UInt16, _ value: [UInt8]) {
    if let code = refusal(link, handle) { return sendError(link, .prepareWriteRequest, handle, code) }
    if database.attributes[Int(handle) - 1].asksForParts, link.prepared.hasRoom(for: value.count) {
      return askOwner(link, [WrittenPart(attribute: handle, offset: Int(offset), value: value)], .prepareWrite)
    }
    guard link.prepared.append(PreparedWrites.Part(handle: handle, offset: Int(offset), value: value)) else {
      return sendError(link, .prepareWriteRequest, handle, .prepareQueueFull)
    }
    sendPDU(link, .prepareWriteResponse(handle, offset: offset, value: value), .response)
  }

  /// All parts are written, or none; either way the queue is empty afterwards.
  func answerExecuteWrite(_ link: Link, _ flags: UInt8) {
    guard flags <= 1 else { return sendError(link, .executeWriteRequest, 0, .invalidPDU) }
    let parts = link.prepared.parts
    link.prepared = PreparedWrites()
    if flags == 0, parts.contains(where: { database[$0.handle]?.asksForParts == true }) {
      return askOwner(link, parts.map(\.written), .executeWrite, isMeant: false)
    }
    var values: [(handle: ATT.Handle, value: [UInt8])] = []
    if flags == 1 {
      // A service may have been taken back since.
      if let gone = parts.first(where: { database[$0.handle] == nil }) {
        return sendError(link, .executeWriteRequest, gone.handle, .invalidHandle)
      }
      let owners = parts.filter { database.attributes[Int($0.handle) - 1].answering != .stored }
      if !owners.isEmpty {
        guard owners.count == parts.count else {
          return sendError(link, .executeWriteRequest, parts[0].handle, .unlikelyError)
        }
        return askOwner(link, parts.map(\.written), .executeWrite)
      }
      for part in parts {
        let index = values.firstIndex { $0.handle == part.handle } ?? values.count
        if index == values.count { values.append((part.handle, database.attributes[Int(part.handle) - 1].value)) }
        guard part.offset <= values[index].value.count else {
          return sendError(link, .executeWriteRequest, part.handle, .invalidOffset)
        }
        values[index].value.replaceSubrange(part.offset..., with: part.value)
        guard values[index].value.count <= ATT.longestValue else {
          return sendError(link, .executeWriteRequest, part.handle, .invalidAttributeValueLength)
        }
      }
      for (handle, value) in values {
        if let code = refusal(handle, value) { return sendError(link, .executeWriteRequest, handle, code) }
      }
    }
    sendPDU(link, .executeWriteResponse, .response)
    for (handle, value) in values { store(link, handle, value, withResponse: true) }
  }
}

extension PreparedWrites.Part {
  fileprivate var written: WrittenPart { WrittenPart(attribute: handle, offset: offset, value: value) }
}
