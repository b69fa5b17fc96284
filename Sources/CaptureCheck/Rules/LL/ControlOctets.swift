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
    names[opcode] ?? "an LL Control PDU of opcode \(hexNumber(opcode, digits: 2))"
  }

  /// As Core v5.4, Vol 6, Part B, Table 2.18 has them.
  private static let names: [UInt8: String] = [
    LL.ControlOpcode.connectionUpdateInd: "LL_CONNECTION_UPDATE_IND",
    LL.ControlOpcode.channelMapInd: "LL_CHANNEL_MAP_IND", LL.ControlOpcode.terminateInd: "LL_TERMINATE_IND",
    LL.ControlOpcode.encReq: "LL_ENC_REQ", LL.ControlOpcode.encRsp: "LL_ENC_RSP",
    LL.ControlOpcode.startEncReq: "LL_START_ENC_REQ", LL.ControlOpcode.startEncRsp: "LL_START_ENC_RSP",
    LL.ControlOpcode.unknownRsp: "LL_UNKNOWN_RSP", LL.ControlOpcode.featureReq: "LL_FEATURE_REQ",
    LL.ControlOpcode.featureRsp: "LL_FEATURE_RSP", LL.ControlOpcode.pauseEncReq: "LL_PAUSE_ENC_REQ",
    LL.ControlOpcode.pauseEncRsp: "LL_PAUSE_ENC_RSP", LL.ControlOpcode.versionInd: "LL_VERSION_IND",
    LL.ControlOpcode.rejectInd: "LL_REJECT_IND", LL.ControlOpcode.peripheralFeatureReq: "LL_PERIPHERAL_FEATURE_REQ",
    LL.ControlOpcode.connectionParamReq: "LL_CONNECTION_PARAM_REQ",
    LL.ControlOpcode.connectionParamRsp: "LL_CONNECTION_PARAM_RSP",
    LL.ControlOpcode.rejectExtInd: "LL_REJECT_EXT_IND", LL.ControlOpcode.pingReq: "LL_PING_REQ",
    LL.ControlOpcode.pingRsp: "LL_PING_RSP", LL.ControlOpcode.lengthReq: "LL_LENGTH_REQ",
    LL.ControlOpcode.lengthRsp: "LL_LENGTH_RSP", LL.ControlOpcode.phyReq: "LL_PHY_REQ",
    LL.ControlOpcode.phyRsp: "LL_PHY_RSP", LL.ControlOpcode.phyUpdateInd: "LL_PHY_UPDATE_IND",
    LL.ControlOpcode.minUsedChannelsInd: "LL_MIN_USED_CHANNELS_IND",
    LL.ControlOpcode.periodicSyncInd: "LL_PERIODIC_SYNC_IND",
    LL.ControlOpcode.clockAccuracyReq: "LL_CLOCK_ACCURACY_REQ",
    LL.ControlOpcode.clockAccuracyRsp: "LL_CLOCK_ACCURACY_RSP",
    LL.ControlOpcode.powerControlReq: "LL_POWER_CONTROL_REQ",
    LL.ControlOpcode.powerControlRsp: "LL_POWER_CONTROL_RSP",
    LL.ControlOpcode.powerChangeInd: "LL_POWER_CHANGE_IND", LL.ControlOpcode.subrateReq: "LL_SUBRATE_REQ",
    LL.ControlOpcode.subrateInd: "LL_SUBRATE_IND", LL.ControlOpcode.channelReportingInd: "LL_CHANNEL_REPORTING_IND",
    LL.ControlOpcode.channelStatusInd: "LL_CHANNEL_STATUS_IND",
  ]
}

extension TrafficPDU {
  /// Whether a PDU of the link layer is in plain.
  fileprivate var isReadable: Bool { !link.isEncrypted || link.air?.isAuthentic == true }
  /// Whether what is taken for plain may be ciphertext; what a MIC has proven is not.
  var isDoubtful: Bool { link.mayBeEncrypted && link.air?.isAuthentic != true }
}
