/// Why octets are not a packet.
///
/// Spec: BAB 4.40.
public struct BabPacketError: Error, Hashable, Sendable {
  public enum Reason: Error, Hashable, Sendable {
    /// More octets than `WireLimits.packetOctets`.
    case tooLarge
    case unexpectedEnd
    /// Something else stands where this text was due.
    case expected(String)
    case leadingComma
    case trailingComma
    case missingComma
    case trailingOctets
    /// `null` where a value is required.
    case unexpectedNull
    case invalidEscape
    case invalidNumber
    /// Does not fit the field's 32 or 64 bits.
    case numberOverflow
    case invalidBoolean
    /// A number that 32-bit floating point cannot hold, or NaN.
    case notFinite
    /// Not one of the names of an enumeration.
    case unknownName(String)
    case missingDiscriminator
    case missingKey(String)
    /// Nested deeper than `WireLimits.nesting`.
    case tooDeep
    /// A map with more entries than `WireLimits.mapEntries`.
    case tooManyEntries
  }

  public var reason: Reason
  /// Octets before the place at which the reader stood; for `missingKey` the end of the object that lacks it. Inside a
  /// payload whose discriminator is not its first key, the offset of that payload.
  public var offset: Int

  public init(_ reason: Reason, offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}

extension BabPacketError.Reason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .tooLarge: "packet larger than \(WireLimits.packetOctets) octets"
    case .unexpectedEnd: "unexpected end"
    case .expected(let what): "expected \(what)"
    case .leadingComma: "leading comma"
    case .trailingComma: "trailing comma"
    case .missingComma: "missing comma"
    case .trailingOctets: "octets after the packet"
    case .unexpectedNull: "null where a value is required"
    case .invalidEscape: "invalid escape"
    case .invalidNumber: "invalid number"
    case .numberOverflow: "number out of range"
    case .invalidBoolean: "invalid boolean"
    case .notFinite: "number is not finite"
    case .unknownName(let what): "unknown \(what)"
    case .missingDiscriminator: "payload without type"
    case .missingKey(let key): "missing key \"\(key)\""
    case .tooDeep: "nested deeper than \(WireLimits.nesting)"
    case .tooManyEntries: "map with more than \(WireLimits.mapEntries) entries"
    }
  }
}

extension BabPacketError: CustomStringConvertible {
  /// For example `missing key "vote" at offset 212`.
  public var description: String { "\(reason) at offset \(offset)" }
}

/// The bounds of the wire format's readers.
public enum WireLimits {
  /// Octets of one packet's text. Spec: BAB 4.41.
  public static let packetOctets = 262_144
  /// Nesting of a value that is kept; values under unknown keys are skipped at any depth. Spec: BAB 4.42.
  public static let nesting = 512
  /// Entries of one map that is kept. Spec: BAB 4.43.
  public static let mapEntries = 256
}
