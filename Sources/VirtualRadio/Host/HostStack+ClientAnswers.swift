import BluetoothWire

extension HostStack {
  // MARK: Values that the server sends on its own

  func receiveNotification(_ link: Link, _ frame: [UInt8]) {
    let headers = L2CAP.headerLength + ATT.valueHeaderLength
    guard frame.count >= headers else { return violation(link, "notification without a handle") }
    let handle = UInt16(frame[5]) | UInt16(frame[6]) << 8
    guard let uuid = link.client.type(of: handle) else {
      return violation(link, "notification of attribute \(handle), which was never discovered")
    }
    // Without a slice, which would count a reference.
    let value = frame.withUnsafeBytes { Array($0[headers...]) }
    emit(notified(link, handle, uuid, value))
  }

  private func notified(
    _ link: Link, _ handle: ATT.Handle, _ uuid: BluetoothUUID, _ value: consuming [UInt8]
  ) -> HostEvent {
    link.client.namesHandles
      ? .attributeNotified(link.handle, attribute: handle, characteristic: uuid, value: value)
      : .valueNotified(link.handle, characteristic: uuid, value: value)
  }

  /// Every indication that can be read is confirmed, known or not (Vol 3, Part F, 3.4.7.2).
  func receiveIndication(_ link: Link, _ frame: [UInt8]) {
    let headers = L2CAP.headerLength + ATT.valueHeaderLength
    guard frame.count >= headers else { return violation(link, "indication without a handle") }
    let handle = UInt16(frame[5]) | UInt16(frame[6]) << 8
    sendPDU(link, .handleValueConfirmation, .other)
    guard let uuid = link.client.type(of: handle) else {
      return violation(link, "indication of attribute \(handle), which was never discovered")
    }
    if uuid == .serviceChanged, frame.count == headers + 4 {
      let start = UInt16(frame[7]) | UInt16(frame[8]) << 8
      let end = UInt16(frame[9]) | UInt16(frame[10]) << 8
      link.client.forget(ATT.HandleRange(start: start, end: end))
      emit(.servicesChanged(link.handle, start: start, end: end))
    } else {
      emit(notified(link, handle, uuid, Array(frame[headers...])))
    }
  }

  // MARK: Responses

  func receiveResponse(_ link: Link, _ frame: [UInt8]) {
    let raw = frame[L2CAP.headerLength]
    guard let request = link.client.request else {
      return violation(link, "response 0x\(String(raw, radix: 16)) without a request")
    }
    let answer: ClientState.Answer
    do throws(WireError) {
      let pdu = try ATT.PDU(decoding: frame, from: L2CAP.headerLength)
      if case .errorResponse(let refused, _, let code) = pdu {
        guard refused == request else {
          return violation(link, "error response to 0x\(String(refused.rawValue, radix: 16)), which was not asked")
        }
        answer = .failure(code)
      } else {
        answer = .response(pdu)
      }
    } catch {
      violation(link, "ATT response 0x\(String(raw, radix: 16)) refused: \(error.description)")
      answer = .failure(.invalidPDU)
    }
    guard raw == ATT.Opcode.errorResponse.rawValue || raw == request.rawValue + 1 else {
      return violation(
        link, "response 0x\(String(raw, radix: 16)) to request 0x\(String(request.rawValue, radix: 16))")
    }
    requestFinished(link)
    proceed(link, answer)
  }

  /// Goes on with the running procedure; a procedure that has ended makes room for the next one.
  func proceed(_ link: Link, _ answer: ClientState.Answer) {
    let step = link.client.step
    link.client.step = .idle
    switch step {
    case .idle: break
    case .exchangingMTU: finishExchangeMTU(link, answer)
    case .findingServices(let next, let found, let tag): foundServices(link, next, found, tag, answer)
    case .findingService(let uuid, let next, let found): foundService(link, uuid, next, found, answer)
    case .findingCharacteristics(let discovery): foundCharacteristics(link, discovery, answer)
    case .findingDescriptors(let discovery): foundDescriptors(link, discovery, answer)
    case .findingIncluded(let search): foundIncluded(link, search, answer)
    case .listingDescriptors(let range, let next, let found, let tag):
      listedDescriptors(link, range, next, found, tag, answer)
    case .subscribing(let target, let isOn): subscribed(link, target, isOn, error: answer.error)
    case .reading(let target, let handle, let value): readOn(link, target, handle, value, answer)
    case .writing(let target): finishWrite(link, target, error: answer.error)
    case .preparing(let target, let handle, let value, let part): prepared(link, target, handle, value, part, answer)
    case .executing(let target, let error): finishWrite(link, target, error: error ?? answer.error)
    case .preparingPart(let handle, let offset, let tag): finishPart(link, handle, offset, tag, answer)
    case .executingParts: emit(.writesExecuted(link.handle, error: answer.error))
    }
    beginNextProcedure(link)
  }

  /// Spec: Core v5.4, Vol 3, Part F, 3.4.2.2. A server that does not know the request stays at 23 octets.
  private func finishExchangeMTU(_ link: Link, _ answer: ClientState.Answer) {
    if case .response(.exchangeMTUResponse(let serverRxMTU)) = answer {
      if serverRxMTU < ATT.defaultMTU { violation(link, "Server Rx MTU \(serverRxMTU) is below \(ATT.defaultMTU)") }
      link.mtu = max(ATT.defaultMTU, min(Int(serverRxMTU), link.ownRxMTU))
    }
    emit(.attMTU(link.handle, link.mtu))
  }

  // MARK: Ends, told as the owner had named them

  func subscribed(_ link: Link, _ target: ClientState.Target, _ isOn: Bool, error: ATT.ErrorCode?) {
    switch target {
    case .type(let uuid): emit(.subscribeCompleted(link.handle, characteristic: uuid, isOn, error: error))
    case .attribute(let handle, let tag):
      emit(.attributeConfigured(link.handle, attribute: handle, isOn, error: error, tag: tag))
    }
  }

  func finishRead(_ link: Link, _ target: ClientState.Target, _ value: [UInt8], error: ATT.ErrorCode?) {
    switch target {
    case .type(let uuid): emit(.readCompleted(link.handle, characteristic: uuid, value: value, error: error))
    case .attribute(let handle, let tag):
      emit(.attributeRead(link.handle, attribute: handle, value: value, error: error, tag: tag))
    }
  }

  func finishWrite(_ link: Link, _ target: ClientState.Target, error: ATT.ErrorCode?) {
    switch target {
    case .type(let uuid): emit(.writeCompleted(link.handle, characteristic: uuid, error: error))
    case .attribute(let handle, let tag):
      emit(.attributeWritten(link.handle, attribute: handle, error: error, tag: tag))
    }
  }

  // MARK: Reading

  private func readOn(
    _ link: Link, _ target: ClientState.Target, _ handle: ATT.Handle, _ value: [UInt8], _ answer: ClientState.Answer
  ) {
    switch answer {
    case .response(.readResponse(let part)), .response(.readBlobResponse(let part)):
      let whole = value + part
      // The server may have filled its response for the ATT_MTU before or after an exchange of its own.
      let isFull = part.count >= min(link.client.requestMTU, link.mtu) - 1
      guard isFull, whole.count < ATT.longestValue else {
        // A server may offer more than a value can have.
        let kept = whole.count <= ATT.longestValue ? whole : Array(whole.prefix(ATT.longestValue))
        return finishRead(link, target, kept, error: nil)
      }
      link.client.step = .reading(target, handle: handle, value: whole)
      sendRequest(link, .readBlobRequest(handle, offset: UInt16(whole.count)))
    case .failure(let code):
      // Both codes are how servers say that the value had ended exactly at the border of the last part.
      let isEnd = !value.isEmpty && (code == .attributeNotLong || code == .invalidOffset)
      finishRead(link, target, value, error: isEnd ? nil : code)
    case .response: break
    }
  }

  // MARK: Writing in parts

  /// What the server keeps is the owner's to compare (Vol 3, Part G, 4.9.5).
  private func finishPart(
    _ link: Link, _ handle: ATT.Handle, _ offset: Int, _ tag: Int, _ answer: ClientState.Answer
  ) {
    guard case .response(.prepareWriteResponse(let said, let start, let value)) = answer else {
      return emit(
        .writePrepared(
          link.handle, attribute: handle, offset: offset, value: [], error: answer.error ?? .unlikelyError, tag: tag))
    }
    if said != handle { violation(link, "prepared part came back for attribute \(said)") }
    emit(
      .writePrepared(
        link.handle, attribute: handle, offset: Int(start), value: value, error: said == handle ? nil : .unlikelyError,
        tag: tag))
  }

  func prepare(
    _ link: Link, _ target: ClientState.Target, _ handle: ATT.Handle, _ value: [UInt8], from start: Int
  ) {
    let part = start..<min(start + link.mtu - 5, value.count)
    link.client.step = .preparing(target, handle: handle, value: value, part: part)
    sendRequest(link, .prepareWriteRequest(handle, offset: UInt16(start), value: Array(value[part])))
  }

  private func prepared(
    _ link: Link, _ target: ClientState.Target, _ handle: ATT.Handle, _ value: [UInt8], _ part: Range<Int>,
    _ answer: ClientState.Answer
  ) {
    var error = answer.error
    if case .response(let pdu) = answer,
      pdu != .prepareWriteResponse(handle, offset: UInt16(part.lowerBound), value: Array(value[part]))
    {
      violation(link, "prepared part came back changed")
      error = .unlikelyError
    }
    if error == nil, part.upperBound < value.count {
      return prepare(link, target, handle, value, from: part.upperBound)
    }
    link.client.step = .executing(target, error: error)
    sendRequest(link, .executeWriteRequest(flags: error == nil ? 1 : 0))
  }
}

extension ClientState.Answer {
  /// Nil for a response.
  var error: ATT.ErrorCode? {
    if case .failure(let code) = self { code } else { nil }
  }
}
