public import BluetoothWire

/// How a host stack pairs. The initial values are those of a device without a screen and keys that bonds.
///
/// Spec: Core v5.4, Vol 3, Part H, 2.3 and 3.5.1; Vol 3, Part C, 10.2.
public struct SecurityConfiguration: Sendable, Hashable {
  public var ioCapability = SMP.IOCapability.noInputNoOutput
  /// Keys are kept for other links; both devices must want that.
  public var bonds = true
  /// Asks for protection against a third device (the MITM flag), as far as the IO capabilities of both allow it.
  public var asksForAuthentication = false
  /// A pairing that would not be authenticated fails with Authentication Requirements (0x03). Asks for it as well.
  public var requiresAuthentication = false
  /// Offers LE Secure Connections where the controller has the P-256 commands.
  public var offersSecureConnections = true
  /// LE legacy pairing fails with Authentication Requirements (0x03).
  public var requiresSecureConnections = false
  /// Octets of a key, within 7 … 16: what is accepted at least, and what is offered.
  public var keySizes = SMP.keySizes
  /// What this device distributes; the link key bit is ignored.
  public var distributedKeys: SMP.KeyDistribution = [.encryption, .identity]
  /// What this device asks the peer to distribute; the link key bit is ignored.
  public var requestedKeys: SMP.KeyDistribution = [.encryption, .identity]
  /// The IRK that is distributed, 16 octets, least significant first; zeros: no resolvable private addresses (3.6.4).
  public var identityResolvingKey = [UInt8](repeating: 0, count: SMP.keyLength)
  /// Accepts a peer whose private key is the published one (2.3.5.6.1); refused otherwise with Invalid Parameters.
  public var allowsDebugKey = false
  /// As a central, encrypts a link with a bonded peer as soon as it is made.
  public var encryptsBondedLinks = true
  /// Bonds that are kept; a further one replaces the oldest.
  public var bondLimit = 64

  public init() {}

  /// What is offered to a peer, in the order of a Pairing PDU; `secure` whether the controller has what that needs.
  func requirements(secure: Bool) -> SMP.AuthenticationRequirements {
    var requirements: SMP.AuthenticationRequirements = []
    if bonds { requirements.insert(.bonding) }
    if asksForAuthentication || requiresAuthentication { requirements.insert(.authentication) }
    if offersSecureConnections, secure { requirements.insert(.secureConnections) }
    return requirements
  }

  /// Without bonding there is nothing to keep a key for.
  func keys(_ wanted: SMP.KeyDistribution) -> SMP.KeyDistribution {
    bonds ? wanted.intersection([.encryption, .identity, .signing]) : []
  }
}
