extension ATT.PDU {
  /// Reads the PDU that fills `octets` from `start` on; offsets of a refusal count from the start of `octets`.
  ///
  /// Refuses: no octet at all, truncated fields, octets after the last field, a list without an entry or with a part
  /// of one, an information format other than 1 and 2. Allocates no more than a small multiple of the octets given.
  /// - Throws: `WireError`.
  public init(decoding octets: [UInt8], from start: Int = 0) throws(WireError) {
    var reader = OctetReader(octets, from: start, to: octets.count)
    let opcode = ATT.Opcode(rawValue: try reader.u8())
    if let pdu = try Self.request(opcode, &reader) {
      self = pdu
    } else if let pdu = try Self.response(opcode, &reader) {
      self = pdu
    } else {
      self = try Self.unanswered(opcode, &reader)
    }
    try reader.finish()
  }

  private static func request(
    _ opcode: ATT.Opcode, _ reader: inout OctetReader
  ) throws(WireError) -> ATT.PDU? {
    switch opcode {
    case .exchangeMTURequest: return .exchangeMTURequest(clientRxMTU: try reader.u16())
    case .findInformationRequest: return .findInformationRequest(try reader.handleRange())
    case .findByTypeValueRequest:
      return .findByTypeValueRequest(try reader.handleRange(), type: try reader.u16(), value: reader.rest())
    case .readByTypeRequest: return .readByTypeRequest(try reader.handleRange(), type: try reader.attributeType())
    case .readRequest: return .readRequest(try reader.u16())
    case .readBlobRequest: return .readBlobRequest(try reader.u16(), offset: try reader.u16())
    case .readMultipleRequest: return .readMultipleRequest(try reader.handles())
    case .readByGroupTypeRequest:
      return .readByGroupTypeRequest(try reader.handleRange(), type: try reader.attributeType())
    case .readMultipleVariableRequest: return .readMultipleVariableRequest(try reader.handles())
    case .writeRequest: return .writeRequest(try reader.u16(), value: reader.rest())
    case .prepareWriteRequest:
      return .prepareWriteRequest(try reader.u16(), offset: try reader.u16(), value: reader.rest())
    case .executeWriteRequest: return .executeWriteRequest(flags: try reader.u8())
    default: return nil
    }
  }

  private static func response(
    _ opcode: ATT.Opcode, _ reader: inout OctetReader
  ) throws(WireError) -> ATT.PDU? {
    switch opcode {
    case .errorResponse:
      return .errorResponse(
        request: ATT.Opcode(rawValue: try reader.u8()), handle: try reader.u16(),
        code: ATT.ErrorCode(try reader.u8()))
    case .exchangeMTUResponse: return .exchangeMTUResponse(serverRxMTU: try reader.u16())
    case .findInformationResponse: return .findInformationResponse(try reader.information())
    case .findByTypeValueResponse: return .findByTypeValueResponse(try reader.handleRanges())
    case .readByTypeResponse: return .readByTypeResponse(try reader.handleValues())
    case .readResponse: return .readResponse(reader.rest())
    case .readBlobResponse: return .readBlobResponse(reader.rest())
    case .readMultipleResponse: return .readMultipleResponse(reader.rest())
    case .readByGroupTypeResponse: return .readByGroupTypeResponse(try reader.groups())
    case .readMultipleVariableResponse: return .readMultipleVariableResponse(try reader.variableValues())
    case .writeResponse: return .writeResponse
    case .prepareWriteResponse:
      return .prepareWriteResponse(try reader.u16(), offset: try reader.u16(), value: reader.rest())
    case .executeWriteResponse: return .executeWriteResponse
    default: return nil
    }
  }

  private static func unanswered(
    _ opcode: ATT.Opcode, _ reader: inout OctetReader
  ) throws(WireError) -> ATT.PDU {
    switch opcode {
    case .writeCommand: return .writeCommand(try reader.u16(), value: reader.rest())
    case .signedWriteCommand:
      let handle = try reader.u16()
      try reader.require(12)
      return .signedWriteCommand(handle, valueAndSignature: reader.rest())
    case .handleValueNotification: return .handleValueNotification(try reader.u16(), value: reader.rest())
    case .handleValueIndication: return .handleValueIndication(try reader.u16(), value: reader.rest())
    case .handleValueConfirmation: return .handleValueConfirmation
    case .multipleHandleValueNotification: return .multipleHandleValueNotification(reader.rest())
    default: return .other(opcode, parameters: reader.rest())
    }
  }
}

extension OctetReader {
  fileprivate mutating func handleRange() throws(WireError) -> ATT.HandleRange {
    ATT.HandleRange(start: try u16(), end: try u16())
  }

  /// Two or sixteen octets, whatever is left.
  fileprivate mutating func attributeType() throws(WireError) -> ATT.AttributeType {
    switch remaining {
    case 2: return .short(try u16())
    case 16:
      let low = try u64()
      return .long(BluetoothUUID(high: try u64(), low: low))
    case 0, 1, 3..<16: throw WireError(.truncated, at: end)
    default: throw WireError(.trailingOctets, at: offset + 16)
    }
  }

  /// Part F, 3.4.4.7: "two or more".
  fileprivate mutating func handles() throws(WireError) -> [ATT.Handle] {
    try require(4)
    var handles: [ATT.Handle] = []
    handles.reserveCapacity(remaining / 2)
    while !isAtEnd { handles.append(try u16()) }
    return handles
  }

  fileprivate mutating func information() throws(WireError) -> [ATT.Information] {
    let formatOffset = offset
    let format = try u8()
    guard format == 1 || format == 2 else { throw WireError(.valueOutOfRange, at: formatOffset) }
    try require(1)
    var list: [ATT.Information] = []
    while !isAtEnd {
      let handle = try u16()
      if format == 1 {
        list.append(ATT.Information(handle: handle, type: .short(try u16())))
      } else {
        let low = try u64()
        list.append(ATT.Information(handle: handle, type: .long(BluetoothUUID(high: try u64(), low: low))))
      }
    }
    return list
  }

  fileprivate mutating func handleRanges() throws(WireError) -> [ATT.HandleRange] {
    try require(1)
    var list: [ATT.HandleRange] = []
    while !isAtEnd { list.append(try handleRange()) }
    return list
  }

  /// The length octet of a list, at least `minimum`; the list after it has at least one entry.
  private mutating func entryLength(atLeast minimum: Int) throws(WireError) -> Int {
    let lengthOffset = offset
    let length = Int(try u8())
    guard length >= minimum else { throw WireError(.valueOutOfRange, at: lengthOffset) }
    try require(length)
    return length
  }

  fileprivate mutating func handleValues() throws(WireError) -> [ATT.HandleValue] {
    let length = try entryLength(atLeast: 2)
    var list: [ATT.HandleValue] = []
    while !isAtEnd { list.append(ATT.HandleValue(handle: try u16(), value: try take(length - 2))) }
    return list
  }

  fileprivate mutating func groups() throws(WireError) -> [ATT.Group] {
    let length = try entryLength(atLeast: 4)
    var list: [ATT.Group] = []
    while !isAtEnd { list.append(ATT.Group(handle: try u16(), end: try u16(), value: try take(length - 4))) }
    return list
  }

  fileprivate mutating func variableValues() throws(WireError) -> [ATT.VariableValue] {
    try require(1)
    var list: [ATT.VariableValue] = []
    while !isAtEnd {
      let length = try u16()
      list.append(ATT.VariableValue(length: length, value: try take(min(Int(length), remaining))))
    }
    return list
  }
}
