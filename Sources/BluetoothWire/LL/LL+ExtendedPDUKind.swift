extension LL.ExtendedPDU {
  /// Which PDU it is. All but one have the same PDU type: where and when it was sent tells them apart.
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    case advExtInd
    case auxAdvInd
    case auxChainInd
    case auxScanRsp
    case auxConnectRsp
  }

  /// Decodes a PDU of which the receiver knows what it must be.
  ///
  /// Refuses as `init(decoding:)` does; another PDU type (unknown type at 0); an AdvMode that the PDU does not have, or
  /// fields that it must have and has not, or that are reserved for it (value out of range at 2 and 3).
  public init(decoding pdu: [UInt8], as kind: Kind) throws(WireError) {
    self = try LL.ExtendedPDU(decoding: pdu)
    guard isConnectResponse == (kind == .auxConnectRsp) else { throw WireError(.unknownType, at: 0) }
    guard hasMode(of: kind) else { throw WireError(.valueOutOfRange, at: 2) }
    guard hasFields(of: kind) else { throw WireError(.valueOutOfRange, at: 3) }
  }

  private func hasMode(of kind: Kind) -> Bool {
    kind == .advExtInd || kind == .auxAdvInd || mode == .neither
  }

  /// The tables of 2.3.1.5, 2.3.1.6, 2.3.1.8, 2.3.2.3 and 2.3.3.2, as far as a receiver depends on them.
  private func hasFields(of kind: Kind) -> Bool {
    switch kind {
    case .advExtInd:
      // Without AuxPtr it says everything itself, and has no ADI.
      if syncInfo != nil || !controllerData.isEmpty || !data.isEmpty { return false }
      if pointer == nil { return mode == .neither && advertiser != nil && dataInfo == nil }
      return dataInfo != nil && (mode == .neither || advertiser == nil && target == nil)
    case .auxAdvInd:
      if mode == .neither { return true }
      return advertiser != nil && pointer == nil && syncInfo == nil && (mode == .connectable || data.isEmpty)
    case .auxChainInd: return advertiser == nil && target == nil && syncInfo == nil
    case .auxScanRsp: return advertiser != nil && target == nil && syncInfo == nil
    case .auxConnectRsp:
      return advertiser != nil && target != nil && dataInfo == nil && pointer == nil && syncInfo == nil
        && data.isEmpty
    }
  }
}
