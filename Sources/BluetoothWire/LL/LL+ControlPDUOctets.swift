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
    self = try Self.read(Self.forms[opcode] ?? .other(opcode: opcode, data: []), &reader)
  }

  /// Opcode and `CtrData`. Data of `other` beyond 250 octets is cut, because a PDU cannot carry it.
  public var octets: [UInt8] {
    var octets: [UInt8] = []
    octets.reserveCapacity(36)
    appendForm(to: &octets)
    return octets
  }

  public var opcode: UInt8 { declaredCode }

  fileprivate static let forms = blanksByCode()
}

extension LL.ControlOpcode {
  /// The octet count of `CtrData` that an opcode has, nil for opcodes that `LL.ControlPDU` does not model.
  public static func dataLength(_ opcode: UInt8) -> Int? { lengths[opcode] }

  private static let lengths = LL.ControlPDU.forms.mapValues { $0.octets.count - 1 }
}

extension LL.ControlPDU: FormedPDU {
  typealias Code = UInt8

  static let blanks: [Self] = [
    .connectionUpdateInd(windowSize: 0, windowOffset: 0, interval: 0, latency: 0, timeout: 0, instant: 0),
    .channelMapInd(channelMap: 0, instant: 0), .terminateInd(errorCode: .success),
    .encReq(random: 0, diversifier: 0, sessionKeyDiversifier: 0, initialisationVector: 0),
    .encRsp(sessionKeyDiversifier: 0, initialisationVector: 0), .startEncReq, .startEncRsp, .unknownRsp(opcode: 0),
    .featureReq(0), .featureRsp(0), .peripheralFeatureReq(0), .pauseEncReq, .pauseEncRsp,
    .versionInd(version: 0, company: 0, subversion: 0), .rejectInd(.success), .connectionParamReq(.blank),
    .connectionParamRsp(.blank), .rejectExtInd(rejectOpcode: 0, errorCode: .success), .pingReq, .pingRsp,
    .lengthReq(.blank), .lengthRsp(.blank), .phyReq(txPHYs: 0, rxPHYs: 0), .phyRsp(txPHYs: 0, rxPHYs: 0),
    .phyUpdateInd(centralToPeripheral: 0, peripheralToCentral: 0, instant: 0),
    .minUsedChannelsInd(phys: 0, minUsedChannels: 0), .periodicSyncInd(.blank), .subrateReq(.blank),
    .subrateInd(factor: 0, baseEvent: 0, latency: 0, continuationNumber: 0, timeout: 0), .clockAccuracyReq(0),
    .clockAccuracyRsp(0), .cisReq(.blank), .cisRsp(offsetMinimum: 0, offsetMaximum: 0, event: 0), .cisInd(.blank),
    .cisTerminateInd(group: 0, stream: 0, errorCode: .success), .powerControlReq(phy: 0, delta: 0, txPower: 0),
    .powerControlRsp(flags: 0, delta: 0, txPower: 0, acceptableReduction: 0),
    .powerChangeInd(phy: 0, flags: 0, delta: 0, txPower: 0),
    .channelReportingInd(isEnabled: 0, minimumSpacing: 0, maximumDelay: 0), .channelStatusInd(.blank),
    .periodicSyncWRInd(.blank, .blank),
  ]

  func declare(_ form: inout PDUForm<Self>) {
    typealias Opcode = LL.ControlOpcode
    switch self {
    case .connectionUpdateInd(let size, let offset, let interval, let latency, let timeout, let instant):
      form(Opcode.connectionUpdateInd, Self.connectionUpdateInd, size, offset, interval, latency, timeout, instant)
    case .channelMapInd(let map, let instant):
      form(Opcode.channelMapInd, { .channelMapInd(channelMap: $0.value, instant: $1) }, Wide<5>(map), instant)
    case .terminateInd(let reason): form(Opcode.terminateInd, Self.terminateInd, reason)
    case .encReq(let random, let diversifier, let skd, let iv):
      form(Opcode.encReq, Self.encReq, random, diversifier, skd, iv)
    case .encRsp(let skd, let iv): form(Opcode.encRsp, Self.encRsp, skd, iv)
    case .startEncReq: form(Opcode.startEncReq)
    case .startEncRsp: form(Opcode.startEncRsp)
    case .unknownRsp(let opcode): form(Opcode.unknownRsp, Self.unknownRsp, opcode)
    case .featureReq(let set): form(Opcode.featureReq, Self.featureReq, set)
    case .featureRsp(let set): form(Opcode.featureRsp, Self.featureRsp, set)
    case .peripheralFeatureReq(let set): form(Opcode.peripheralFeatureReq, Self.peripheralFeatureReq, set)
    case .pauseEncReq: form(Opcode.pauseEncReq)
    case .pauseEncRsp: form(Opcode.pauseEncRsp)
    case .versionInd(let version, let company, let subversion):
      form(Opcode.versionInd, Self.versionInd, version, company, subversion)
    case .rejectInd(let reason): form(Opcode.rejectInd, Self.rejectInd, reason)
    case .connectionParamReq(let wish): form(Opcode.connectionParamReq, Self.connectionParamReq, wish)
    case .connectionParamRsp(let wish): form(Opcode.connectionParamRsp, Self.connectionParamRsp, wish)
    case .rejectExtInd(let opcode, let reason): form(Opcode.rejectExtInd, Self.rejectExtInd, opcode, reason)
    case .pingReq: form(Opcode.pingReq)
    case .pingRsp: form(Opcode.pingRsp)
    case .lengthReq(let length): form(Opcode.lengthReq, Self.lengthReq, length)
    case .lengthRsp(let length): form(Opcode.lengthRsp, Self.lengthRsp, length)
    case .phyReq(let tx, let rx): form(Opcode.phyReq, Self.phyReq, tx, rx)
    case .phyRsp(let tx, let rx): form(Opcode.phyRsp, Self.phyRsp, tx, rx)
    case .phyUpdateInd(let down, let up, let instant): form(Opcode.phyUpdateInd, Self.phyUpdateInd, down, up, instant)
    case .minUsedChannelsInd(let phys, let count):
      form(Opcode.minUsedChannelsInd, Self.minUsedChannelsInd, phys, count)
    case .periodicSyncInd(let transfer): form(Opcode.periodicSyncInd, Self.periodicSyncInd, transfer)
    case .subrateReq(let wish): form(Opcode.subrateReq, Self.subrateReq, wish)
    case .subrateInd(let factor, let base, let latency, let continuation, let timeout):
      form(Opcode.subrateInd, Self.subrateInd, factor, base, latency, continuation, timeout)
    case .clockAccuracyReq(let accuracy): form(Opcode.clockAccuracyReq, Self.clockAccuracyReq, accuracy)
    case .clockAccuracyRsp(let accuracy): form(Opcode.clockAccuracyRsp, Self.clockAccuracyRsp, accuracy)
    case .cisReq(let request): form(Opcode.cisReq, Self.cisReq, request)
    case .cisRsp(let least, let most, let event):
      form(
        Opcode.cisRsp,
        { .cisRsp(offsetMinimum: UInt32($0.value), offsetMaximum: UInt32($1.value), event: $2) },
        Wide<3>(UInt64(least)), Wide<3>(UInt64(most)), event)
    case .cisInd(let indication): form(Opcode.cisInd, Self.cisInd, indication)
    case .cisTerminateInd(let group, let stream, let reason):
      form(Opcode.cisTerminateInd, Self.cisTerminateInd, group, stream, reason)
    case .powerControlReq(let phy, let delta, let power):
      form(Opcode.powerControlReq, Self.powerControlReq, phy, delta, power)
    case .powerControlRsp(let flags, let delta, let power, let reduction):
      form(Opcode.powerControlRsp, Self.powerControlRsp, flags, delta, power, reduction)
    case .powerChangeInd(let phy, let flags, let delta, let power):
      form(Opcode.powerChangeInd, Self.powerChangeInd, phy, flags, delta, power)
    case .channelReportingInd(let isEnabled, let spacing, let delay):
      form(Opcode.channelReportingInd, Self.channelReportingInd, isEnabled, spacing, delay)
    case .channelStatusInd(let status): form(Opcode.channelStatusInd, Self.channelStatusInd, status)
    case .periodicSyncWRInd(let transfer, let timing):
      form(Opcode.periodicSyncWRInd, Self.periodicSyncWRInd, transfer, timing)
    case .other(let opcode, let data): form(opcode, { .other(opcode: opcode, data: $0.value) }, AtMost<250>(data))
    }
  }
}

extension LL.ConnectionParam: WireRecord {
  static let blank = Self(intervalMin: 0, intervalMax: 0, latency: 0, timeout: 0)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&intervalMin, &intervalMax, &latency, &timeout)
    try pass.fields(&preferredPeriodicity, &referenceConnEventCount)
    try pass.fields(&offset0, &offset1, &offset2)
    try pass.fields(&offset3, &offset4, &offset5)
  }
}

extension LL.DataLength: WireRecord {
  static let blank = Self(maxRxOctets: 0, maxRxTime: 0, maxTxOctets: 0, maxTxTime: 0)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&maxRxOctets, &maxRxTime, &maxTxOctets, &maxTxTime)
  }
}
