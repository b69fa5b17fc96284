extension ATT.PDU {
  /// The PDU as the wire carries it. No limit is checked: the sender keeps to the ATT_MTU.
  public var octets: [UInt8] {
    var octets: [UInt8] = []
    append(to: &octets)
    return octets
  }

  /// Appends the PDU, so that one array can carry the headers in front of it too.
  ///
  /// Lists whose entries must be of one width take it from their first entry; longer values are cut, shorter ones are
  /// filled with zero, so that the result always decodes.
  public func append(to octets: inout [UInt8]) {
    octets.append(opcode.rawValue)
    switch self {
    case .errorResponse(let request, let handle, let code):
      octets.append(request.rawValue)
      octets.append(littleEndian: handle)
      octets.append(code.rawValue)
    case .exchangeMTURequest(let mtu), .exchangeMTUResponse(let mtu): octets.append(littleEndian: mtu)
    case .findInformationRequest(let range): octets.append(range)
    case .findByTypeValueRequest(let range, let type, let value):
      octets.append(range)
      octets.append(littleEndian: type)
      octets.append(contentsOf: value)
    case .readByTypeRequest(let range, let type), .readByGroupTypeRequest(let range, let type):
      octets.append(range)
      octets.append(type)
    case .readRequest(let handle): octets.append(littleEndian: handle)
    case .readBlobRequest(let handle, let offset):
      octets.append(littleEndian: handle)
      octets.append(littleEndian: offset)
    case .readMultipleRequest(let handles), .readMultipleVariableRequest(let handles):
      for handle in handles { octets.append(littleEndian: handle) }
    case .executeWriteRequest(let flags): octets.append(flags)
    case .writeRequest(let handle, let value), .writeCommand(let handle, let value),
      .signedWriteCommand(let handle, let value), .handleValueNotification(let handle, let value),
      .handleValueIndication(let handle, let value):
      octets.append(littleEndian: handle)
      octets.append(contentsOf: value)
    case .prepareWriteRequest(let handle, let offset, let value),
      .prepareWriteResponse(let handle, let offset, let value):
      octets.append(littleEndian: handle)
      octets.append(littleEndian: offset)
      octets.append(contentsOf: value)
    case .readResponse(let value), .readBlobResponse(let value), .readMultipleResponse(let value),
      .multipleHandleValueNotification(let value), .other(_, let value):
      octets.append(contentsOf: value)
    case .writeResponse, .executeWriteResponse, .handleValueConfirmation: break
    case .findInformationResponse, .findByTypeValueResponse, .readByTypeResponse, .readByGroupTypeResponse,
      .readMultipleVariableResponse:
      appendList(to: &octets)
    }
  }

  private func appendList(to octets: inout [UInt8]) {
    switch self {
    case .findInformationResponse(let list):
      var isShort = true
      if case .long? = list.first?.type { isShort = false }
      octets.append(isShort ? 1 : 2)
      for entry in list {
        octets.append(littleEndian: entry.handle)
        octets.append(isShort ? .short(entry.type.uuid.short ?? 0) : .long(entry.type.uuid))
      }
    case .findByTypeValueResponse(let list):
      for range in list { octets.append(range) }
    case .readByTypeResponse(let list):
      let length = min(list.first?.value.count ?? 0, 253)
      octets.append(UInt8(length + 2))
      for entry in list {
        octets.append(littleEndian: entry.handle)
        octets.append(entry.value, count: length)
      }
    case .readByGroupTypeResponse(let list):
      let length = min(list.first?.value.count ?? 0, 251)
      octets.append(UInt8(length + 4))
      for entry in list {
        octets.append(littleEndian: entry.handle)
        octets.append(littleEndian: entry.end)
        octets.append(entry.value, count: length)
      }
    case .readMultipleVariableResponse(let list):
      for entry in list {
        octets.append(littleEndian: entry.length)
        octets.append(contentsOf: entry.value)
      }
    default: break
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ range: ATT.HandleRange) {
    append(littleEndian: range.start)
    append(littleEndian: range.end)
  }

  fileprivate mutating func append(_ type: ATT.AttributeType) {
    switch type {
    case .short(let value): append(littleEndian: value)
    case .long(let uuid):
      append(littleEndian: uuid.low, count: 8)
      append(littleEndian: uuid.high, count: 8)
    }
  }

  fileprivate mutating func append(_ value: [UInt8], count: Int) {
    append(contentsOf: value.prefix(count))
    if value.count < count { append(contentsOf: repeatElement(0, count: count - value.count)) }
  }
}
