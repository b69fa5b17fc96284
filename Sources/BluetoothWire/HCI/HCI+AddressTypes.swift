extension HCI {
  /// `Own_Address_Type`: which address a controller puts into its PDUs (Core v5.4, Vol 4, Part E, 7.8.5, 7.8.10,
  /// 7.8.12, 7.8.53, 7.8.64, 7.8.66).
  public enum OwnAddressType: UInt8, Hashable, Sendable {
    case publicDevice = 0
    case random = 1
    /// A resolvable private address by the resolving list, or the public address when the list has no entry.
    case resolvableOrPublic = 2
    /// A resolvable private address by the resolving list, or the random address when the list has no entry.
    case resolvableOrRandom = 3

    /// The type without address resolution.
    public init(_ kind: BluetoothAddress.Kind) { self = kind == .random ? .random : .publicDevice }

    /// The address that is used when the resolving list has no entry, or always.
    public var fallback: BluetoothAddress.Kind { rawValue & 1 == 0 ? .publicDevice : .random }

    /// Whether the resolving list decides.
    public var isResolvable: Bool { rawValue >= 2 }
  }

  /// An address of another device with the type octet as events carry it: also identities that the controller resolved,
  /// no address at all, and a target that could not be resolved (Core v5.4, Vol 4, Part E, 7.7.65.13).
  public struct PeerAddress: Hashable, Sendable {
    /// The type octet. Open: unknown types survive.
    public struct Kind: Hashable, Sendable {
      public let rawValue: UInt8
      public init(_ rawValue: UInt8) { self.rawValue = rawValue }

      public static let publicDevice = Kind(0x00)
      public static let random = Kind(0x01)
      public static let publicIdentity = Kind(0x02)
      /// A random static address.
      public static let randomIdentity = Kind(0x03)
      /// A resolvable private address in `Direct_Address` that the controller did not resolve.
      public static let unresolved = Kind(0xFE)
      /// No address was in the advertisement.
      public static let anonymous = Kind(0xFF)
    }

    public let kind: Kind
    /// The 48 address bits; the upper 16 bits are zero.
    public let bits: UInt64

    public init(kind: Kind, bits: UInt64) {
      self.kind = kind
      self.bits = bits & 0xFFFF_FFFF_FFFF
    }

    public init(_ address: BluetoothAddress, isIdentity: Bool = false) {
      self.init(kind: Kind(address.kind.rawValue | (isIdentity ? 2 : 0)), bits: address.bits)
    }

    /// Whether the controller resolved a private address to this identity.
    public var isIdentity: Bool { kind == .publicIdentity || kind == .randomIdentity }

    /// The address without what is known of its resolving; nil when there is none.
    public var device: BluetoothAddress? {
      switch kind {
      case .publicDevice, .publicIdentity: BluetoothAddress(kind: .publicDevice, bits: bits)
      case .random, .randomIdentity, .unresolved: BluetoothAddress(kind: .random, bits: bits)
      default: nil
      }
    }
  }
}
