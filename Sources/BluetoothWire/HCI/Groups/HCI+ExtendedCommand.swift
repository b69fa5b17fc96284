extension HCI {
  /// Extended advertising, scanning and initiating (Core v5.4, Vol 4, Part E, 7.8.52 … 7.8.66).
  public enum ExtendedCommand: Hashable, Sendable {
    case leReadMaximumAdvertisingDataLength
  }
}

extension HCI.Opcode {
  public static let leReadMaximumAdvertisingDataLength = HCI.Opcode(ogf: 0x08, ocf: 0x3A)
}

extension HCI.ExtendedCommand: HCICommandGroup {
  var opcode: HCI.Opcode {
    switch self {
    case .leReadMaximumAdvertisingDataLength: .leReadMaximumAdvertisingDataLength
    }
  }

  var connectionHandle: HCI.ConnectionHandle? { nil }

  var answersWithStatus: Bool { false }

  func appendParameters(to octets: inout [UInt8]) {
    switch self {
    case .leReadMaximumAdvertisingDataLength: break
    }
  }

  init?(_ opcode: HCI.Opcode, _ reader: inout OctetReader) throws(WireError) {
    switch opcode {
    case .leReadMaximumAdvertisingDataLength: self = .leReadMaximumAdvertisingDataLength
    default: return nil
    }
  }
}
