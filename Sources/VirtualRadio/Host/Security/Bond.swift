public import BluetoothWire
import LinkCrypto

/// A Long Term Key and how a central names it (Core v5.4, Vol 3, Part H, 2.4.1 and 2.4.4).
public struct LongTermKey: Hashable, Sendable {
  /// 16 octets, least significant first; those above `size` are zero.
  public var value: [UInt8]
  /// EDIV and Rand; both 0 with LE Secure Connections.
  public var diversifier: UInt16
  public var random: UInt64
  /// Octets, 7 … 16.
  public var size: Int

  public init(value: [UInt8], diversifier: UInt16 = 0, random: UInt64 = 0, size: Int = 16) {
    self.value = value
    self.diversifier = diversifier
    self.random = random
    self.size = size
  }
}

/// What a device keeps of a pairing, by the peer's identity.
///
/// Spec: Core v5.4, Vol 3, Part H, 2.4.1; Vol 3, Part C, 14.1.
/// Not modelled: use of the signing keys (signed writes are ignored), link keys of BR/EDR.
public struct Bond: Hashable, Sendable {
  /// The identity address; the address of the link when the peer distributed none.
  public var identity: BluetoothAddress
  /// The peer's IRK, least significant octet first; nil when none was distributed or it was all zeros.
  public var identityResolvingKey: [UInt8]?
  /// For links on which this device is the central: distributed by the peer, or that of LE Secure Connections.
  public var keyAsCentral: LongTermKey?
  /// For links on which this device is the peripheral: distributed by this device, or that of LE Secure Connections.
  public var keyAsPeripheral: LongTermKey?
  /// The peer's CSRK and the own one, when distributed.
  public var peerSigningKey: [UInt8]?
  public var ownSigningKey: [UInt8]?
  /// A user has compared numbers or typed a passkey.
  public var isAuthenticated: Bool
  public var isSecureConnections: Bool

  public init(identity: BluetoothAddress, isAuthenticated: Bool, isSecureConnections: Bool) {
    self.identity = identity
    self.isAuthenticated = isAuthenticated
    self.isSecureConnections = isSecureConnections
  }

  /// The level of a link that a key of this bond encrypts.
  func level(of key: LongTermKey) -> SecurityLevel {
    SecurityLevel(
      isAuthenticated ? .authenticated : .encrypted, isSecureConnections: isSecureConnections, keySize: key.size)
  }

  /// Whether a device at that address is this peer: by its identity, or by a resolvable private address.
  package func matches(_ address: BluetoothAddress) -> Bool {
    if address == identity { return true }
    guard let key = identityResolvingKey, key.count == SMP.keyLength else { return false }
    guard ResolvableAddress.isResolvable(address) else { return false }
    return SecurityToolbox.ah(key, prand: UInt32(address.bits >> 24)) == UInt32(address.bits & 0xFF_FFFF)
  }
}
