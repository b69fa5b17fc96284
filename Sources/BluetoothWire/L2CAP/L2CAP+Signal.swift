extension L2CAP {
  /// One command of the LE signalling channel. Layout: `code: 1 | identifier: 1 | length: 2 | data`.
  ///
  /// Spec: Core v5.4, Vol 3, Part A, 4. On LE a C-frame carries exactly one command.
  public enum Signal: Hashable, Sendable {
    /// `L2CAP_COMMAND_REJECT_RSP`, 4.1.
    case commandReject(identifier: UInt8, reason: RejectReason, data: [UInt8])
    /// `L2CAP_DISCONNECTION_REQ`, 4.6: the channel identifier of the receiver, and that of the sender.
    case disconnectionRequest(identifier: UInt8, destination: ChannelID, source: ChannelID)
    /// `L2CAP_DISCONNECTION_RSP`, 4.7: the identifiers of the request, in its order.
    case disconnectionResponse(identifier: UInt8, destination: ChannelID, source: ChannelID)
    /// `L2CAP_CONNECTION_PARAMETER_UPDATE_REQ`, 4.20.
    case connectionParameterUpdateRequest(identifier: UInt8, HCI.ConnectionParameters)
    /// `L2CAP_CONNECTION_PARAMETER_UPDATE_RSP`, 4.21: 0 accepts, 1 rejects.
    case connectionParameterUpdateResponse(identifier: UInt8, result: UInt16)
    /// `L2CAP_LE_CREDIT_BASED_CONNECTION_REQ`, 4.22.
    case creditBasedConnectionRequest(identifier: UInt8, CreditBasedRequest)
    /// `L2CAP_LE_CREDIT_BASED_CONNECTION_RSP`, 4.23.
    case creditBasedConnectionResponse(identifier: UInt8, CreditBasedResponse)
    /// `L2CAP_FLOW_CONTROL_CREDIT_IND`, 4.24: the sender's channel identifier, and how many more K-frames it takes.
    case flowControlCredit(identifier: UInt8, channel: ChannelID, credits: UInt16)
    /// A command that this bench does not model; the receiver rejects it as not understood.
    case other(code: UInt8, identifier: UInt8, data: [UInt8])
  }

  /// Why a command was rejected (Vol 3, Part A, 4.1).
  public struct RejectReason: Hashable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let commandNotUnderstood = RejectReason(rawValue: 0x0000)
    public static let signallingMTUExceeded = RejectReason(rawValue: 0x0001)
    public static let invalidChannelID = RejectReason(rawValue: 0x0002)
  }
}

extension L2CAP.Signal {
  /// Reads the command that fills `octets` from `start` on.
  ///
  /// Refuses: truncated fields, octets after the command, identifier 0x00, data of a length that the code forbids.
  /// - Throws: `WireError`.
  public init(decoding octets: [UInt8], from start: Int = 0) throws(WireError) {
    var reader = OctetReader(octets, from: start, to: octets.count)
    let code = try reader.u8()
    self = try Self.read(Self.forms[code] ?? .other(code: code, identifier: 0, data: []), &reader)
  }

  public var octets: [UInt8] {
    var octets: [UInt8] = []
    appendForm(to: &octets)
    let length = UInt16(truncatingIfNeeded: octets.count - L2CAP.signalHeaderLength)
    octets[2] = UInt8(truncatingIfNeeded: length)
    octets[3] = UInt8(truncatingIfNeeded: length >> 8)
    return octets
  }

  public var identifier: UInt8 { octets[1] }

  private static let forms = blanksByCode()
}

extension L2CAP {
  /// Code, identifier and length in front of every command.
  fileprivate static let signalHeaderLength = 4
}

extension L2CAP.Signal: FormedPDU {
  typealias Code = UInt8

  static let blanks: [Self] = [
    .commandReject(identifier: 0, reason: .commandNotUnderstood, data: []),
    .disconnectionRequest(identifier: 0, destination: .attribute, source: .attribute),
    .disconnectionResponse(identifier: 0, destination: .attribute, source: .attribute),
    .connectionParameterUpdateRequest(identifier: 0, .blank),
    .connectionParameterUpdateResponse(identifier: 0, result: 0), .creditBasedConnectionRequest(identifier: 0, .blank),
    .creditBasedConnectionResponse(identifier: 0, .blank),
    .flowControlCredit(identifier: 0, channel: .attribute, credits: 0),
  ]

  func declare(_ form: inout PDUForm<Self>) {
    switch self {
    case .commandReject(let id, let reason, let data):
      form(0x01, { .commandReject(identifier: $0.value, reason: $1, data: $2) }, Identifier(id), reason, data)
    case .disconnectionRequest(let id, let to, let from):
      form(0x06, { .disconnectionRequest(identifier: $0.value, destination: $1, source: $2) }, Identifier(id), to, from)
    case .disconnectionResponse(let id, let to, let from):
      form(
        0x07, { .disconnectionResponse(identifier: $0.value, destination: $1, source: $2) }, Identifier(id), to, from)
    case .connectionParameterUpdateRequest(let id, let wish):
      form(0x12, { .connectionParameterUpdateRequest(identifier: $0.value, $1) }, Identifier(id), wish)
    case .connectionParameterUpdateResponse(let id, let result):
      form(0x13, { .connectionParameterUpdateResponse(identifier: $0.value, result: $1) }, Identifier(id), result)
    case .creditBasedConnectionRequest(let id, let request):
      form(0x14, { .creditBasedConnectionRequest(identifier: $0.value, $1) }, Identifier(id), request)
    case .creditBasedConnectionResponse(let id, let response):
      form(0x15, { .creditBasedConnectionResponse(identifier: $0.value, $1) }, Identifier(id), response)
    case .flowControlCredit(let id, let channel, let credits):
      form(
        0x16, { .flowControlCredit(identifier: $0.value, channel: $1, credits: $2) }, Identifier(id), channel, credits)
    case .other(let code, let id, let data):
      form(code, { .other(code: code, identifier: $0.value, data: $1) }, Identifier(id), data)
    }
  }
}

/// The identifier of a command, and its length, which goes out as zero at first.
private struct Identifier: WireValue {
  var value: UInt8
  init(_ value: UInt8) { self.value = value }

  init(reading reader: inout OctetReader) throws(WireError) {
    let position = reader.offset
    value = try reader.u8()
    let length = Int(try reader.u16())
    try reader.require(length)
    if length < reader.remaining { throw WireError(.trailingOctets, at: reader.offset + length) }
    if value == 0 { throw WireError(.valueOutOfRange, at: position) }
  }

  func append(to octets: inout [UInt8]) { octets += [value, 0, 0] }
}
