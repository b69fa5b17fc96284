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
    default: .unknownType
    }
  }
}

extension HCI.ToController {
  /// Decodes one H4 packet from a host. Refuses: an indicator other than 01, 02 or 05 (at 0; synchronous data with a
  /// reason of its own, others as unknown type), and what `HCI.Command`, `HCI.ACLData` and `HCI.ISOData` refuse.
  public init(decoding octets: [UInt8]) throws(WireError) {
    switch octets.first {
    case HCI.PacketIndicator.command: self = .command(try HCI.Command(decoding: octets))
    case HCI.PacketIndicator.acl: self = .acl(try HCI.ACLData(decoding: octets))
    case HCI.PacketIndicator.isochronousData: self = .iso(try HCI.ISOData(decoding: octets))
    case nil: throw WireError(.truncated, at: 0)
    case let indicator?: throw WireError(.strange(indicator), at: 0)
    }
  }

  /// The H4 packet.
  public var h4Octets: [UInt8] {
    switch self {
    case .command(let command): command.h4Octets
    case .acl(let data): data.h4Octets
    case .iso(let data): data.h4Octets
    }
  }
}

extension HCI.ToHost {
  /// Decodes one H4 packet from a controller. Refuses: an indicator other than 02, 04 or 05 (at 0, reasons as from
  /// a host), and what `HCI.Event`, `HCI.ACLData` and `HCI.ISOData` refuse.
  public init(decoding octets: [UInt8]) throws(WireError) {
    switch octets.first {
    case HCI.PacketIndicator.event: self = .event(try HCI.Event(decoding: octets))
    case HCI.PacketIndicator.acl: self = .acl(try HCI.ACLData(decoding: octets))
    case HCI.PacketIndicator.isochronousData: self = .iso(try HCI.ISOData(decoding: octets))
    case nil: throw WireError(.truncated, at: 0)
    case let indicator?: throw WireError(.strange(indicator), at: 0)
    }
  }

  /// The H4 packet.
  public var h4Octets: [UInt8] {
    switch self {
    case .event(let event): event.h4Octets
    case .acl(let data): data.h4Octets
    case .iso(let data): data.h4Octets
    }
  }
}
