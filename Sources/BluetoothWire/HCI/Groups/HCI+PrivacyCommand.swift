extension HCI {
  /// The resolving list (Core v5.4, Vol 4, Part E, 7.8.38 … 7.8.45, 7.8.77).
  public enum PrivacyCommand: Hashable, Sendable {
    case leClearResolvingList
  }
}

extension HCI.Opcode {
  public static let leClearResolvingList = HCI.Opcode(ogf: 0x08, ocf: 0x29)
}

extension HCI.PrivacyCommand: HCICommandGroup {
  var opcode: HCI.Opcode {
    switch self {
    case .leClearResolvingList: .leClearResolvingList
    }
  }

  var connectionHandle: HCI.ConnectionHandle? { nil }

  var answersWithStatus: Bool { false }

  func appendParameters(to octets: inout [UInt8]) {
    switch self {
    case .leClearResolvingList: break
    }
  }

  init?(_ opcode: HCI.Opcode, _ reader: inout OctetReader) throws(WireError) {
    switch opcode {
    case .leClearResolvingList: self = .leClearResolvingList
    default: return nil
    }
  }
}
