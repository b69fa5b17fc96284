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
    let identifierOffset = reader.offset
    let identifier = try reader.u8()
    let length = Int(try reader.u16())
    try reader.require(length)
    if length < reader.remaining { throw WireError(.trailingOctets, at: reader.offset + length) }
    if identifier == 0 { throw WireError(.valueOutOfRange, at: identifierOffset) }
    switch code {
    case 0x01:
      let reason = L2CAP.RejectReason(rawValue: try reader.u16())
      self = .commandReject(identifier: identifier, reason: reason, data: reader.rest())
    case 0x06:
      self = .disconnectionRequest(
        identifier: identifier, destination: try reader.channelID(), source: try reader.channelID())
    case 0x07:
      self = .disconnectionResponse(
        identifier: identifier, destination: try reader.channelID(), source: try reader.channelID())
    case 0x12:
      self = .connectionParameterUpdateRequest(
        identifier: identifier,
        HCI.ConnectionParameters(
          intervalMinimum: try reader.u16(), intervalMaximum: try reader.u16(), peripheralLatency: try reader.u16(),
          supervisionTimeout: try reader.u16()))
    case 0x13: self = .connectionParameterUpdateResponse(identifier: identifier, result: try reader.u16())
    case 0x14:
      self = .creditBasedConnectionRequest(identifier: identifier, try L2CAP.CreditBasedRequest(from: &reader))
    case 0x15:
      self = .creditBasedConnectionResponse(identifier: identifier, try L2CAP.CreditBasedResponse(from: &reader))
    case 0x16:
      self = .flowControlCredit(identifier: identifier, channel: try reader.channelID(), credits: try reader.u16())
    default: self = .other(code: code, identifier: identifier, data: reader.rest())
    }
    try reader.finish()
  }

  public var identifier: UInt8 {
    switch self {
    case .commandReject(let identifier, _, _), .connectionParameterUpdateRequest(let identifier, _),
      .connectionParameterUpdateResponse(let identifier, _), .disconnectionRequest(let identifier, _, _),
      .disconnectionResponse(let identifier, _, _), .creditBasedConnectionRequest(let identifier, _),
      .creditBasedConnectionResponse(let identifier, _), .flowControlCredit(let identifier, _, _),
      .other(_, let identifier, _):
      identifier
    }
  }

  public var octets: [UInt8] {
    var data: [UInt8] = []
    let code: UInt8
    switch self {
    case .commandReject(_, let reason, let more):
      code = 0x01
      data.append(littleEndian: reason.rawValue)
      data.append(contentsOf: more)
    case .connectionParameterUpdateRequest(_, let parameters):
      code = 0x12
      data.append(littleEndian: parameters.intervalMinimum)
      data.append(littleEndian: parameters.intervalMaximum)
      data.append(littleEndian: parameters.peripheralLatency)
      data.append(littleEndian: parameters.supervisionTimeout)
    case .connectionParameterUpdateResponse(_, let result):
      code = 0x13
      data.append(littleEndian: result)
    case .disconnectionRequest(_, let destination, let source):
      code = 0x06
      data.append(littleEndian: destination.rawValue)
      data.append(littleEndian: source.rawValue)
    case .disconnectionResponse(_, let destination, let source):
      code = 0x07
      data.append(littleEndian: destination.rawValue)
      data.append(littleEndian: source.rawValue)
    case .creditBasedConnectionRequest(_, let request):
      code = 0x14
      data = request.octets
    case .creditBasedConnectionResponse(_, let response):
      code = 0x15
      data = response.octets
    case .flowControlCredit(_, let channel, let credits):
      code = 0x16
      data.append(littleEndian: channel.rawValue)
      data.append(littleEndian: credits)
    case .other(let other, _, let more):
      code = other
      data = more
    }
    let length = UInt16(truncatingIfNeeded: data.count)
    return [code, identifier, UInt8(truncatingIfNeeded: length), UInt8(truncatingIfNeeded: length >> 8)] + data
  }
}
