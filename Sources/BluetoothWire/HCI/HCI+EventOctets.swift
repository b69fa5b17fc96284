extension HCI {
  /// Event codes and LE subevent codes of the modelled events (Core v5.4, Vol 4, Part E, 7.7).
  enum EventCode {
    static let disconnectionComplete: UInt8 = 0x05
    static let readRemoteVersionInformationComplete: UInt8 = 0x0C
    static let commandComplete: UInt8 = 0x0E
    static let commandStatus: UInt8 = 0x0F
    static let hardwareError: UInt8 = 0x10
    static let numberOfCompletedPackets: UInt8 = 0x13
    static let leMeta: UInt8 = 0x3E

    static let leConnectionComplete: UInt8 = 0x01
    static let leAdvertisingReport: UInt8 = 0x02
    static let leConnectionUpdateComplete: UInt8 = 0x03
    static let leReadRemoteFeaturesComplete: UInt8 = 0x04
    static let leRemoteConnectionParameterRequest: UInt8 = 0x06
    static let leDataLengthChange: UInt8 = 0x07
    static let lePHYUpdateComplete: UInt8 = 0x0C
    static let leChannelSelectionAlgorithm: UInt8 = 0x14
  }

  /// `Num_HCI_Command_Packets` of the answers that this bench encodes: one command at a time.
  static let commandPackets: UInt8 = 1
}

extension HCI.Event {
  /// Decodes an H4 packet.
  ///
  /// Spec: Core v5.4, Vol 4, Part E, 5.4.4 and 7.7. Layout: `04 | Code: 1 | Length: 1 | Parameters`.
  /// An event that the typed events cannot hold (several advertising reports in one, reserved address types, LE
  /// Coded) comes as `other`. Refuses: another indicator, truncated, trailing octets, a closed field out of range.
  /// Not modelled: `Num_HCI_Command_Packets`.
  public init(decoding octets: [UInt8]) throws(WireError) {
    var reader = OctetReader(octets)
    try reader.indicator(HCI.PacketIndicator.event)
    let code = try reader.u8()
    try reader.lengthOfRest(octets: 1)
    let parameters = reader
    if let event = try Self.modelled(code, &reader) {
      self = event
      try reader.finish()
    } else {
      var parameters = parameters
      self = .other(code: code, parameters: parameters.rest())
    }
  }

  private static func modelled(_ code: UInt8, _ reader: inout OctetReader) throws(WireError) -> HCI.Event? {
    switch code {
    case HCI.EventCode.disconnectionComplete:
      let status = try reader.errorCode()
      return .disconnectionComplete(try reader.u16(), status: status, reason: try reader.errorCode())
    case HCI.EventCode.readRemoteVersionInformationComplete:
      let status = try reader.errorCode()
      return .readRemoteVersionInformationComplete(
        try reader.u16(), status: status, version: try reader.u8(), company: try reader.u16(),
        subversion: try reader.u16())
    case HCI.EventCode.commandComplete: return try commandComplete(&reader)
    case HCI.EventCode.commandStatus:
      let status = try reader.errorCode()
      _ = try reader.u8()
      return .commandStatus(HCI.Opcode(rawValue: try reader.u16()), status: status)
    case HCI.EventCode.hardwareError: return .hardwareError(try reader.u8())
    case HCI.EventCode.numberOfCompletedPackets: return .numberOfCompletedPackets(try reader.completedPackets())
    case HCI.EventCode.leMeta: return try leMeta(&reader)
    default: return try grouped(code: code, subevent: nil, &reader)
    }
  }

  private static func commandComplete(_ reader: inout OctetReader) throws(WireError) -> HCI.Event {
    _ = try reader.u8()
    let opcode = HCI.Opcode(rawValue: try reader.u16())
    // Opcode 0 only returns command credits, without a status (7.7.14).
    if opcode.rawValue == 0 {
      return .commandComplete(opcode, status: .success, returnParameters: [])
    }
    return .commandComplete(opcode, status: try reader.errorCode(), returnParameters: reader.rest())
  }

  private static func leMeta(_ reader: inout OctetReader) throws(WireError) -> HCI.Event? {
    let subevent = try reader.u8()
    switch subevent {
    case HCI.EventCode.leConnectionComplete: return try connectionComplete(&reader)
    case HCI.EventCode.leAdvertisingReport: return try advertisingReport(&reader)
    case HCI.EventCode.leConnectionUpdateComplete:
      let status = try reader.errorCode()
      return .leConnectionUpdateComplete(
        try reader.u16(), status: status, interval: try reader.u16(), peripheralLatency: try reader.u16(),
        supervisionTimeout: try reader.u16())
    case HCI.EventCode.leReadRemoteFeaturesComplete:
      let status = try reader.errorCode()
      return .leReadRemoteFeaturesComplete(try reader.u16(), status: status, features: try reader.u64())
    case HCI.EventCode.leRemoteConnectionParameterRequest:
      return .leRemoteConnectionParameterRequest(
        try reader.u16(), try HCI.ConnectionParameters(reading: &reader))
    case HCI.EventCode.leDataLengthChange:
      return .leDataLengthChange(
        try reader.u16(), maxTxOctets: try reader.u16(), maxTxTime: try reader.u16(), maxRxOctets: try reader.u16(),
        maxRxTime: try reader.u16())
    case HCI.EventCode.lePHYUpdateComplete:
      let status = try reader.errorCode()
      let handle = try reader.u16()
      guard let tx = HCI.PHY(rawValue: try reader.u8()), let rx = HCI.PHY(rawValue: try reader.u8()) else {
        return nil
      }
      return .lePHYUpdateComplete(handle, status: status, tx: tx, rx: rx)
    case HCI.EventCode.leChannelSelectionAlgorithm:
      return .leChannelSelectionAlgorithm(try reader.u16(), algorithm: try reader.u8())
    default: return try grouped(code: HCI.EventCode.leMeta, subevent: subevent, &reader)
    }
  }

  private static func connectionComplete(_ reader: inout OctetReader) throws(WireError) -> HCI.Event? {
    guard var complete = try HCI.ConnectionComplete(readingHead: &reader) else { return nil }
    try complete.readTail(&reader)
    return .leConnectionComplete(complete)
  }

  private static func advertisingReport(_ reader: inout OctetReader) throws(WireError) -> HCI.Event? {
    guard try reader.u8() == 1 else { return nil }
    return try HCI.AdvertisingReport(reading: &reader).map { .leAdvertisingReport($0) }
  }
}

extension HCI.ConnectionComplete {
  /// Up to the address of the peer; nil for an address type that is not a device's.
  init?(readingHead reader: inout OctetReader) throws(WireError) {
    let status = try reader.errorCode()
    let handle = try reader.u16()
    let role: HCI.Role = try reader.closed()
    let peer = try reader.peerAddress()
    guard peer.kind.rawValue <= 3, let device = peer.device else { return nil }
    self.init(
      status: status, handle: handle, role: role, peer: device, interval: 0, peripheralLatency: 0,
      supervisionTimeout: 0, centralClockAccuracy: 0)
    peerIsIdentity = peer.isIdentity
  }

  mutating func readTail(_ reader: inout OctetReader) throws(WireError) {
    interval = try reader.u16()
    peripheralLatency = try reader.u16()
    supervisionTimeout = try reader.u16()
    centralClockAccuracy = try reader.u8()
  }
}

extension HCI.AdvertisingReport {
  /// Nil for an address type that is not a device's.
  init?(reading reader: inout OctetReader) throws(WireError) {
    let kind: Kind = try reader.closed()
    let peer = try reader.peerAddress()
    let position = reader.offset
    let count = Int(try reader.u8())
    if count > LL.maximumAdvertisingData { throw WireError(.valueOutOfRange, at: position) }
    let data = try reader.take(count)
    let rssi = Int8(bitPattern: try reader.u8())
    guard peer.kind.rawValue <= 3, let device = peer.device else { return nil }
    self.init(kind: kind, address: device, data: data, rssi: rssi)
    isIdentity = peer.isIdentity
  }
}
