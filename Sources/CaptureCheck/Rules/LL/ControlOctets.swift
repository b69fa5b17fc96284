import BluetoothWire

/// A fresh LL Control PDU that can be read: whole, not a repeat, on a link that is not encrypted, as far as is known,
/// or decrypted with a right MIC.
struct ControlOctets {
  var link: TrafficLink
  var fromCentral: Bool
  var opcode: UInt8
  /// Octets after the opcode.
  var dataLength: Int

  init?(_ pdu: TrafficPDU, _ header: LinkFragment) {
    guard case .linkLayer(LL.LLID.control.rawValue, isRepeat: false) = header, pdu.count >= 3, pdu.isReadable,
      pdu.count == 2 + Int(pdu.octet(at: 1))
    else { return nil }
    // Ciphertext has any length.
    if pdu.isDoubtful, let length = LL.ControlOpcode.dataLength(pdu.octet(at: 2)), length != pdu.count - 3 {
      return nil
    }
    link = pdu.link
    fromCentral = pdu.fromCentral
    opcode = pdu.octet(at: 2)
    dataLength = pdu.count - 3
  }

  /// `LL_LENGTH_REQ`; nobody knows a name for what nobody defined.
  static func name(_ opcode: UInt8) -> String {
    further[opcode]
      ?? (Int(opcode) < names.count
        ? names[Int(opcode)] : "an LL Control PDU of opcode \(hexNumber(opcode, digits: 2))")
  }

  /// Those that do not follow the others.
  private static let further: [UInt8: String] = [
    LL.ControlOpcode.periodicSyncInd: "LL_PERIODIC_SYNC_IND", LL.ControlOpcode.subrateReq: "LL_SUBRATE_REQ",
    LL.ControlOpcode.subrateInd: "LL_SUBRATE_IND",
  ]

  /// By opcode, as Core v5.4, Vol 6, Part B, Table 2.18 has them.
  private static let names = [
    "LL_CONNECTION_UPDATE_IND", "LL_CHANNEL_MAP_IND", "LL_TERMINATE_IND", "LL_ENC_REQ", "LL_ENC_RSP",
    "LL_START_ENC_REQ", "LL_START_ENC_RSP", "LL_UNKNOWN_RSP", "LL_FEATURE_REQ", "LL_FEATURE_RSP", "LL_PAUSE_ENC_REQ",
    "LL_PAUSE_ENC_RSP", "LL_VERSION_IND", "LL_REJECT_IND", "LL_PERIPHERAL_FEATURE_REQ", "LL_CONNECTION_PARAM_REQ",
    "LL_CONNECTION_PARAM_RSP", "LL_REJECT_EXT_IND", "LL_PING_REQ", "LL_PING_RSP", "LL_LENGTH_REQ", "LL_LENGTH_RSP",
    "LL_PHY_REQ", "LL_PHY_RSP", "LL_PHY_UPDATE_IND", "LL_MIN_USED_CHANNELS_IND",
  ]
}

extension TrafficPDU {
  /// Whether a PDU of the link layer is in plain.
  fileprivate var isReadable: Bool { !link.isEncrypted || link.air?.isAuthentic == true }
  /// Whether what is taken for plain may be ciphertext; what a MIC has proven is not.
  var isDoubtful: Bool { link.mayBeEncrypted && link.air?.isAuthentic != true }
}
