import BluetoothWire
import SimKernel

/// Link-layer control PDUs that come in, and the changes that both ends make at an instant.
extension RadioWorld {
  /// Features that LL_FEATURE_RSP tells of whether the peer has them or not: only octet 0 is limited to what both have
  /// (Vol 6, Part B, 5.1.4). Decision: all others that a controller here may have are limited too.
  private static let oneSidedFeatures: UInt64 =
    1 << 24 | 1 << 25 | 1 << 37 | 1 << 38 | 1 << 43 | 1 << 44 | streamFeatures | 1 << UInt64(streamHostBit)

  /// PDUs whose procedures end with their acknowledgement, which comes before an answer that refuses them: what is open
  /// by then is another one.
  private static let unanswered: Set<UInt8> = [
    LL.ControlOpcode.periodicSyncInd, LL.ControlOpcode.subrateInd, LL.ControlOpcode.minUsedChannelsInd,
    LL.ControlOpcode.cisTerminateInd, LL.ControlOpcode.channelReportingInd, LL.ControlOpcode.channelStatusInd,
    LL.ControlOpcode.powerChangeInd, LL.ControlOpcode.periodicSyncWRInd,
  ]

  func receiveControl(_ end: LinkEnd, _ c: Connection, _ payload: [UInt8]) {
    let pdu = try? LL.ControlPDU(decoding: payload)
    guard admits(pdu, end, c) else { return }
    if let pdu {
      handleControl(end, c, pdu)
    } else {
      send(.unknownRsp(opcode: payload.first ?? 0xFF), end, c)
    }
  }

  func handleControl(_ end: LinkEnd, _ c: Connection, _ pdu: LL.ControlPDU) {
    switch pdu {
    case .terminateInd(let reason):
      end.terminatedByPeer = reason
      end.terminatedEvent = c.eventNumber
    case .featureReq(let features), .peripheralFeatureReq(let features):
      end.peerFeatures = features
      send(.featureRsp(end.radio.controller.linkFeatures & (features | Self.oneSidedFeatures)), end, c)
      tellOfChannels(end, c)
    case .featureRsp(let features):
      end.peerFeatures = features
      tellOfChannels(end, c)
      guard end.procedure == .features else { return }
      end.radio.controller.emit(.leReadRemoteFeaturesComplete(end.handle, status: .success, features: features))
      finishProcedure(end, c)
    case .versionInd(let version, let company, let subversion):
      end.peerVersion = (version, company, subversion)
      if end.procedure == .version {
        reportVersion(end)
        finishProcedure(end, c)
      } else if !end.sentVersion {
        sendVersion(end, c)
      }
    case .lengthReq(let length):
      adopt(length, end, c)
      send(.lengthRsp(dataLength(of: end)), end, c)
    case .lengthRsp(let length):
      adopt(length, end, c)
      if end.procedure == .dataLength { finishProcedure(end, c) }
    case .pingReq: send(.pingRsp, end, c)
    case .pingRsp: if end.procedure == .ping { finishProcedure(end, c) }
    case .unknownRsp(let opcode): refused(end, c, opcode: opcode, reason: .unsupportedRemoteFeature)
    case .rejectExtInd(let opcode, let reason): refused(end, c, opcode: opcode, reason: reason)
    case .rejectInd(let reason): refused(end, c, opcode: 0xFF, reason: reason)
    case .phyReq, .phyRsp, .phyUpdateInd: receivePHY(end, c, pdu)
    case .connectionParamReq, .connectionParamRsp, .connectionUpdateInd: receiveParameters(end, c, pdu)
    case .channelMapInd(_, let instant): receiveInstant(instant, end, c, pdu)
    case .periodicSyncInd(let transfer): receive(transfer, nil, end, c)
    case .periodicSyncWRInd(let transfer, let timing): receive(transfer, timing, end, c)
    case .subrateReq, .subrateInd: receiveSubrate(end, c, pdu)
    case .minUsedChannelsInd, .channelReportingInd, .channelStatusInd: receiveOfChannels(end, c, pdu)
    case .clockAccuracyReq, .clockAccuracyRsp: receiveAccuracy(end, c, pdu)
    case .powerControlReq, .powerControlRsp, .powerChangeInd: receivePower(end, c, pdu)
    case .cisReq, .cisRsp, .cisInd, .cisTerminateInd: receiveOfStreams(end, c, pdu)
    case .encReq, .encRsp, .startEncReq, .startEncRsp, .pauseEncReq, .pauseEncRsp: receiveEncryption(end, c, pdu)
    case .other(let opcode, _): send(.unknownRsp(opcode: opcode), end, c)
    }
  }

  /// The peer does not know, or does not want, the procedure of this end.
  private func refused(_ end: LinkEnd, _ c: Connection, opcode: UInt8, reason: HCI.ErrorCode) {
    if Self.unanswered.contains(opcode) { return }
    guard let procedure = end.procedure else { return }
    let controller = end.radio.controller
    switch procedure {
    case .features:
      controller.emit(.leReadRemoteFeaturesComplete(end.handle, status: reason, features: 0))
    case .phy:
      controller.emit(
        .lePHYUpdateComplete(
          end.handle, status: reason, tx: c.transmitPHY(of: end).phy, rx: c.transmitPHY(of: c.peer(of: end)).phy))
    case .parameterRequest(let parameters) where end.role == .central && reason == .unsupportedRemoteFeature:
      updateAfterRequest(parameters, end, c)
      return
    case .parameterRequest, .connectionUpdate:
      controller.emit(
        .leConnectionUpdateComplete(
          end.handle, status: reason, interval: c.intervalUnits,
          peripheralLatency: end.subrating.latency, supervisionTimeout: end.subrating.timeoutUnits))
    case .encryption:
      encryptionRefused(end, c, reason: reason)
      return
    case .subrateRequest: reportSubrate(end, status: reason)
    // It ends with its acknowledgement.
    case .subrateUpdate: return
    case .powerControl(let phy, _, let isForHost): powerRefused(end, phy: phy, isForHost: isForHost, reason)
    case .clockAccuracy(let isForHost): if isForHost { reportAccuracy(end, status: reason, 0) }
    case .createStream(let handle): if c.newStream == nil { streamRefused(handle, end, reason: reason) }
    case .dataLength, .version, .channelMap, .ping, .syncTransfer, .announcement, .terminate: break
    }
    finishProcedure(end, c)
  }

  // MARK: PHY update (Vol 6, Part B, 5.1.10)

  private func receivePHY(_ end: LinkEnd, _ c: Connection, _ pdu: LL.ControlPDU) {
    switch pdu {
    case .phyReq(let tx, let rx):
      let own = end.radio.controller.acceptablePHYs
      if end.role == .peripheral {
        send(.phyRsp(txPHYs: own.tx, rxPHYs: own.rx), end, c)
      } else if let collision = collision(of: LL.ControlOpcode.phyReq, end, c) {
        send(.rejectExtInd(rejectOpcode: LL.ControlOpcode.phyReq, errorCode: collision), end, c)
      } else {
        sendPHYUpdate(end, c, centralToPeripheral: own.tx & rx, peripheralToCentral: own.rx & tx, forPeer: true)
      }
    case .phyRsp(let tx, let rx):
      guard case .phy(let ownTx, let ownRx)? = end.procedure, end.role == .central else { return }
      guard c.pending == nil else {
        refused(end, c, opcode: LL.ControlOpcode.phyReq, reason: .llProcedureCollision)
        return
      }
      sendPHYUpdate(end, c, centralToPeripheral: ownTx & rx, peripheralToCentral: ownRx & tx, forPeer: false)
    case .phyUpdateInd(let down, let up, let instant):
      if end.role == .peripheral, down == 0, up == 0 {
        refused(end, c, opcode: LL.ControlOpcode.phyReq, reason: .success)
      } else {
        receiveInstant(instant, end, c, pdu)
      }
    default: break
    }
  }

  /// The central decides: the fastest PHY that both sides named, or none when nothing changes.
  private func sendPHYUpdate(
    _ end: LinkEnd, _ c: Connection, centralToPeripheral: UInt8, peripheralToCentral: UInt8, forPeer: Bool
  ) {
    func fastest(_ mask: UInt8, _ current: HCI.PHY) -> HCI.PHY {
      mask & 0b10 != 0 ? .le2M : mask & 0b01 != 0 ? .le1M : mask & 0b100 != 0 ? .leCoded : current
    }
    let (centralPHY, peripheralPHY) = (c.centralPHY.phy, c.peripheralPHY.phy)
    let down = fastest(centralToPeripheral, centralPHY)
    let up = fastest(peripheralToCentral, peripheralPHY)
    if down == centralPHY, up == peripheralPHY {
      send(.phyUpdateInd(centralToPeripheral: 0, peripheralToCentral: 0, instant: 0), end, c)
      if !forPeer { refused(end, c, opcode: LL.ControlOpcode.phyReq, reason: .success) }
      return
    }
    let instant = nextInstant(c)
    c.pending = PendingInstant(
      change: .phy(centralToPeripheral: down, peripheralToCentral: up), instant: instant)
    send(
      .phyUpdateInd(
        centralToPeripheral: down == centralPHY ? 0 : down.mask.rawValue,
        peripheralToCentral: up == peripheralPHY ? 0 : up.mask.rawValue, instant: instant), end, c)
  }

  // MARK: Connection update and parameter request (Vol 6, Part B, 5.1.1 and 5.1.7)

  private func receiveParameters(_ end: LinkEnd, _ c: Connection, _ pdu: LL.ControlPDU) {
    switch pdu {
    case .connectionParamReq(let request):
      guard request.parameters.areValid else {
        send(
          .rejectExtInd(
            rejectOpcode: LL.ControlOpcode.connectionParamReq, errorCode: .invalidLLParameters), end, c)
        return
      }
      if end.role == .central, let collision = collision(of: LL.ControlOpcode.connectionParamReq, end, c) {
        return refuseParameters(end, c, collision)
      }
      end.radio.controller.parametersRequested(request.parameters, end, c)
    case .connectionParamRsp(let response):
      guard end.role == .central, response.parameters.areValid else { return }
      guard case .parameterRequest(let asked)? = end.procedure else {
        return start(.connectionUpdate(response.parameters), end, c)
      }
      var parameters = response.parameters
      parameters.eventLengthMinimum = asked.eventLengthMinimum
      parameters.eventLengthMaximum = asked.eventLengthMaximum
      updateAfterRequest(parameters, end, c)
    case .connectionUpdateInd(_, _, _, _, _, let instant): receiveInstant(instant, end, c, pdu)
    default: break
    }
  }

  /// Why a central does not let the peripheral begin a procedure with an instant: LL Procedure Collision when the same
  /// one is under way, Different Transaction Collision when another one is (Vol 6, Part B, 5.3).
  private func collision(of opcode: UInt8, _ end: LinkEnd, _ c: Connection) -> HCI.ErrorCode? {
    let other: UInt8?
    switch (c.pending?.change, end.procedure) {
    case (.parameters?, _), (nil, .parameterRequest?): other = LL.ControlOpcode.connectionParamReq
    case (.phy?, _): other = LL.ControlOpcode.phyReq
    case (nil, _): return nil
    default: other = nil
    }
    return other == opcode ? .llProcedureCollision : HCI.ErrorCode(0x2A)
  }

  /// LL_REJECT_EXT_IND to a request for parameters.
  func refuseParameters(_ end: LinkEnd, _ c: Connection, _ reason: HCI.ErrorCode) {
    send(.rejectExtInd(rejectOpcode: LL.ControlOpcode.connectionParamReq, errorCode: reason), end, c)
  }

  /// Only a central announces an instant. One that is already over ends the link with Instant Passed (Vol 6, Part B,
  /// 5.5). A change that the central does not make itself leaves the peripheral alone with it.
  private func receiveInstant(_ instant: UInt16, _ end: LinkEnd, _ c: Connection, _ pdu: LL.ControlPDU) {
    guard end.role == .peripheral else { return send(.unknownRsp(opcode: pdu.opcode), end, c) }
    if instant &- c.eventCounter >= 32_767, instant != c.eventCounter {
      drop(end, c, reason: .instantPassed)
      return
    }
    if c.pending == nil, instant != c.eventCounter {
      c.pending = PendingInstant(change: .ofPeripheralAlone, instant: instant)
    }
    c.pending?.isKnownToPeripheral = true
  }

  /// Makes the pending change when its event has come.
  /// - Returns: true when the anchor moved and this event begins later.
  func applyInstant(_ c: Connection) -> Bool {
    guard let pending = c.pending, pending.instant == c.eventCounter else { return false }
    c.pending = nil
    if !pending.isKnownToPeripheral { c.peripheralLost = true }
    switch pending.change {
    case .ofPeripheralAlone: c.peripheralLost = true
    case .channelMap(let map):
      c.channelMap = LL.ChannelMap(bits: map)
      finishInstant(pending.change, c)
    case .phy(let down, let up):
      c.setPHY(of: c.central, down)
      c.setPHY(of: c.peripheral, up)
      for end in [c.central, c.peripheral] { updateDataLength(end, c) }
      for end in [c.central, c.peripheral] where end.isPresent {
        end.radio.controller.emit(
          .lePHYUpdateComplete(
            end.handle, status: .success, tx: c.transmitPHY(of: end).phy, rx: c.transmitPHY(of: c.peer(of: end)).phy))
      }
      finishInstant(pending.change, c)
    case .parameters(let windowSize, let windowOffset, let interval, let latency, let timeout, let eventLength):
      let moved = SimDuration.microseconds(1_250) * Int64(windowOffset)
      for end in [c.central, c.peripheral] {
        if interval != c.intervalUnits { end.subrating.restart() }
        end.subrating.latency = latency
        end.subrating.timeoutUnits = timeout
      }
      c.noteSubrating()
      c.forcedEvent = c.eventNumber
      c.setInterval(interval)
      c.limitEvents(to: eventLength)
      for radio in [c.central.radio, c.peripheral.radio] { unparkAll(on: radio) }
      c.anchor = c.anchor + moved
      c.firstWindow = SimDuration.microseconds(1_250) * Int64(windowSize)
      c.peripheral.heardAnchor = c.anchor
      c.peripheral.heardEvent = c.eventNumber
      if c.isCoded { for end in [c.central, c.peripheral] { updateDataLength(end, c) } }
      for end in [c.central, c.peripheral] where end.isPresent {
        end.radio.controller.emit(
          .leConnectionUpdateComplete(
            end.handle, status: .success, interval: interval, peripheralLatency: latency, supervisionTimeout: timeout))
      }
      finishInstant(pending.change, c)
      if moved > .zero {
        c.handle = scheduleStep(.anchor, c, at: c.anchor)
        return true
      }
    }
    return false
  }

  /// Ends the procedures that waited for this change, at both ends; what waited for its instant to be over begins.
  private func finishInstant(_ change: PendingInstant.Change, _ c: Connection) {
    for end in [c.central, c.peripheral] {
      switch (end.procedure, change) {
      case (.channelMap?, .channelMap), (.phy?, .phy), (.connectionUpdate?, .parameters),
        (.parameterRequest?, .parameters):
        finishProcedure(end, c)
      default: startNext(end, c)
      }
    }
  }
}

extension LL.ConnectionParam {
  fileprivate var parameters: HCI.ConnectionParameters {
    HCI.ConnectionParameters(
      intervalMinimum: intervalMin, intervalMaximum: intervalMax, peripheralLatency: latency,
      supervisionTimeout: timeout)
  }
}
