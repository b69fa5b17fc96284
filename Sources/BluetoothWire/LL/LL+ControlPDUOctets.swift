extension LL.ControlPDU {
  /// Decodes the payload of a control PDU: opcode and `CtrData`, without the header.
  ///
  /// Values are taken as they come; whether they are acceptable is the receiving Link Layer's decision.
  /// Refuses: no opcode; `CtrData` of a modelled opcode that is shorter (truncated) or longer (trailing octets) than
  /// 2.4.2 gives it; more than 251 octets (too long).
  public init(decoding payload: [UInt8]) throws(WireError) {
    if payload.count > LL.maximumDataOctets { throw WireError(.tooLong, at: LL.maximumDataOctets) }
    var reader = OctetReader(payload)
    let opcode = try reader.u8()
    guard let length = LL.ControlOpcode.dataLength(opcode) else {
      self = .other(opcode: opcode, data: reader.rest())
      return
    }
    try reader.require(length)
    self = try Self.decode(opcode, &reader)
    try reader.finish()
  }

  private static func decode(_ opcode: UInt8, _ reader: inout OctetReader) throws(WireError) -> LL.ControlPDU {
    switch opcode {
    case LL.ControlOpcode.connectionUpdateInd:
      .connectionUpdateInd(
        windowSize: try reader.u8(), windowOffset: try reader.u16(), interval: try reader.u16(),
        latency: try reader.u16(), timeout: try reader.u16(), instant: try reader.u16())
    case LL.ControlOpcode.channelMapInd:
      .channelMapInd(channelMap: try reader.unsigned(5), instant: try reader.u16())
    case LL.ControlOpcode.terminateInd: .terminateInd(errorCode: HCI.ErrorCode(try reader.u8()))
    case LL.ControlOpcode.encReq:
      .encReq(
        random: try reader.u64(), diversifier: try reader.u16(), sessionKeyDiversifier: try reader.u64(),
        initialisationVector: try reader.u32())
    case LL.ControlOpcode.encRsp:
      .encRsp(sessionKeyDiversifier: try reader.u64(), initialisationVector: try reader.u32())
    case LL.ControlOpcode.startEncReq: .startEncReq
    case LL.ControlOpcode.startEncRsp: .startEncRsp
    case LL.ControlOpcode.pauseEncReq: .pauseEncReq
    case LL.ControlOpcode.pauseEncRsp: .pauseEncRsp
    case LL.ControlOpcode.unknownRsp: .unknownRsp(opcode: try reader.u8())
    case LL.ControlOpcode.featureReq: .featureReq(try reader.u64())
    case LL.ControlOpcode.featureRsp: .featureRsp(try reader.u64())
    case LL.ControlOpcode.peripheralFeatureReq: .peripheralFeatureReq(try reader.u64())
    case LL.ControlOpcode.versionInd:
      .versionInd(version: try reader.u8(), company: try reader.u16(), subversion: try reader.u16())
    case LL.ControlOpcode.rejectInd: .rejectInd(HCI.ErrorCode(try reader.u8()))
    case LL.ControlOpcode.connectionParamReq: .connectionParamReq(try LL.ConnectionParam(reading: &reader))
    case LL.ControlOpcode.connectionParamRsp: .connectionParamRsp(try LL.ConnectionParam(reading: &reader))
    case LL.ControlOpcode.rejectExtInd:
      .rejectExtInd(rejectOpcode: try reader.u8(), errorCode: HCI.ErrorCode(try reader.u8()))
    case LL.ControlOpcode.pingReq: .pingReq
    case LL.ControlOpcode.pingRsp: .pingRsp
    case LL.ControlOpcode.lengthReq: .lengthReq(try LL.DataLength(reading: &reader))
    case LL.ControlOpcode.lengthRsp: .lengthRsp(try LL.DataLength(reading: &reader))
    case LL.ControlOpcode.phyReq: .phyReq(txPHYs: try reader.u8(), rxPHYs: try reader.u8())
    case LL.ControlOpcode.phyRsp: .phyRsp(txPHYs: try reader.u8(), rxPHYs: try reader.u8())
    case LL.ControlOpcode.phyUpdateInd:
      .phyUpdateInd(
        centralToPeripheral: try reader.u8(), peripheralToCentral: try reader.u8(), instant: try reader.u16())
    case LL.ControlOpcode.minUsedChannelsInd:
      .minUsedChannelsInd(phys: try reader.u8(), minUsedChannels: try reader.u8())
    default: throw WireError(.unknownOpcode, at: 0)
    }
  }

  /// Opcode and `CtrData`. Data of `other` beyond 250 octets is cut, because a PDU cannot carry it.
  public var octets: [UInt8] {
    var octets: [UInt8] = []
    octets.reserveCapacity(1 + (LL.ControlOpcode.dataLength(opcode) ?? 0))
    octets.append(opcode)
    switch self {
    case .connectionUpdateInd(let windowSize, let windowOffset, let interval, let latency, let timeout, let instant):
      octets.append(windowSize)
      for field in [windowOffset, interval, latency, timeout, instant] { octets.append(littleEndian: field) }
    case .channelMapInd(let channelMap, let instant):
      octets.append(littleEndian: channelMap, count: 5)
      octets.append(littleEndian: instant)
    case .terminateInd(let code), .rejectInd(let code): octets.append(code.rawValue)
    case .encReq(let random, let diversifier, let sessionKeyDiversifier, let vector):
      octets.append(littleEndian: random, count: 8)
      octets.append(littleEndian: diversifier)
      octets.append(littleEndian: sessionKeyDiversifier, count: 8)
      octets.append(littleEndian: vector)
    case .encRsp(let sessionKeyDiversifier, let vector):
      octets.append(littleEndian: sessionKeyDiversifier, count: 8)
      octets.append(littleEndian: vector)
    case .unknownRsp(let opcode): octets.append(opcode)
    case .featureReq(let set), .featureRsp(let set), .peripheralFeatureReq(let set):
      octets.append(littleEndian: set, count: 8)
    case .versionInd(let version, let company, let subversion):
      octets.append(version)
      octets.append(littleEndian: company)
      octets.append(littleEndian: subversion)
    case .connectionParamReq(let parameters), .connectionParamRsp(let parameters): parameters.append(to: &octets)
    case .rejectExtInd(let opcode, let code): octets += [opcode, code.rawValue]
    case .pingReq, .pingRsp, .startEncReq, .startEncRsp, .pauseEncReq, .pauseEncRsp: break
    case .lengthReq(let lengths), .lengthRsp(let lengths): lengths.append(to: &octets)
    case .phyReq(let tx, let rx), .phyRsp(let tx, let rx): octets += [tx, rx]
    case .phyUpdateInd(let toPeripheral, let toCentral, let instant):
      octets += [toPeripheral, toCentral]
      octets.append(littleEndian: instant)
    case .minUsedChannelsInd(let phys, let count): octets += [phys, count]
    case .other(_, let data): octets += data.prefix(LL.maximumDataOctets - 1)
    }
    return octets
  }
}

extension LL.ConnectionParam {
  init(reading reader: inout OctetReader) throws(WireError) {
    intervalMin = try reader.u16()
    intervalMax = try reader.u16()
    latency = try reader.u16()
    timeout = try reader.u16()
    preferredPeriodicity = try reader.u8()
    referenceConnEventCount = try reader.u16()
    offset0 = try reader.u16()
    offset1 = try reader.u16()
    offset2 = try reader.u16()
    offset3 = try reader.u16()
    offset4 = try reader.u16()
    offset5 = try reader.u16()
  }

  func append(to octets: inout [UInt8]) {
    for field in [intervalMin, intervalMax, latency, timeout] { octets.append(littleEndian: field) }
    octets.append(preferredPeriodicity)
    for field in [referenceConnEventCount, offset0, offset1, offset2, offset3, offset4, offset5] {
      octets.append(littleEndian: field)
    }
  }
}

extension LL.DataLength {
  init(reading reader: inout OctetReader) throws(WireError) {
    maxRxOctets = try reader.u16()
    maxRxTime = try reader.u16()
    maxTxOctets = try reader.u16()
    maxTxTime = try reader.u16()
  }

  func append(to octets: inout [UInt8]) {
    for field in [maxRxOctets, maxRxTime, maxTxOctets, maxTxTime] { octets.append(littleEndian: field) }
  }
}
