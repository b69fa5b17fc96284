import BluetoothWire
import LinkCrypto
import SimKernel

/// What `HCI_LE_Enable_Encryption` asks for.
struct EncryptionRequest {
  /// 16 octets, least significant first.
  var longTermKey: [UInt8]
  var random: UInt64
  var diversifier: UInt16
}

/// Encryption as one end of a link has it; an end that never met encryption has none.
///
/// Spec: Core v5.4, Vol 6, Part B, 5.1.3.
final class LinkSecurity {
  /// What this end waits for.
  enum Phase {
    /// Nothing: no procedure runs; the link is encrypted or not.
    case idle
    /// Central: other procedures come first.
    case requested
    /// Central: LL_PAUSE_ENC_REQ is out.
    case awaitsPauseResponse
    /// Central: LL_ENC_REQ is out.
    case awaitsResponse
    /// Central: LL_ENC_RSP is in.
    case awaitsStartRequest
    /// Peripheral: LL_PAUSE_ENC_RSP is out, the central's comes next.
    case awaitsPauseConfirmation
    /// Peripheral: encryption is paused.
    case awaitsRequest
    /// Peripheral: the host was asked for the Long Term Key.
    case awaitsKey
    /// Both: LL_START_ENC_REQ or the answer to it is out.
    case awaitsStartResponse
    /// Peripheral: its LL_START_ENC_RSP is out.
    case awaitsAcknowledgement
  }

  var phase = Phase.idle
  /// The link was encrypted when the procedure began.
  var isRefresh = false
  var request: EncryptionRequest?
  /// SKD_C and IV_C, on the side of the peripheral as they came.
  var centralParts: (diversifier: UInt64, vector: UInt32) = (0, 0)
  /// SKD_P and IV_P.
  var peripheralParts: (diversifier: UInt64, vector: UInt32) = (0, 0)
  var session: LinkSession?
  /// Present while this end sends encrypted PDUs.
  fileprivate(set) var transmit: LinkCipher?
  /// Present while this end expects encrypted PDUs.
  var receive: LinkCipher?
  /// When the last PDU with a right MIC came in.
  var lastAuthenticated = SimInstant.zero
  /// LL_PING_REQ was asked for since then.
  var isPinged = false
  /// When to look at the two again.
  var authentication: EventHandle?
  /// Control PDUs of others that wait for the end of the procedure.
  let held = Fifo<OutgoingPDU>()
  /// Control PDUs of the peer that wait for it.
  var deferred: [LL.ControlPDU] = []

  var isIdle: Bool { phase == .idle }

  /// Whether any PDU of the peer that does not belong to the procedure ends the link (5.1.3.1, 5.1.3.2): from
  /// LL_ENC_REQ or LL_PAUSE_ENC_REQ on at the peripheral, from the answer on at the central.
  var isStrict: Bool {
    switch phase {
    case .idle, .requested, .awaitsPauseResponse: false
    case .awaitsResponse: isRefresh
    default: true
    }
  }

  /// Whether a control PDU belongs to the procedure here and now.
  func expects(_ pdu: LL.ControlPDU) -> Bool {
    switch (phase, pdu) {
    case (_, .terminateInd), (.awaitsPauseResponse, .pauseEncRsp), (.awaitsResponse, .encRsp),
      (.awaitsResponse, .rejectInd), (.awaitsResponse, .rejectExtInd), (.awaitsResponse, .unknownRsp),
      (.awaitsStartRequest, .startEncReq), (.awaitsStartRequest, .rejectInd), (.awaitsStartRequest, .rejectExtInd),
      (.awaitsPauseConfirmation, .pauseEncRsp), (.awaitsRequest, .encReq), (.awaitsStartResponse, .startEncRsp):
      true
    default: false
    }
  }

  func makeSession(longTermKey: [UInt8]) {
    session = LinkSession(
      longTermKey: longTermKey, diversifiers: (centralParts.diversifier, peripheralParts.diversifier),
      vectors: (centralParts.vector, peripheralParts.vector))
  }
}

extension LinkEnd {
  /// Encrypts what this end sends from now on, or no more.
  func encryptTransmission(_ cipher: LinkCipher?) {
    security?.transmit = cipher
    micLength = cipher == nil ? 0 : LinkCipher.micLength
  }

  /// The next new PDU as it goes on the air. The peripheral switches its receiver with the PDU that says so.
  func sealed(_ pdu: consuming OutgoingPDU) -> OutgoingPDU {
    guard let security else { return pdu }
    if let cipher = security.transmit { pdu.octets = pdu.octets.map { cipher.seal($0, llid: pdu.kind.rawValue) } }
    if pdu.kind == .control, role == .peripheral {
      switch pdu.opcode {
      case LL.ControlOpcode.startEncReq: security.receive = security.session?.cipher(sender: .central)
      case LL.ControlOpcode.pauseEncRsp: security.receive = nil
      default: break
      }
    }
    return pdu
  }
}
