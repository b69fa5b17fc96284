/// How the value of a characteristic may be used.
///
/// Source: Apple, `CBCharacteristicProperties`; Core v5.4, Vol 3, Part G, 3.3.1.1 for the lower eight bits.
public struct CBCharacteristicProperties: OptionSet, Hashable, Sendable {
  /// The sum of the bits.
  public let rawValue: UInt
  /// A set by the sum of its bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// The value may be broadcast. Not allowed for characteristics of this phone.
  public static let broadcast = Self(rawValue: 0x01)
  /// The value can be read.
  public static let read = Self(rawValue: 0x02)
  /// The value can be written by a write command.
  public static let writeWithoutResponse = Self(rawValue: 0x04)
  /// The value can be written by a write request.
  public static let write = Self(rawValue: 0x08)
  /// The value is sent by notifications, which nobody confirms.
  public static let notify = Self(rawValue: 0x10)
  /// The value is sent by indications, which the central confirms.
  public static let indicate = Self(rawValue: 0x20)
  /// Signed write commands. Not modelled.
  public static let authenticatedSignedWrites = Self(rawValue: 0x40)
  /// There is a descriptor with more properties. Not allowed for characteristics of this phone.
  public static let extendedProperties = Self(rawValue: 0x80)
  /// Only trusted devices can have notifications.
  public static let notifyEncryptionRequired = Self(rawValue: 0x100)
  /// Only trusted devices can have indications.
  public static let indicateEncryptionRequired = Self(rawValue: 0x200)
}

/// Who may read and write an attribute of this phone. Source: Apple, `CBAttributePermissions`.
public struct CBAttributePermissions: OptionSet, Hashable, Sendable {
  /// The sum of the bits.
  public let rawValue: UInt
  /// A set by the sum of its bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// Everybody may read it.
  public static let readable = Self(rawValue: 0x01)
  /// Everybody may write it.
  public static let writeable = Self(rawValue: 0x02)
  /// Trusted devices may read it.
  public static let readEncryptionRequired = Self(rawValue: 0x04)
  /// Trusted devices may write it.
  public static let writeEncryptionRequired = Self(rawValue: 0x08)
}
