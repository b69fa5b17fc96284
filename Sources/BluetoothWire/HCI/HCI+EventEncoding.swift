extension HCI.Event {
  /// The H4 packet: `04 | Code: 1 | Length: 1 | Parameters`.
  ///
  /// `Num_HCI_Command_Packets` is always 1. What an event cannot count is cut: return parameters beyond 251 octets,
  /// parameters of `other` beyond 255, completed packets beyond 63 handles, advertising data beyond 31 octets.
  public var h4Octets: [UInt8] {
    var octets: [UInt8] = []
    octets.reserveCapacity(48)
    octets += [HCI.PacketIndicator.event, code, 0]
    if case .other = self {} else if let subevent { octets.append(subevent) }
    appendParameters(to: &octets)
    octets[2] = UInt8(octets.count - 3)
    return octets
  }

  /// The event code; 0x3E for every LE event.
  public var code: UInt8 {
    switch self {
    case .commandComplete: HCI.EventCode.commandComplete
    case .commandStatus: HCI.EventCode.commandStatus
    case .disconnectionComplete: HCI.EventCode.disconnectionComplete
    case .numberOfCompletedPackets: HCI.EventCode.numberOfCompletedPackets
    case .hardwareError: HCI.EventCode.hardwareError
    case .readRemoteVersionInformationComplete: HCI.EventCode.readRemoteVersionInformationComplete
    case .leConnectionComplete, .leAdvertisingReport, .leConnectionUpdateComplete, .leReadRemoteFeaturesComplete,
      .leRemoteConnectionParameterRequest, .leDataLengthChange, .lePHYUpdateComplete, .leChannelSelectionAlgorithm:
      HCI.EventCode.leMeta
    case .encryption(let event): event.code
    case .extended(let event): event.code
    case .other(let code, _): code
    }
  }

  /// The LE subevent code; nil for an event that is not of LE.
  public var subevent: UInt8? {
    switch self {
    case .leConnectionComplete: HCI.EventCode.leConnectionComplete
    case .leAdvertisingReport: HCI.EventCode.leAdvertisingReport
    case .leConnectionUpdateComplete: HCI.EventCode.leConnectionUpdateComplete
    case .leReadRemoteFeaturesComplete: HCI.EventCode.leReadRemoteFeaturesComplete
    case .leRemoteConnectionParameterRequest: HCI.EventCode.leRemoteConnectionParameterRequest
    case .leDataLengthChange: HCI.EventCode.leDataLengthChange
    case .lePHYUpdateComplete: HCI.EventCode.lePHYUpdateComplete
    case .leChannelSelectionAlgorithm: HCI.EventCode.leChannelSelectionAlgorithm
    case .other(HCI.EventCode.leMeta, let parameters): parameters.first
    default: group?.subevent
    }
  }

  private func appendParameters(to octets: inout [UInt8]) {
    switch self {
    case .commandComplete(let opcode, let status, let returnParameters):
      octets.append(HCI.commandPackets)
      octets.append(littleEndian: opcode.rawValue)
      if opcode.rawValue == 0 { return }
      octets.append(status.rawValue)
      octets += returnParameters.prefix(251)
    case .commandStatus(let opcode, let status):
      octets += [status.rawValue, HCI.commandPackets]
      octets.append(littleEndian: opcode.rawValue)
    case .disconnectionComplete(let handle, let status, let reason):
      octets.append(status.rawValue)
      octets.append(littleEndian: handle)
      octets.append(reason.rawValue)
    case .numberOfCompletedPackets(let list): octets.append(completed: list)
    case .hardwareError(let code): octets.append(code)
    case .readRemoteVersionInformationComplete(let handle, let status, let version, let company, let subversion):
      octets.append(status.rawValue)
      octets.append(littleEndian: handle)
      octets.append(version)
      octets.append(littleEndian: company)
      octets.append(littleEndian: subversion)
    case .encryption, .extended: group?.appendParameters(to: &octets)
    case .other(_, let parameters): octets += parameters.prefix(255)
    default: appendLEParameters(to: &octets)
    }
  }

  private func appendLEParameters(to octets: inout [UInt8]) {
    switch self {
    case .leConnectionComplete(let complete):
      complete.appendHead(to: &octets)
      complete.appendTail(to: &octets)
    case .leAdvertisingReport(let report):
      octets.append(1)
      report.append(to: &octets)
    case .leConnectionUpdateComplete(let handle, let status, let interval, let latency, let timeout):
      octets.append(status.rawValue)
      for field in [handle, interval, latency, timeout] { octets.append(littleEndian: field) }
    case .leReadRemoteFeaturesComplete(let handle, let status, let features):
      octets.append(status.rawValue)
      octets.append(littleEndian: handle)
      octets.append(littleEndian: features, count: 8)
    case .leRemoteConnectionParameterRequest(let handle, let parameters):
      octets.append(littleEndian: handle)
      parameters.append(to: &octets)
    case .leDataLengthChange(let handle, let txOctets, let txTime, let rxOctets, let rxTime):
      for field in [handle, txOctets, txTime, rxOctets, rxTime] { octets.append(littleEndian: field) }
    case .lePHYUpdateComplete(let handle, let status, let tx, let rx):
      octets.append(status.rawValue)
      octets.append(littleEndian: handle)
      octets += [tx.rawValue, rx.rawValue]
    case .leChannelSelectionAlgorithm(let handle, let algorithm):
      octets.append(littleEndian: handle)
      octets.append(algorithm)
    default: preconditionFailure("an event without an encoder: \(code)")
    }
  }
}

extension HCI.ConnectionComplete {
  /// Up to the address of the peer; in the enhanced event the private addresses follow it.
  func appendHead(to octets: inout [UInt8]) {
    octets.append(status.rawValue)
    octets.append(littleEndian: handle)
    octets.append(role.rawValue)
    octets.append(HCI.PeerAddress(peer, isIdentity: peerIsIdentity))
  }

  func appendTail(to octets: inout [UInt8]) {
    for field in [interval, peripheralLatency, supervisionTimeout] { octets.append(littleEndian: field) }
    octets.append(centralClockAccuracy)
  }
}

extension HCI.AdvertisingReport {
  func append(to octets: inout [UInt8]) {
    let data = data.prefix(LL.maximumAdvertisingData)
    octets.append(kind.rawValue)
    octets.append(HCI.PeerAddress(address, isIdentity: isIdentity))
    octets.append(UInt8(data.count))
    octets += data
    octets.append(UInt8(bitPattern: rssi))
  }
}
