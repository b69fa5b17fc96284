/// How a link is protected now.
///
/// Spec: Core v5.4, Vol 3, Part C, 10.2.1 (LE security mode 1: level 1 is `none`, level 2 `encrypted`, level 3
/// `authenticated`, level 4 `authenticated` with Secure Connections and a key of 16 octets).
public struct SecurityLevel: Hashable, Sendable {
  public enum Protection: Int, Hashable, Sendable, Comparable {
    case none
    /// Encrypted by a key that nobody has authenticated (Just Works).
    case encrypted
    /// Encrypted, and a user has compared numbers or typed a passkey.
    case authenticated

    public static func < (one: Protection, other: Protection) -> Bool { one.rawValue < other.rawValue }
  }

  public var protection: Protection
  /// The key is of LE Secure Connections.
  public var isSecureConnections: Bool
  /// Octets, 7 … 16; 0 without encryption.
  public var keySize: Int

  public init(_ protection: Protection, isSecureConnections: Bool = false, keySize: Int = 16) {
    self.protection = protection
    self.isSecureConnections = isSecureConnections
    self.keySize = keySize
  }

  public static let none = SecurityLevel(.none, keySize: 0)
}

extension SecurityLevel: CustomStringConvertible {
  /// For example `authenticated (Secure Connections, 16 octets)`.
  public var description: String {
    protection == .none
      ? "not encrypted"
      : "\(protection) (\(isSecureConnections ? "Secure Connections" : "legacy"), \(keySize) octets)"
  }
}
