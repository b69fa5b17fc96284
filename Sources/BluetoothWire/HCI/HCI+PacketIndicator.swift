extension HCI {
  /// The octet in front of every packet on a UART transport and in captures of it (Core v5.4, Vol 4, Part A, 2).
  public enum PacketIndicator {
    public static let command: UInt8 = 0x01
    public static let acl: UInt8 = 0x02
    public static let synchronousData: UInt8 = 0x03
    public static let event: UInt8 = 0x04
    public static let isochronousData: UInt8 = 0x05
  }
}

extension WireError.Reason {
  /// Why a packet is refused whose indicator is for the other direction, or is not modelled or unknown.
  fileprivate static func strange(_ indicator: UInt8) -> WireError.Reason {
    switch indicator {
    case HCI.PacketIndicator.synchronousData: .synchronousData
    case HCI.PacketIndicator.isochronousData: .isochronousData
    default: .unknownType
    }
  }
}

extension HCI.ToController {
  /// Decodes one H4 packet from a host. Refuses: an indicator other than 01 or 02 (at 0; synchronous and
  /// isochronous data with reasons of their own, others as unknown type), and what `HCI.Command` and `HCI.ACLData`
  /// refuse.
  public init(decoding octets: [UInt8]) throws(WireError) {
    switch octets.first {
    case HCI.PacketIndicator.command: self = .command(try HCI.Command(decoding: octets))
    case HCI.PacketIndicator.acl: self = .acl(try HCI.ACLData(decoding: octets))
    case nil: throw WireError(.truncated, at: 0)
    case let indicator?: throw WireError(.strange(indicator), at: 0)
    }
  }

  /// The H4 packet.
  public var h4Octets: [UInt8] {
    switch self {
    case .command(let command): command.h4Octets
    case .acl(let data): data.h4Octets
    }
  }
}

extension HCI.ToHost {
  /// Decodes one H4 packet from a controller. Refuses: an indicator other than 02 or 04 (at 0, reasons as from
  /// a host), and what `HCI.Event` and `HCI.ACLData` refuse.
  public init(decoding octets: [UInt8]) throws(WireError) {
    switch octets.first {
    case HCI.PacketIndicator.event: self = .event(try HCI.Event(decoding: octets))
    case HCI.PacketIndicator.acl: self = .acl(try HCI.ACLData(decoding: octets))
    case nil: throw WireError(.truncated, at: 0)
    case let indicator?: throw WireError(.strange(indicator), at: 0)
    }
  }

  /// The H4 packet.
  public var h4Octets: [UInt8] {
    switch self {
    case .event(let event): event.h4Octets
    case .acl(let data): data.h4Octets
    }
  }
}
