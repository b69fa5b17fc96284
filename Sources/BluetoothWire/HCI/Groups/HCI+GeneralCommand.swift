extension HCI {
  /// What a current host asks at start-up and of a link, beyond the commands that stand alone (Core v5.4, Vol 4, Part E, 7.3, 7.4, 7.8).
  public enum GeneralCommand: Hashable, Sendable {
    case readBufferSize
  }
}

extension HCI.Opcode {
  public static let readBufferSize = HCI.Opcode(ogf: 0x04, ocf: 0x05)
}

extension HCI.GeneralCommand: HCICommandGroup {
  var opcode: HCI.Opcode {
    switch self {
    case .readBufferSize: .readBufferSize
    }
  }

  var connectionHandle: HCI.ConnectionHandle? { nil }

  var answersWithStatus: Bool { false }

  func appendParameters(to octets: inout [UInt8]) {
    switch self {
    case .readBufferSize: break
    }
  }

  init?(_ opcode: HCI.Opcode, _ reader: inout OctetReader) throws(WireError) {
    switch opcode {
    case .readBufferSize: self = .readBufferSize
    default: return nil
    }
  }
}
