public import BluetoothWire

/// A part of what a client writes: whole writes have one, prepared writes as many as it sent.
public struct WrittenPart: Hashable, Sendable {
  /// The handle of the value.
  public var attribute: ATT.Handle
  public var offset: Int
  public var value: [UInt8]

  public init(attribute: ATT.Handle, offset: Int, value: [UInt8]) {
    self.attribute = attribute
    self.offset = offset
    self.value = value
  }
}

/// A request of a client that waits for the owner of the stack; a bearer has one at most (Vol 3, Part F, 3.3.2).
struct AskedRequest {
  enum Kind {
    case read, readBlob, readByType, write, prepareWrite, executeWrite
  }

  var number: Int
  var kind: Kind
  /// The attribute that it is about, the first one of several.
  var handle: ATT.Handle
  /// What the client writes.
  var parts: [WrittenPart] = []
}

/// Requests that the owner answers (`GATT.Answering`).
extension HostStack {
  /// Answers a request that `readRequested`, `writeRequested`, `partRequested` or `executeRequested` told of.
  /// ATT_MTU − 1 octets of a value are sent, to Read By Type ATT_MTU − 4 and at most 253, to a Prepare Write Request
  /// ATT_MTU − 5. A request that is answered already, or whose link has ended, is ignored.
  public func answer(request: Int, value: [UInt8], error: ATT.ErrorCode?) {
    guard let link = links.first(where: { $0.asked?.number == request }) else { return }
    answer(link, value: value, error: error)
  }

  func answer(_ link: Link, value: [UInt8], error: ATT.ErrorCode?) {
    guard let asked = link.asked else { return }
    link.asked = nil
    if link.isBearerClosed { return }
    if let error { return sendError(link, asked.kind.opcode, asked.handle, error) }
    let part = value.prefix(link.mtu - 1)
    switch asked.kind {
    case .read: sendPDU(link, .readResponse(Array(part)), .response)
    case .readBlob: sendPDU(link, .readBlobResponse(Array(part)), .response)
    case .readByType:
      let entry = ATT.HandleValue(handle: asked.handle, value: Array(value.prefix(min(link.mtu - 4, 253))))
      sendPDU(link, .readByTypeResponse([entry]), .response)
    case .write:
      sendPDU(link, .writeResponse, .response)
      take(asked.parts, link)
    case .prepareWrite: keepPart(link, asked, echo: value)
    case .executeWrite:
      sendPDU(link, .executeWriteResponse, .response)
      take(asked.parts, link)
    }
  }

  /// The owner has taken a part of a value; the response says what it made of it (Vol 3, Part F, 3.4.6.2).
  private func keepPart(_ link: Link, _ asked: AskedRequest, echo: [UInt8]) {
    let part = asked.parts[0]
    let isKept = link.prepared.append(
      PreparedWrites.Part(handle: part.attribute, offset: part.offset, value: part.value))
    assert(isKept, "what the owner was asked about has room")
    let said = Array(echo.prefix(link.mtu - 5))
    sendPDU(link, .prepareWriteResponse(part.attribute, offset: UInt16(part.offset), value: said), .response)
  }

  /// Whether the owner answers this read, and is asked; what is refused before that is the caller's to refuse.
  func asksOwner(_ link: Link, _ handle: ATT.Handle, _ kind: AskedRequest.Kind, offset: Int) -> Bool {
    guard let attribute = database[handle], attribute.answering == .owner, attribute.isReadable,
      !attribute.readNeedsEncryption || missingSecurity(link) == nil
    else { return false }
    let number = nextRequest()
    assert(link.asked == nil, "an owner is asked one question of a link at a time")
    link.asked = AskedRequest(number: number, kind: kind, handle: handle)
    emit(.readRequested(link.handle, request: number, attribute: handle, offset: offset))
    return true
  }

  /// - Parameter isMeant: false: the client takes back what it has prepared.
  func askOwner(_ link: Link, _ parts: [WrittenPart], _ kind: AskedRequest.Kind, isMeant: Bool = true) {
    let number = nextRequest()
    let handle = parts[0].attribute
    assert(link.asked == nil, "an owner is asked one question of a link at a time")
    link.asked = AskedRequest(number: number, kind: kind, handle: handle, parts: isMeant ? parts : [])
    if kind == .prepareWrite { return emit(.partRequested(link.handle, request: number, parts[0])) }
    if kind == .executeWrite, parts.contains(where: { database[$0.attribute]?.asksForParts == true }) {
      return emit(.executeRequested(link.handle, request: number, parts, isMeant: isMeant))
    }
    emit(.writeRequested(link.handle, request: number, parts, needsAnswer: true))
  }

  func nextRequest() -> Int {
    requestCount += 1
    return requestCount
  }

  /// Why an attribute that needs encryption is refused on this link; nil when it is encrypted. Without a key for the
  /// peer it is the authentication that is missing (Core v5.4, Vol 3, Part C, 10.3.1).
  func missingSecurity(_ link: Link) -> ATT.ErrorCode? {
    if isEncrypted(link) { return nil }
    return hasKey(for: link) ? .insufficientEncryption : .insufficientAuthentication
  }
}

extension AskedRequest.Kind {
  var opcode: ATT.Opcode {
    switch self {
    case .read: .readRequest
    case .readBlob: .readBlobRequest
    case .readByType: .readByTypeRequest
    case .write: .writeRequest
    case .prepareWrite: .prepareWriteRequest
    case .executeWrite: .executeWriteRequest
    }
  }
}
