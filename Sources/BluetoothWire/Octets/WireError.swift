/// Why octets were refused, and at which of them.
///
/// Every decoder of this module refuses with this type and with nothing else; no input traps.
public struct WireError: Error, Equatable, Sendable {
  /// What was wrong. Open: a layer may add reasons of its own.
  public struct Reason: Hashable, Sendable {
    /// A few words for people; also the identity of the reason.
    public let text: String
    public init(_ text: String) { self.text = text }

    /// The octets ended before a field did.
    public static let truncated = Reason("truncated")
    /// Octets were left over behind the last field.
    public static let trailingOctets = Reason("trailing octets")
    public static let unknownOpcode = Reason("unknown opcode")
    /// A packet indicator, PDU type or event code that no known format has.
    public static let unknownType = Reason("unknown type")
    /// A field holds a value that its clause does not allow.
    public static let valueOutOfRange = Reason("value out of range")
    /// A length field contradicts the octets that are there.
    public static let lengthMismatch = Reason("length mismatch")
    /// More octets than the format can carry.
    public static let tooLong = Reason("too long")
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
  public var description: String { "\(reason.text) at octet \(offset)" }
}
