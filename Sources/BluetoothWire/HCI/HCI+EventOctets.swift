extension HCI {
  /// What tells events from each other (Core v5.4, Vol 4, Part E, 7.7): the event code, and for LE events the subevent
  /// code. As a number of four digits, `0x3E01`: the subevent code comes last.
  struct EventCode: Hashable {
    static let leMeta: UInt8 = 0x3E

    var code: UInt8
    var subevent: UInt8?
  }

  /// `Num_HCI_Command_Packets` of the answers that this bench encodes: one command at a time.
  static let commandPackets: UInt8 = 1
}

extension HCI.EventCode: ExpressibleByIntegerLiteral {
  init(integerLiteral number: UInt16) {
    let isLE = number > 0xFF
    self.init(
      code: UInt8(truncatingIfNeeded: isLE ? number >> 8 : number),
      subevent: isLE ? UInt8(truncatingIfNeeded: number) : nil)
  }
}

extension HCI.EventCode: FormCode {
  /// The code, the place of the length, and the subevent code.
  func appendHead(to octets: inout [UInt8]) {
    octets += [code, 0]
    if let subevent { octets.append(subevent) }
  }
}

extension HCI.Event {
  /// Decodes an H4 packet.
  ///
  /// Spec: Core v5.4, Vol 4, Part E, 5.4.4 and 7.7. Layout: `04 | Code: 1 | Length: 1 | Parameters`.
  /// An event that the typed events cannot hold (several advertising reports in one, reserved address types)
  /// comes as `other`. Refuses: another indicator, truncated, trailing octets, a closed field out of range.
  /// Not modelled: `Num_HCI_Command_Packets`.
  public init(decoding octets: [UInt8]) throws(WireError) {
    var reader = OctetReader(octets)
    try reader.indicator(HCI.PacketIndicator.event)
    let code = try reader.u8()
    try reader.lengthOfRest(octets: 1)
    var parameters = reader
    let subevent = code == HCI.EventCode.leMeta ? try reader.u8() : nil
    if let blank = Self.forms[HCI.EventCode(code: code, subevent: subevent)] {
      do throws(WireError) {
        self = try Self.read(blank, &reader)
        return
      } catch {
        if !reader.isStrange { throw error }
      }
    }
    self = .other(code: code, parameters: parameters.rest())
  }

  /// The H4 packet: `04 | Code: 1 | Length: 1 | Parameters`.
  ///
  /// `Num_HCI_Command_Packets` is always 1. What an event cannot count is cut: return parameters beyond 251 octets,
  /// parameters of `other` beyond 255, completed packets beyond 63 handles, advertising data beyond 31 octets.
  public var h4Octets: [UInt8] {
    var octets: [UInt8] = []
    octets.reserveCapacity(48)
    octets.append(HCI.PacketIndicator.event)
    appendForm(to: &octets)
    octets[2] = UInt8(octets.count - 3)
    return octets
  }

  /// The event code; 0x3E for every LE event.
  public var code: UInt8 { declaredCode.code }

  /// The LE subevent code; nil for an event that is not of LE.
  public var subevent: UInt8? {
    if case .other(HCI.EventCode.leMeta, let parameters) = self { return parameters.first }
    return declaredCode.subevent
  }

  private static let forms = blanksByCode()
}

extension HCI.Event: FormedPDU {
  typealias Code = HCI.EventCode

  static let blanks: [Self] =
    [
      .commandComplete(HCI.Opcode(rawValue: 0), status: .success, returnParameters: []),
      .commandStatus(HCI.Opcode(rawValue: 0), status: .success),
      .disconnectionComplete(0, status: .success, reason: .success), .numberOfCompletedPackets([]), .hardwareError(0),
      .readRemoteVersionInformationComplete(0, status: .success, version: 0, company: 0, subversion: 0),
      .leConnectionComplete(.blank), .leAdvertisingReport(.blank),
      .leConnectionUpdateComplete(0, status: .success, interval: 0, peripheralLatency: 0, supervisionTimeout: 0),
      .leReadRemoteFeaturesComplete(0, status: .success, features: 0), .leRemoteConnectionParameterRequest(0, .blank),
      .leDataLengthChange(0, maxTxOctets: 0, maxTxTime: 0, maxRxOctets: 0, maxRxTime: 0),
      .lePHYUpdateComplete(0, status: .success, tx: .le1M, rx: .le1M), .leChannelSelectionAlgorithm(0, algorithm: 0),
      .leSubrateChange(
        0, status: .success, factor: 0, peripheralLatency: 0, continuationNumber: 0, supervisionTimeout: 0),
    ] + HCI.EncryptionEvent.blanks.map(Self.encryption) + HCI.ExtendedEvent.blanks.map(Self.extended)
    + HCI.PeriodicEvent.blanks.map(Self.periodic) + HCI.LinkEvent.blanks.map(Self.link)
    + HCI.StreamEvent.blanks.map(Self.stream)

  func declare(_ form: inout PDUForm<Self>) {
    switch self {
    case .commandComplete(let opcode, let status, let parameters):
      form(
        0x0E, { .commandComplete($0.opcode, status: $0.status, returnParameters: $0.parameters) },
        Completion(opcode: opcode, status: status, parameters: parameters))
    case .commandStatus(let opcode, let status):
      form(
        0x0F, { status, _, opcode in .commandStatus(opcode, status: status) }, status, HCI.commandPackets,
        opcode)
    case .disconnectionComplete(let handle, let status, let reason):
      form(
        0x05, { .disconnectionComplete($1, status: $0, reason: $2) }, status, handle, reason)
    case .numberOfCompletedPackets(let list):
      form(0x13, { .numberOfCompletedPackets($0.value) }, CountedList(list))
    case .hardwareError(let code): form(0x10, Self.hardwareError, code)
    case .readRemoteVersionInformationComplete(let handle, let status, let version, let company, let subversion):
      form(
        0x0C,
        { .readRemoteVersionInformationComplete($1, status: $0, version: $2, company: $3, subversion: $4) },
        status, handle, version, company, subversion)
    case .encryption(let event): form.group(event, Self.encryption)
    case .extended(let event): form.group(event, Self.extended)
    case .periodic(let event): form.group(event, Self.periodic)
    case .link(let event): form.group(event, Self.link)
    case .stream(let event): form.group(event, Self.stream)
    case .other(let code, let parameters):
      form(HCI.EventCode(code: code), { .other(code: code, parameters: $0.value) }, AtMost<255>(parameters))
    default: declareLE(&form)
    }
  }

  private func declareLE(_ form: inout PDUForm<Self>) {
    switch self {
    case .leConnectionComplete(let complete): form(0x3E01, Self.leConnectionComplete, complete)
    case .leAdvertisingReport(let report):
      form(0x3E02, { .leAdvertisingReport($0.value) }, OneReport(report))
    case .leConnectionUpdateComplete(let handle, let status, let interval, let latency, let timeout):
      form(
        0x3E03,
        {
          .leConnectionUpdateComplete(
            $1, status: $0, interval: $2, peripheralLatency: $3, supervisionTimeout: $4)
        }, status, handle, interval, latency, timeout)
    case .leReadRemoteFeaturesComplete(let handle, let status, let features):
      form(
        0x3E04, { .leReadRemoteFeaturesComplete($1, status: $0, features: $2) }, status, handle,
        features)
    case .leRemoteConnectionParameterRequest(let handle, let wish):
      form(0x3E06, Self.leRemoteConnectionParameterRequest, handle, wish)
    case .leDataLengthChange(let handle, let txOctets, let txTime, let rxOctets, let rxTime):
      form(0x3E07, Self.leDataLengthChange, handle, txOctets, txTime, rxOctets, rxTime)
    case .lePHYUpdateComplete(let handle, let status, let tx, let rx):
      form(
        0x3E0C, { .lePHYUpdateComplete($1, status: $0, tx: $2, rx: $3) }, status, handle, tx, rx)
    case .leChannelSelectionAlgorithm(let handle, let algorithm):
      form(0x3E14, Self.leChannelSelectionAlgorithm, handle, algorithm)
    case .leSubrateChange(let handle, let status, let factor, let latency, let continuation, let timeout):
      form(
        0x3E23,
        {
          .leSubrateChange(
            $1, status: $0, factor: $2, peripheralLatency: $3, continuationNumber: $4, supervisionTimeout: $5)
        }, status, handle, factor, latency, continuation, timeout)
    default: preconditionFailure("an event without a form: \(self)")
    }
  }
}

/// The parameters of `HCI_Command_Complete`. Opcode 0 only returns command credits, without a status (7.7.14).
private struct Completion: WireValue {
  var opcode: HCI.Opcode
  var status = HCI.ErrorCode.success
  var parameters: [UInt8] = []

  init(opcode: HCI.Opcode, status: HCI.ErrorCode, parameters: [UInt8]) {
    self.opcode = opcode
    self.status = status
    self.parameters = parameters
  }

  init(reading reader: inout OctetReader) throws(WireError) {
    _ = try reader.u8()
    opcode = try reader.next()
    if opcode.rawValue == 0 { return }
    status = try reader.next()
    parameters = reader.rest()
  }

  func append(to octets: inout [UInt8]) {
    octets.append(HCI.commandPackets)
    opcode.append(to: &octets)
    if opcode.rawValue == 0 { return }
    status.append(to: &octets)
    octets += parameters.prefix(251)
  }
}

extension HCI.ConnectionComplete: WireRecord {
  static let blank = Self(
    status: .success, handle: 0, role: .central, peer: .blank, interval: 0, peripheralLatency: 0,
    supervisionTimeout: 0, centralClockAccuracy: 0)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try head(&pass)
    try tail(&pass)
  }

  /// Up to the address of the peer; in the enhanced event the private addresses follow it.
  mutating func head<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&status, &handle, &role)
    try pass.device(&peer, &peerIsIdentity)
  }

  mutating func tail<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&interval, &peripheralLatency, &supervisionTimeout, &centralClockAccuracy)
  }
}

extension HCI.AdvertisingReport: WireValue {
  static let blank = Self(kind: .advInd, address: .blank, data: [], rssi: 0)

  /// An address type that is not a device's is strange, once everything else is right.
  init(reading reader: inout OctetReader) throws(WireError) {
    let kind: Kind = try reader.next()
    let peer: HCI.PeerAddress = try reader.next()
    let position = reader.offset
    let count = Int(try reader.u8())
    if count > LL.maximumAdvertisingData { throw WireError(.valueOutOfRange, at: position) }
    let data = try reader.take(count)
    let rssi: Int8 = try reader.next()
    guard peer.kind.rawValue <= 3, let device = peer.device else { throw reader.strange(at: position) }
    self.init(kind: kind, address: device, data: data, rssi: rssi)
    isIdentity = peer.isIdentity
  }

  func append(to octets: inout [UInt8]) {
    kind.append(to: &octets)
    DeviceAddress(address, isIdentity: isIdentity).append(to: &octets)
    CountedOctets<31>(data).append(to: &octets)
    rssi.append(to: &octets)
  }
}
