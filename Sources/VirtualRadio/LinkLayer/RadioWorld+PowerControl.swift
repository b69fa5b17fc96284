import BluetoothWire
import SimKernel

/// LE Power Control and path loss monitoring (Vol 6, Part B, 4.5.16, 5.1.17, 5.1.18).
///
/// Decisions: a device may send with what it is configured with, and with up to 20 dB less, in steps of 1 dB; a
/// controller asks its peer for another power only where it is to hold a level (`RadioConfiguration.wantedLevel`).
extension RadioWorld {
  /// Hundredths of a decibel.
  private static let greatestCut = 2_000
  /// How far the mean level may be from the wanted one, hundredths of a decibel.
  private static let tolerance = 600

  /// Both bits of the request procedure (4.6).
  static let powerFeatures: UInt64 = 1 << 33 | 1 << 34

  /// Whether the peer has the procedure; nil: it has not said so yet.
  func peerControlsPower(_ end: LinkEnd) -> Bool? { end.peerFeatures.map { $0 & Self.powerFeatures != 0 } }

  /// dBm: what an end sends with.
  func linkPower(of end: LinkEnd) -> Int8 {
    Int8(clamping: Int(end.radio.controller.transmitPower) - end.power.cut / 100)
  }

  private func limits(of end: LinkEnd) -> UInt8 {
    end.power.cut == 0 ? 0b10 : end.power.cut == Self.greatestCut ? 0b01 : 0
  }

  func beginPowerRequest(phy: UInt8, delta: Int8, _ end: LinkEnd, _ c: Connection) {
    end.power.hasAsked = true
    send(.powerControlReq(phy: phy, delta: delta, txPower: linkPower(of: end)), end, c)
  }

  /// Asks once for the power of the peer, unless it is known to lack the procedure.
  func askForPower(_ end: LinkEnd, _ c: Connection) {
    guard !end.power.hasAsked, peerControlsPower(end) != false,
      end.procedures.count < Controller.maximumProcedures
    else { return }
    let phy = c.transmitPHY(of: c.peer(of: end))
    end.power.hasAsked = true
    start(.powerControl(phy: phy.powerBit, delta: 0, isForHost: false), end, c)
  }

  func receivePower(_ end: LinkEnd, _ c: Connection, _ pdu: LL.ControlPDU) {
    guard end.radio.configuration.supportsPowerControl else { return send(.unknownRsp(opcode: pdu.opcode), end, c) }
    switch pdu {
    case .powerControlReq(let phy, let delta, let power):
      guard LL.AirPHY.ofPowerBit(phy).map({ end.radio.controller.supportedPHYs.contains($0.phy.mask) }) == true else {
        return send(
          .rejectExtInd(rejectOpcode: pdu.opcode, errorCode: .unsupportedLLParameterValue), end, c)
      }
      learn(power, limits: end.power.remoteLimits, end)
      change(by: delta, phy: phy, end, c)
    case .powerControlRsp(let limits, let delta, let power, _):
      guard case .powerControl(let phy, let asked, let isForHost)? = end.procedure else { return }
      learn(power, limits: limits, end)
      end.power.forgetLevels()
      if asked != 0, delta == 0 { end.power.refusedLimits |= asked > 0 ? 0b10 : 0b01 }
      if isForHost { reportPower(.read, phy: phy, delta: delta, end) }
      if delta != 0, end.power.reportsRemote { reportPower(.remoteChanged, phy: phy, delta: delta, end) }
      finishProcedure(end, c)
    case .powerChangeInd(let phys, let limits, let delta, let power):
      if phys & c.transmitPHY(of: c.peer(of: end)).powerBit != 0 {
        learn(power, limits: limits, end)
        end.power.forgetLevels()
        end.power.refusedLimits = 0
      }
      guard end.power.reportsRemote else { return }
      for phy in LL.AirPHY.allCases where phys & phy.powerBit != 0 {
        reportPower(.remoteChanged, phy: phy.powerBit, delta: delta, end, level: power)
      }
    default: break
    }
  }

  /// 126 and 127 say that the power is not managed, or not available.
  private func learn(_ power: Int8, limits: UInt8, _ end: LinkEnd) {
    end.power.remote = power < 126 ? power : nil
    end.power.remoteLimits = limits
  }

  /// The peer asks for more or less power.
  private func change(by delta: Int8, phy: UInt8, _ end: LinkEnd, _ c: Connection) {
    if c.isParked { unpark(c) }
    let before = end.power.cut
    let wanted = delta == 127 ? 0 : before - Int(delta) * 100
    end.power.cut = max(0, min(Self.greatestCut, wanted))
    c.movesBefore = -1
    if end.power.cut != 0 { end.managesPower = true }
    let changed = Int8((before - end.power.cut) / 100)
    send(
      .powerControlRsp(
        flags: limits(of: end), delta: changed, txPower: linkPower(of: end),
        acceptableReduction: acceptableReduction(end)), end, c)
    guard changed != 0, end.power.reportsLocal, let phy = LL.AirPHY.ofPowerBit(phy) else { return }
    end.radio.controller.emit(
      .link(
        .leTransmitPowerReporting(
          HCI.TransmitPowerReport(
            status: .success, connection: end.handle, reason: .localChanged, phy: phy.rawValue,
            level: linkPower(of: end), limits: limits(of: end), delta: changed))))
  }

  /// By how much less the peer could send, dB; 0xFF where this end does not hold a level.
  private func acceptableReduction(_ end: LinkEnd) -> UInt8 {
    guard let wanted = end.radio.configuration.wantedLevel, let mean = end.power.mean else { return 0xFF }
    return UInt8(max(0, min(254, (mean - wanted + Self.tolerance) / 100)))
  }

  func reportPower(
    _ reason: HCI.TransmitPowerReport.Reason, phy: UInt8, delta: Int8, _ end: LinkEnd, status: HCI.ErrorCode = .success,
    level: Int8? = nil
  ) {
    end.radio.controller.emit(
      .link(
        .leTransmitPowerReporting(
          HCI.TransmitPowerReport(
            status: status, connection: end.handle, reason: reason,
            phy: LL.AirPHY.ofPowerBit(phy)?.rawValue ?? 0, level: level ?? end.power.remote ?? 127,
            limits: end.power.remoteLimits, delta: delta))))
  }

  /// The peer does not know the procedure, or does not want it.
  func powerRefused(_ end: LinkEnd, phy: UInt8, isForHost: Bool, _ reason: HCI.ErrorCode) {
    end.power.remoteLimits = 0b11
    if isForHost { reportPower(.read, phy: phy, delta: 127, end, status: reason) }
  }

  /// A PDU has arrived at an end that looks at levels.
  func noteLevel(_ end: LinkEnd, _ c: Connection) {
    let base = end.role == .central ? c.levelAtCentral : c.levelAtPeripheral
    let peer = c.peer(of: end).radio.index
    let fade = medium.fade(peer, end.radio.index, rfChannel: c.rfChannel, at: c.pduStart)
    end.power.note(level: base + fade - end.radio.controller.hostSettings.receiveGain * 10)
    if let zone = end.power.enteredZone(event: c.eventNumber), let loss = end.power.pathLoss {
      end.radio.controller.emit(.link(.lePathLossThreshold(end.handle, pathLoss: loss, zone: zone)))
    }
    holdLevel(end, c)
  }

  /// Asks for so much more or less power that the level is the wanted one, as far as the peer can.
  private func holdLevel(_ end: LinkEnd, _ c: Connection) {
    guard let wanted = end.radio.configuration.wantedLevel, end.procedure == nil, end.procedures.isEmpty,
      peerControlsPower(end) == true, end.power.samples >= LinkPower.samplesNeeded, let mean = end.power.mean,
      abs(wanted - mean) > Self.tolerance, !end.isTerminating
    else { return }
    let delta = Int8(clamping: (wanted - mean) / 100)
    // The peer has said that it can do no more.
    let limits = end.power.hasAsked ? end.power.remoteLimits | end.power.refusedLimits : 0
    if limits & (delta > 0 ? 0b10 : 0b01) != 0 { return }
    start(
      .powerControl(phy: c.transmitPHY(of: c.peer(of: end)).powerBit, delta: delta, isForHost: false), end, c)
  }
}

extension LL.AirPHY {
  /// The bit of the PDUs (2.4.2.35).
  var powerBit: UInt8 { 1 << (rawValue - 1) }

  static func ofPowerBit(_ bits: UInt8) -> LL.AirPHY? { allCases.first { $0.powerBit == bits } }
}
