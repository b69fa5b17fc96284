extension HCI {
  /// Events of the extended commands (Core v5.4, Vol 4, Part E, 7.7.65.10, 13, 17 … 19).
  public enum ExtendedEvent: Hashable, Sendable {
    /// `HCI_LE_Scan_Timeout`.
    case leScanTimeout
  }
}

extension HCI.ExtendedEvent: HCIEventGroup {
  var code: UInt8 { HCI.EventCode.leMeta }

  var subevent: UInt8? {
    switch self {
    case .leScanTimeout: 0x11
    }
  }

  func appendParameters(to octets: inout [UInt8]) {
    switch self {
    case .leScanTimeout: break
    }
  }

  init?(code: UInt8, subevent: UInt8?, _ reader: inout OctetReader) throws(WireError) {
    guard code == HCI.EventCode.leMeta else { return nil }
    switch subevent {
    case 0x11: self = .leScanTimeout
    default: return nil
    }
  }
}
