import BluetoothWire
import LinkCrypto
import SimKernel

/// Encryption start and pause (Vol 6, Part B, 5.1.3), at both ends.
///
/// While a procedure runs an end sends nothing but the PDUs of the procedure, empty ones and LL_TERMINATE_IND: ACL data
/// and other control PDUs wait. What was queued before goes first, as the specification allows.
extension RadioWorld {
  /// Queues the procedure at the central, as others are queued.
  func startEncryption(_ request: EncryptionRequest, _ end: LinkEnd, _ c: Connection) {
    let security = end.security ?? LinkSecurity()
    end.security = security
    security.phase = .requested
    security.request = request
    start(.encryption, end, c)
  }

  /// The central's turn: pause first if the link is encrypted.
  func beginEncryption(_ end: LinkEnd, _ c: Connection) {
    guard let security = end.security else { return }
    end.holdsTraffic = true
    security.isRefresh = security.transmit != nil
    if security.isRefresh {
      security.phase = .awaitsPauseResponse
      sendAtOnce(.pauseEncReq, end, c)
    } else {
      sendEncryptionRequest(end, c, security)
    }
  }

  private func sendEncryptionRequest(_ end: LinkEnd, _ c: Connection, _ security: LinkSecurity) {
    guard let request = security.request else { return }
    security.phase = .awaitsResponse
    security.centralParts = drawParts(end)
    sendAtOnce(
      .encReq(
        random: request.random, diversifier: request.diversifier,
        sessionKeyDiversifier: security.centralParts.diversifier,
        initialisationVector: security.centralParts.vector), end, c)
  }

  private func drawParts(_ end: LinkEnd) -> (diversifier: UInt64, vector: UInt32) {
    let diversifier = end.radio.keys.sessions.next()
    return (diversifier, UInt32(truncatingIfNeeded: end.radio.keys.sessions.next()))
  }

  // MARK: What comes in

  /// The payload of a new PDU in plain; nil when the PDU has ended the link.
  func open(
    _ octets: [UInt8], _ kind: OutgoingPDU.Kind, _ end: LinkEnd, _ c: Connection, _ security: LinkSecurity
  ) -> [UInt8]? {
    if kind != .control, security.isStrict {
      drop(end, c, reason: .connectionTerminatedDueToMICFailure)
      return nil
    }
    guard let cipher = security.receive else { return octets }
    guard let payload = cipher.open(octets, llid: kind.rawValue) else {
      drop(end, c, reason: .connectionTerminatedDueToMICFailure)
      return nil
    }
    security.lastAuthenticated = timeline.now
    return payload
  }

  /// Whether a control PDU may be handled now. During a procedure others wait for its end, or end the link.
  func admits(_ pdu: LL.ControlPDU?, _ end: LinkEnd, _ c: Connection) -> Bool {
    guard let security = end.security, end.holdsTraffic else { return true }
    if let pdu, security.expects(pdu) { return true }
    if security.isStrict {
      drop(end, c, reason: .connectionTerminatedDueToMICFailure)
      return false
    }
    guard let pdu else { return true }
    security.deferred.append(pdu)
    return false
  }

  func receiveEncryption(_ end: LinkEnd, _ c: Connection, _ pdu: LL.ControlPDU) {
    switch (end.role, pdu, end.security?.phase ?? .idle) {
    case (.peripheral, .encReq(let random, let diversifier, let skd, let vector), .idle) where !end.isReceiverSecured,
      (.peripheral, .encReq(let random, let diversifier, let skd, let vector), .awaitsRequest):
      takeRequest(end, c, random: random, diversifier: diversifier, parts: (skd, vector))
    case (.central, .encRsp(let skd, let vector), .awaitsResponse):
      guard let security = end.security, let request = security.request else { return }
      security.peripheralParts = (skd, vector)
      security.makeSession(longTermKey: request.longTermKey)
      security.phase = .awaitsStartRequest
    case (.central, .startEncReq, .awaitsStartRequest):
      guard let security = end.security, let session = security.session else { return }
      end.encryptTransmission(session.cipher(sender: .central))
      security.receive = session.cipher(sender: .peripheral)
      security.phase = .awaitsStartResponse
      sendAtOnce(.startEncRsp, end, c)
    case (.peripheral, .startEncRsp, .awaitsStartResponse):
      guard let security = end.security, let session = security.session else { return }
      end.encryptTransmission(session.cipher(sender: .peripheral))
      security.phase = .awaitsAcknowledgement
      sendAtOnce(.startEncRsp, end, c)
    case (.central, .startEncRsp, .awaitsStartResponse): completeEncryption(end, c)
    case (.peripheral, .pauseEncReq, .idle) where end.isReceiverSecured:
      end.holdsTraffic = true
      end.security?.phase = .awaitsPauseConfirmation
      sendAtOnce(.pauseEncRsp, end, c)
    case (.central, .pauseEncRsp, .awaitsPauseResponse):
      guard let security = end.security else { return }
      end.encryptTransmission(nil)
      security.receive = nil
      sendAtOnce(.pauseEncRsp, end, c)
      sendEncryptionRequest(end, c, security)
    case (.peripheral, .pauseEncRsp, .awaitsPauseConfirmation):
      end.encryptTransmission(nil)
      end.security?.phase = .awaitsRequest
    default: send(.unknownRsp(opcode: pdu.opcode), end, c)
    }
  }

  /// LL_ENC_REQ at the peripheral: answer, and ask the host for the key.
  private func takeRequest(
    _ end: LinkEnd, _ c: Connection, random: UInt64, diversifier: UInt16,
    parts: (diversifier: UInt64, vector: UInt32)
  ) {
    guard end.radio.configuration.supportsEncryption else {
      send(rejection(.unsupportedRemoteFeature, end), end, c)
      return
    }
    let security = end.security ?? LinkSecurity()
    end.security = security
    end.holdsTraffic = true
    security.isRefresh = security.phase == .awaitsRequest
    security.phase = .awaitsKey
    security.centralParts = parts
    security.peripheralParts = drawParts(end)
    sendAtOnce(
      .encRsp(
        sessionKeyDiversifier: security.peripheralParts.diversifier,
        initialisationVector: security.peripheralParts.vector), end, c)
    end.radio.controller.emit(
      .encryption(.leLongTermKeyRequest(end.handle, random: random, diversifier: diversifier)))
  }

  /// The peripheral's host has answered. Without a key the request is rejected; a link that was encrypted ends.
  func longTermKey(_ key: [UInt8]?, _ end: LinkEnd, _ c: Connection) {
    guard let security = end.security else { return }
    if let key {
      security.makeSession(longTermKey: key)
      security.phase = .awaitsStartResponse
      sendAtOnce(.startEncReq, end, c)
    } else if security.isRefresh {
      if !end.isTerminating { start(.terminate(.pinOrKeyMissing), end, c) }
    } else {
      sendAtOnce(rejection(.pinOrKeyMissing, end), end, c)
      endProcedure(end, c, security)
    }
  }

  /// LL_REJECT_EXT_IND if the peer is known to read it, else LL_REJECT_IND (5.1.3.1).
  private func rejection(_ reason: HCI.ErrorCode, _ end: LinkEnd) -> LL.ControlPDU {
    (end.peerFeatures ?? 0) & 1 << 2 != 0
      ? .rejectExtInd(rejectOpcode: LL.ControlOpcode.encReq, errorCode: reason) : .rejectInd(reason)
  }

  // MARK: The end of the procedure

  /// The central has learned that encryption is not available.
  func encryptionRefused(_ end: LinkEnd, _ c: Connection, reason: HCI.ErrorCode) {
    end.radio.controller.emit(.encryption(.encryptionChange(end.handle, status: reason, enabled: 0)))
    if let security = end.security { endProcedure(end, c, security) }
  }

  /// The central has the peripheral's LL_START_ENC_RSP, or the peripheral its acknowledgement.
  func completeEncryption(_ end: LinkEnd, _ c: Connection) {
    guard let security = end.security else { return }
    end.radio.controller.emit(
      .encryption(
        security.isRefresh
          ? .encryptionKeyRefreshComplete(end.handle, status: .success)
          : .encryptionChange(end.handle, status: .success, enabled: 1)))
    armAuthentication(end, c)
    endProcedure(end, c, security)
  }

  /// Releases what waited, in order.
  private func endProcedure(_ end: LinkEnd, _ c: Connection, _ security: LinkSecurity) {
    security.phase = .idle
    security.request = nil
    security.session = nil
    end.holdsTraffic = false
    while let pdu = security.held.popFirst() { end.enqueue(pdu) }
    if end.role == .peripheral {
      startNext(end, c)
    } else if end.procedure == .encryption {
      finishProcedure(end, c)
    }
    let deferred = security.deferred
    security.deferred = []
    for pdu in deferred where end.isPresent { handleControl(end, c, pdu) }
  }

  /// A PDU of the procedure itself: it does not wait for the procedure's end.
  private func sendAtOnce(_ pdu: LL.ControlPDU, _ end: LinkEnd, _ c: Connection) {
    if c.isParked { unpark(c) }
    end.enqueue(OutgoingPDU(kind: .control, octets: pdu.octets, opcode: pdu.opcode))
  }
}

extension LinkEnd {
  var isReceiverSecured: Bool { security?.receive != nil }
}
