extension ATT.PDU {
  /// Reads the PDU that fills `octets` from `start` on; offsets of a refusal count from the start of `octets`.
  ///
  /// Refuses: no octet at all, truncated fields, octets after the last field, a list without an entry or with a part
  /// of one, an information format other than 1 and 2. Allocates no more than a small multiple of the octets given.
  /// - Throws: `WireError`.
  public init(decoding octets: [UInt8], from start: Int = 0) throws(WireError) {
    var reader = OctetReader(octets, from: start, to: octets.count)
    let opcode: ATT.Opcode = try reader.next()
    self = try Self.read(Self.forms[opcode] ?? .other(opcode, parameters: []), &reader)
  }

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
  public func append(to octets: inout [UInt8]) { appendForm(to: &octets) }

  /// The first octet of the PDU.
  public var opcode: ATT.Opcode { declaredCode }

  private static let forms = blanksByCode()
}

extension ATT.Opcode: FormCode {}

extension ATT.PDU: FormedPDU {
  typealias Code = ATT.Opcode

  static let blanks: [Self] = [
    .errorResponse(request: .errorResponse, handle: 0, code: .invalidHandle), .exchangeMTURequest(clientRxMTU: 0),
    .exchangeMTUResponse(serverRxMTU: 0), .findInformationRequest(.blank), .findInformationResponse([]),
    .findByTypeValueRequest(.blank, type: 0, value: []), .findByTypeValueResponse([]),
    .readByTypeRequest(.blank, type: .short(0)), .readByTypeResponse([]), .readRequest(0), .readResponse([]),
    .readBlobRequest(0, offset: 0), .readBlobResponse([]), .readMultipleRequest([]), .readMultipleResponse([]),
    .readByGroupTypeRequest(.blank, type: .short(0)), .readByGroupTypeResponse([]), .readMultipleVariableRequest([]),
    .readMultipleVariableResponse([]), .writeRequest(0, value: []), .writeResponse, .writeCommand(0, value: []),
    .signedWriteCommand(0, valueAndSignature: []), .prepareWriteRequest(0, offset: 0, value: []),
    .prepareWriteResponse(0, offset: 0, value: []), .executeWriteRequest(flags: 0), .executeWriteResponse,
    .handleValueNotification(0, value: []), .handleValueIndication(0, value: []), .handleValueConfirmation,
    .multipleHandleValueNotification([]),
  ]

  func declare(_ form: inout PDUForm<Self>) {
    switch self {
    case .errorResponse(let request, let handle, let code):
      form(.errorResponse, Self.errorResponse, request, handle, code)
    case .exchangeMTURequest(let mtu): form(.exchangeMTURequest, Self.exchangeMTURequest, mtu)
    case .exchangeMTUResponse(let mtu): form(.exchangeMTUResponse, Self.exchangeMTUResponse, mtu)
    case .findInformationRequest(let range): form(.findInformationRequest, Self.findInformationRequest, range)
    case .findInformationResponse(let list):
      form(.findInformationResponse, { .findInformationResponse($0.value) }, InformationList(value: list))
    case .findByTypeValueRequest(let range, let type, let value):
      form(.findByTypeValueRequest, Self.findByTypeValueRequest, range, type, value)
    case .findByTypeValueResponse(let list):
      form(.findByTypeValueResponse, { .findByTypeValueResponse($0.value) }, Entries<ATT.HandleRange, 1>(list))
    case .readByTypeRequest(let range, let type): form(.readByTypeRequest, Self.readByTypeRequest, range, type)
    case .readByTypeResponse(let list):
      form(.readByTypeResponse, { .readByTypeResponse($0.value) }, EqualEntries(value: list))
    case .readRequest(let handle): form(.readRequest, Self.readRequest, handle)
    case .readResponse(let value): form(.readResponse, Self.readResponse, value)
    case .readBlobRequest(let handle, let offset): form(.readBlobRequest, Self.readBlobRequest, handle, offset)
    case .readBlobResponse(let value): form(.readBlobResponse, Self.readBlobResponse, value)
    // Part F, 3.4.4.7: "two or more".
    case .readMultipleRequest(let list):
      form(.readMultipleRequest, { .readMultipleRequest($0.value) }, Entries<ATT.Handle, 4>(list))
    case .readMultipleResponse(let value): form(.readMultipleResponse, Self.readMultipleResponse, value)
    case .readByGroupTypeRequest(let range, let type):
      form(.readByGroupTypeRequest, Self.readByGroupTypeRequest, range, type)
    case .readByGroupTypeResponse(let list):
      form(.readByGroupTypeResponse, { .readByGroupTypeResponse($0.value) }, EqualEntries(value: list))
    case .readMultipleVariableRequest(let list):
      form(.readMultipleVariableRequest, { .readMultipleVariableRequest($0.value) }, Entries<ATT.Handle, 4>(list))
    case .readMultipleVariableResponse(let list):
      form(
        .readMultipleVariableResponse, { .readMultipleVariableResponse($0.value) },
        Entries<ATT.VariableValue, 1>(list))
    case .other(let opcode, let parameters): form(opcode, { .other(opcode, parameters: $0) }, parameters)
    default: declareWrite(&form)
    }
  }

  /// Writes, notifications and indications.
  private func declareWrite(_ form: inout PDUForm<Self>) {
    switch self {
    case .writeRequest(let handle, let value): form(.writeRequest, Self.writeRequest, handle, value)
    case .writeResponse: form(.writeResponse)
    case .writeCommand(let handle, let value): form(.writeCommand, Self.writeCommand, handle, value)
    case .signedWriteCommand(let handle, let value):
      form(
        .signedWriteCommand, { .signedWriteCommand($0, valueAndSignature: $1.value) }, handle, AtLeast<12>(value))
    case .prepareWriteRequest(let handle, let offset, let value):
      form(.prepareWriteRequest, Self.prepareWriteRequest, handle, offset, value)
    case .prepareWriteResponse(let handle, let offset, let value):
      form(.prepareWriteResponse, Self.prepareWriteResponse, handle, offset, value)
    case .executeWriteRequest(let flags): form(.executeWriteRequest, Self.executeWriteRequest, flags)
    case .executeWriteResponse: form(.executeWriteResponse)
    case .handleValueNotification(let handle, let value):
      form(.handleValueNotification, Self.handleValueNotification, handle, value)
    case .handleValueIndication(let handle, let value):
      form(.handleValueIndication, Self.handleValueIndication, handle, value)
    case .handleValueConfirmation: form(.handleValueConfirmation)
    case .multipleHandleValueNotification(let value):
      form(.multipleHandleValueNotification, Self.multipleHandleValueNotification, value)
    default: preconditionFailure("a PDU without a form: \(self)")
    }
  }
}

// MARK: Fields

extension ATT.HandleRange: WireRecord {
  static let blank = Self(start: 0, end: 0)
  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) { try pass.fields(&start, &end) }
}

extension BluetoothUUID: WireValue {
  init(reading reader: inout OctetReader) throws(WireError) {
    let low = try reader.u64()
    self.init(high: try reader.u64(), low: low)
  }

  func append(to octets: inout [UInt8]) {
    low.append(to: &octets)
    high.append(to: &octets)
  }
}

/// Two or sixteen octets, whatever is left.
extension ATT.AttributeType: WireValue {
  init(reading reader: inout OctetReader) throws(WireError) {
    switch reader.remaining {
    case 2: self = .short(try reader.u16())
    case 16: self = .long(try reader.next())
    case 0, 1, 3..<16: throw WireError(.truncated, at: reader.end)
    default: throw WireError(.trailingOctets, at: reader.offset + 16)
    }
  }

  func append(to octets: inout [UInt8]) {
    switch self {
    case .short(let value): value.append(to: &octets)
    case .long(let uuid): uuid.append(to: &octets)
    }
  }
}

/// Format, and handles with types of one width.
private struct InformationList: WireValue {
  var value: [ATT.Information]
  init(value: [ATT.Information]) { self.value = value }

  init(reading reader: inout OctetReader) throws(WireError) {
    let position = reader.offset
    let format = try reader.u8()
    guard format == 1 || format == 2 else { throw WireError(.valueOutOfRange, at: position) }
    try reader.require(1)
    value = []
    while !reader.isAtEnd {
      let handle = try reader.u16()
      value.append(
        ATT.Information(handle: handle, type: format == 1 ? .short(try reader.u16()) : .long(try reader.next())))
    }
  }

  func append(to octets: inout [UInt8]) {
    var isShort = true
    if case .long? = value.first?.type { isShort = false }
    octets.append(isShort ? 1 : 2)
    for entry in value {
      entry.handle.append(to: &octets)
      let type: ATT.AttributeType = isShort ? .short(entry.type.uuid.short ?? 0) : .long(entry.type.uuid)
      type.append(to: &octets)
    }
  }
}

/// What is in front of the value of an entry.
private protocol ValuedEntry {
  associatedtype Front: WireValue
  static var frontLength: Int { get }
  var front: Front { get }
  var value: [UInt8] { get }
  init(_ front: Front, _ value: [UInt8])
}

extension ATT.HandleValue: ValuedEntry {
  fileprivate static var frontLength: Int { 2 }
  fileprivate var front: ATT.Handle { handle }
  fileprivate init(_ front: ATT.Handle, _ value: [UInt8]) { self.init(handle: front, value: value) }
}

extension ATT.Group: ValuedEntry {
  fileprivate static var frontLength: Int { 4 }
  fileprivate var front: ATT.HandleRange { ATT.HandleRange(start: handle, end: end) }
  fileprivate init(_ front: ATT.HandleRange, _ value: [UInt8]) {
    self.init(handle: front.start, end: front.end, value: value)
  }
}

/// The length of an entry, and at least one entry of it.
private struct EqualEntries<Entry: ValuedEntry>: WireValue {
  var value: [Entry]
  init(value: [Entry]) { self.value = value }

  init(reading reader: inout OctetReader) throws(WireError) {
    let position = reader.offset
    let length = Int(try reader.u8())
    guard length >= Entry.frontLength else { throw WireError(.valueOutOfRange, at: position) }
    try reader.require(length)
    value = []
    while !reader.isAtEnd { value.append(Entry(try reader.next(), try reader.take(length - Entry.frontLength))) }
  }

  func append(to octets: inout [UInt8]) {
    let length = min(value.first?.value.count ?? 0, 255 - Entry.frontLength)
    octets.append(UInt8(length + Entry.frontLength))
    for entry in value {
      entry.front.append(to: &octets)
      octets.append(entry.value, paddedTo: length)
    }
  }
}

/// Only the last value may be shorter than its length says.
extension ATT.VariableValue: WireValue {
  init(reading reader: inout OctetReader) throws(WireError) {
    length = try reader.u16()
    value = try reader.take(min(Int(length), reader.remaining))
  }

  func append(to octets: inout [UInt8]) {
    length.append(to: &octets)
    octets.append(contentsOf: value)
  }
}
