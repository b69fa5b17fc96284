/// Why octets were refused, and at which of them.
///
/// Every decoder of this module refuses with this type and with nothing else; no input traps.
public struct WireError: Error, Equatable, Sendable {
  /// What was wrong; the raw value says it in a few words for people.
  public enum Reason: String, Hashable, Sendable {
    /// The octets ended before a field did.
    case truncated
    /// Octets were left over after the last field.
    case trailingOctets = "trailing octets"
    case unknownOpcode = "unknown opcode"
    /// A packet indicator, PDU type or event code that no known format has.
    case unknownType = "unknown type"
    /// A field holds a value that its clause does not allow.
    case valueOutOfRange = "value out of range"
    /// A length field contradicts the octets that are there.
    case lengthMismatch = "length mismatch"
    /// More octets than the format can carry.
    case tooLong = "too long"
    /// Packet indicator 03; this bench has no BR/EDR.
    case synchronousData = "synchronous data is not modelled"
    /// `Packet_Boundary_Flag` 0b11 (Core v5.4, Vol 4, Part E, 5.4.2).
    case reservedBoundary = "reserved packet boundary flag"
    /// `Broadcast_Flag` other than 0b00, which LE does not have (Core v5.4, Vol 4, Part E, 5.4.2).
    case broadcast = "broadcast flag on an LE link"
    /// `TS_Flag` in a packet that continues an SDU (Core v5.4, Vol 4, Part E, 5.4.5).
    case timeStampInFragment = "time stamp in a continuing or last fragment"
  }

  public var reason: Reason
  /// Index of the first octet that could not be accepted, from the start of what was given to the decoder.
  public var offset: Int

  public init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}

extension WireError: CustomStringConvertible {
  /// For example `truncated at octet 3`.
  public var description: String { "\(reason.rawValue) at octet \(offset)" }
}
