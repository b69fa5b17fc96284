/// The Security Manager Protocol. Spec: Core v5.4, Vol 3, Part H, 3.
///
/// Octets of values are in the order of the PDUs, least significant first.
public enum SMP {
  /// The channel's MTU with LE Secure Connections, which is that of its longest PDU (3.2).
  public static let mtu = 65
  /// Octets of a key, a random value, a confirm value or a check.
  public static let keyLength = 16
  /// Key sizes that may be negotiated, octets (2.3.4).
  public static let keySizes = 7...16

  /// How a device can show something and be told something (3.5.1, Table 3.4). Open: unknown ones survive.
  public struct IOCapability: Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let displayOnly = IOCapability(rawValue: 0x00)
    public static let displayYesNo = IOCapability(rawValue: 0x01)
    public static let keyboardOnly = IOCapability(rawValue: 0x02)
    public static let noInputNoOutput = IOCapability(rawValue: 0x03)
    public static let keyboardDisplay = IOCapability(rawValue: 0x04)
  }

  /// AuthReq: what a device asks of a pairing (3.5.1, Figure 3.3). Reserved bits survive.
  public struct AuthenticationRequirements: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The two bits of Bonding_Flags.
    public static let bondingFlags: UInt8 = 0b11
    /// Bonding_Flags 0b01; the values 0b10 and 0b11 are reserved.
    public static let bonding = AuthenticationRequirements(rawValue: 1 << 0)
    /// Protection against a third device between the two.
    public static let authentication = AuthenticationRequirements(rawValue: 1 << 2)
    public static let secureConnections = AuthenticationRequirements(rawValue: 1 << 3)
    public static let keypress = AuthenticationRequirements(rawValue: 1 << 4)
    /// Support of the function h7.
    public static let conversion2 = AuthenticationRequirements(rawValue: 1 << 5)

    public var asksForBonding: Bool { rawValue & Self.bondingFlags == Self.bonding.rawValue }
  }

  /// Keys that a device distributes after encryption has begun (3.6.1, Figure 3.11). Reserved bits survive.
  public struct KeyDistribution: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// LTK, EDIV and Rand of LE legacy pairing; ignored with LE Secure Connections.
    public static let encryption = KeyDistribution(rawValue: 1 << 0)
    /// IRK and identity address.
    public static let identity = KeyDistribution(rawValue: 1 << 1)
    /// CSRK.
    public static let signing = KeyDistribution(rawValue: 1 << 2)
    /// A BR/EDR link key is to be derived.
    public static let linkKey = KeyDistribution(rawValue: 1 << 3)
  }

  /// Why a pairing failed (3.5.5, Table 3.7). Open: unknown ones survive.
  public struct FailureReason: Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let passkeyEntryFailed = FailureReason(rawValue: 0x01)
    public static let oobNotAvailable = FailureReason(rawValue: 0x02)
    public static let authenticationRequirements = FailureReason(rawValue: 0x03)
    public static let confirmValueFailed = FailureReason(rawValue: 0x04)
    public static let pairingNotSupported = FailureReason(rawValue: 0x05)
    public static let encryptionKeySize = FailureReason(rawValue: 0x06)
    public static let commandNotSupported = FailureReason(rawValue: 0x07)
    public static let unspecifiedReason = FailureReason(rawValue: 0x08)
    public static let repeatedAttempts = FailureReason(rawValue: 0x09)
    public static let invalidParameters = FailureReason(rawValue: 0x0A)
    public static let dhKeyCheckFailed = FailureReason(rawValue: 0x0B)
    public static let numericComparisonFailed = FailureReason(rawValue: 0x0C)
    public static let brEDRPairingInProgress = FailureReason(rawValue: 0x0D)
    public static let crossTransportKeyDerivationNotAllowed = FailureReason(rawValue: 0x0E)
    public static let keyRejected = FailureReason(rawValue: 0x0F)
  }

  /// The fields of a Pairing Request and of a Pairing Response (3.5.1, 3.5.2), any values.
  public struct PairingFeatures: Hashable, Sendable {
    public var ioCapability: IOCapability
    /// 0: no OOB authentication data; 1: there are.
    public var oobDataFlag: UInt8
    public var requirements: AuthenticationRequirements
    /// Octets, 7 … 16.
    public var maximumKeySize: UInt8
    public var initiatorKeys: KeyDistribution
    public var responderKeys: KeyDistribution

    public init(
      ioCapability: IOCapability, oobDataFlag: UInt8 = 0, requirements: AuthenticationRequirements,
      maximumKeySize: UInt8 = 16, initiatorKeys: KeyDistribution, responderKeys: KeyDistribution
    ) {
      self.ioCapability = ioCapability
      self.oobDataFlag = oobDataFlag
      self.requirements = requirements
      self.maximumKeySize = maximumKeySize
      self.initiatorKeys = initiatorKeys
      self.responderKeys = responderKeys
    }
  }

  /// What happened while a passkey is typed (3.5.8). Open: unknown ones survive.
  public struct Keypress: Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let entryStarted = Keypress(rawValue: 0)
    public static let digitEntered = Keypress(rawValue: 1)
    public static let digitErased = Keypress(rawValue: 2)
    public static let cleared = Keypress(rawValue: 3)
    public static let entryCompleted = Keypress(rawValue: 4)
  }
}
