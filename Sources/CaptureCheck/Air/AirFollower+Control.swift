import BluetoothWire

/// LL Control PDUs that change a link. Spec: Core v5.4, Vol 6, Part B, 5.1.
///
/// Simplified: procedures are not checked, only their results are taken; without an event counter instants are taken
/// as reached.
extension AirFollower {
  func control(_ payload: ArraySlice<UInt8>, _ link: TrafficLink, _ air: AirConnection, fromCentral: Bool) {
    if fromCentral { streams.learn(control: payload, file: link.file) }
    // What cannot be decoded is for rules.
    guard let pdu = try? LL.ControlPDU(decoding: Array(payload)) else { return }
    switch pdu {
    case .connectionUpdateInd(let size, let offset, let interval, let latency, let timeout, let instant):
      guard fromCentral else { return }
      air.clock.schedule(
        AirClock.Update(
          windowOffset: offset, windowSize: size, interval: interval, latency: latency, timeout: timeout,
          instant: instant))
    case .channelMapInd(let map, let instant):
      guard fromCentral else { return }
      air.pendingMap = (LL.ChannelMap(bits: map), instant)
    case .phyUpdateInd(let toPeripheral, let toCentral, let instant):
      guard fromCentral else { return }
      let bits = toPeripheral != 0 ? toPeripheral : toCentral
      if let phy = HCI.PHY(HCI.PHYMask(rawValue: bits)) { air.pendingPHY = (phy.rawValue, instant) }
    case .subrateInd(let factor, let base, let latency, let continuation, let timeout):
      guard fromCentral else { return }
      air.pendingSubrating = AirSubrating(
        factor: factor, base: base, latency: latency, continuation: continuation, timeout: timeout,
        counter: air.clock.counter)
    case .periodicSyncInd(let transfer): streams.learn(transfer.syncInfo, file: link.file)
    case .periodicSyncWRInd(let transfer, let timing): streams.learn(transfer.syncInfo, timing, file: link.file)
    case .terminateInd(let reason): air.termination = (fromCentral, reason)
    case .lengthReq(let lengths), .lengthRsp(let lengths):
      if fromCentral { air.lengthsOfCentral = lengths } else { air.lengthsOfPeripheral = lengths }
      if case .lengthRsp = pdu { applyLengths(link, air) }
    case .versionInd(let version, let company, let subversion):
      let version = AirConnection.LinkVersion(version: version, company: company, subversion: subversion)
      if fromCentral { air.versionOfCentral = version } else { air.versionOfPeripheral = version }
    case .encReq, .encRsp, .startEncReq, .pauseEncRsp, .rejectInd, .rejectExtInd:
      followEncryption(pdu, link, air, fromCentral: fromCentral)
    default: break
    }
    applyInstants(link, air)
  }

  private func followEncryption(
    _ pdu: LL.ControlPDU, _ link: TrafficLink, _ air: AirConnection, fromCentral: Bool
  ) {
    switch pdu {
    case .encReq where fromCentral:
      air.encryption = .requested
      air.hasReportedEncryption = false
      if link.isEncrypted, air.isUnreadable { air.isUnreadable = false }
    case .encRsp where !fromCentral: air.encryption = .answered
    case .startEncReq where !fromCentral:
      encrypt(link, air)
    // Sent plain by the central when encryption pauses (5.1.3.2).
    case .pauseEncRsp where fromCentral && air.encryption == .on: air.encryption = .requested
    case .rejectInd where !fromCentral: rejectEncryption(air)
    case .rejectExtInd(LL.ControlOpcode.encReq, _) where !fromCentral: rejectEncryption(air)
    default: break
    }
  }

  private func rejectEncryption(_ air: AirConnection) {
    if air.encryption == .requested || air.encryption == .answered { air.encryption = .plain }
  }

  /// What the central may send counts as transmitted, what the peripheral may send as received.
  private func applyLengths(_ link: TrafficLink, _ air: AirConnection) {
    guard let central = air.lengthsOfCentral, let peripheral = air.lengthsOfPeripheral else { return }
    let transmit = min(central.maxTxOctets, peripheral.maxRxOctets)
    let receive = min(central.maxRxOctets, peripheral.maxTxOctets)
    if link.maxTxOctets == transmit, link.maxRxOctets == receive { return }
    link.maxTxOctets = transmit
    link.maxRxOctets = receive
    output.changed(link, .dataLength)
  }

  /// Channel map and PHY whose instant has come.
  func applyInstants(_ link: TrafficLink, _ air: AirConnection) {
    if let pending = air.pendingMap, air.clock.hasReached(pending.instant) {
      air.channelMap = pending.map
      air.pendingMap = nil
    }
    if let pending = air.pendingPHY, air.clock.hasReached(pending.instant) {
      air.pendingPHY = nil
      if link.phy != pending.phy {
        link.phy = pending.phy
        output.changed(link, .phy)
      }
    }
  }
}
