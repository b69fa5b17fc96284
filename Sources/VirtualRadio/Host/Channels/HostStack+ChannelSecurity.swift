import BluetoothWire

extension HostStack {
  func isEncrypted(_ link: Link) -> Bool { link.protection.map { $0.level.protection != .none } ?? false }

  /// Whether a link could be encrypted with a key of an earlier pairing.
  func hasKey(for link: Link) -> Bool { bond(with: link.peer) != nil }

  /// Why a service that needs encryption is refused on a link; nil when it is not.
  ///
  /// Spec: Core v5.4, Vol 3, Part C, 10.3.1: without a key authentication is insufficient, with one that is not used
  /// encryption is. Not modelled: authorisation, the size of keys.
  func securityRefusal(_ link: Link) -> L2CAP.ConnectionResult? {
    if isEncrypted(link) { return nil }
    return hasKey(for: link) ? .insufficientEncryption : .insufficientAuthentication
  }
}
