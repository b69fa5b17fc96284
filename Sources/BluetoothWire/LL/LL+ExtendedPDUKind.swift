extension LL.ExtendedPDU {
  /// Which PDU it is. All but one have the same PDU type: where and when it was sent tells them apart.
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    case advExtInd
    case auxAdvInd
    case auxChainInd
    case auxScanRsp
    case auxConnectRsp
    case auxSyncInd
    case auxSyncSubeventInd
    case auxSyncSubeventRsp
  }

  /// Whether the PDU may have this AdvMode.
  func hasMode(of kind: Kind) -> Bool {
    kind == .advExtInd || kind == .auxAdvInd || mode == .neither
  }

  /// The tables of 2.3.1.5 … 2.3.1.10, 2.3.2.3 and 2.3.3.2, as far as a receiver depends on them.
  func hasFields(of kind: Kind) -> Bool {
    switch kind {
    case .advExtInd:
      // Without AuxPtr it says everything itself, and has no ADI.
      if syncInfo != nil || !controllerData.isEmpty || !data.isEmpty { return false }
      if pointer == nil { return mode == .neither && advertiser != nil && dataInfo == nil }
      return dataInfo != nil && (mode == .neither || advertiser == nil && target == nil)
    case .auxAdvInd:
      if mode == .neither { return true }
      return advertiser != nil && pointer == nil && syncInfo == nil && (mode == .connectable || data.isEmpty)
    case .auxChainInd, .auxSyncInd: return advertiser == nil && target == nil && syncInfo == nil
    case .auxSyncSubeventInd: return advertiser == nil && target == nil && pointer == nil && syncInfo == nil
    case .auxSyncSubeventRsp: return target == nil && dataInfo == nil && pointer == nil && syncInfo == nil
    case .auxScanRsp: return advertiser != nil && target == nil && syncInfo == nil
    case .auxConnectRsp:
      return advertiser != nil && target != nil && dataInfo == nil && pointer == nil && syncInfo == nil
        && data.isEmpty
    }
  }
}
