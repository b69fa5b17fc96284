extension L2CAP {
  /// What a device asks that wants to open an LE credit based channel.
  ///
  /// Spec: Core v5.4, Vol 3, Part A, 4.22 (`L2CAP_LE_CREDIT_BASED_CONNECTION_REQ`).
  /// Layout: `SPSM: 2 | source CID: 2 | MTU: 2 | MPS: 2 | initial credits: 2`. Any value decodes.
  public struct CreditBasedRequest: Hashable, Sendable {
    /// The service: 0x0001 … 0x007F fixed, 0x0080 … 0x00FF dynamic.
    public var spsm: UInt16
    /// The sender's channel endpoint, 0x0040 … 0x007F.
    public var source: ChannelID
    /// The largest SDU that the sender takes, octets; at least 23.
    public var mtu: UInt16
    /// The largest payload of a K-frame that the sender takes, octets, 23 … 65 533.
    public var mps: UInt16
    /// K-frames that the receiver may send at first.
    public var initialCredits: UInt16

    public init(spsm: UInt16, source: ChannelID, mtu: UInt16, mps: UInt16, initialCredits: UInt16) {
      self.spsm = spsm
      self.source = source
      self.mtu = mtu
      self.mps = mps
      self.initialCredits = initialCredits
    }
  }

  /// The answer to a `CreditBasedRequest`; a refusal has zeros before its result.
  ///
  /// Spec: Core v5.4, Vol 3, Part A, 4.23 (`L2CAP_LE_CREDIT_BASED_CONNECTION_RSP`).
  /// Layout: `destination CID: 2 | MTU: 2 | MPS: 2 | initial credits: 2 | result: 2`. Any value decodes.
  public struct CreditBasedResponse: Hashable, Sendable {
    /// The channel endpoint of the device that answers, 0x0040 … 0x007F.
    public var destination: ChannelID
    /// The largest SDU that the device takes, octets; at least 23.
    public var mtu: UInt16
    /// The largest payload of a K-frame that the device takes, octets, 23 … 65 533.
    public var mps: UInt16
    /// K-frames that the other device may send at first.
    public var initialCredits: UInt16
    public var result: ConnectionResult

    public init(
      destination: ChannelID, mtu: UInt16, mps: UInt16, initialCredits: UInt16, result: ConnectionResult
    ) {
      self.destination = destination
      self.mtu = mtu
      self.mps = mps
      self.initialCredits = initialCredits
      self.result = result
    }

    /// A refusal.
    public init(_ result: ConnectionResult) {
      self.init(destination: ChannelID(rawValue: 0), mtu: 0, mps: 0, initialCredits: 0, result: result)
    }
  }

  /// Whether a credit based channel was opened, and why not (Vol 3, Part A, 4.23). Open: unknown ones survive.
  public struct ConnectionResult: Hashable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let success = ConnectionResult(rawValue: 0x0000)
    public static let spsmNotSupported = ConnectionResult(rawValue: 0x0002)
    public static let noResources = ConnectionResult(rawValue: 0x0004)
    public static let insufficientAuthentication = ConnectionResult(rawValue: 0x0005)
    public static let insufficientAuthorization = ConnectionResult(rawValue: 0x0006)
    public static let encryptionKeySizeTooShort = ConnectionResult(rawValue: 0x0007)
    public static let insufficientEncryption = ConnectionResult(rawValue: 0x0008)
    public static let invalidSourceCID = ConnectionResult(rawValue: 0x0009)
    public static let sourceCIDAlreadyAllocated = ConnectionResult(rawValue: 0x000A)
    public static let unacceptableParameters = ConnectionResult(rawValue: 0x000B)
  }

  /// Channel endpoints of LE credit based channels (Vol 3, Part A, 2.1, table 2.4).
  public static let dynamicLEChannels: ClosedRange<UInt16> = 0x0040...0x007F
  /// Services that devices number as they like (Vol 3, Part A, 4.22).
  public static let dynamicLEServices: ClosedRange<UInt16> = 0x0080...0x00FF
  /// The smallest MTU and MPS of an LE credit based channel, octets (Vol 3, Part A, 4.22).
  public static let smallestCreditBasedMTU: UInt16 = 23
  /// The largest MPS of an LE credit based channel, octets (Vol 3, Part A, 4.22).
  public static let largestMPS: UInt16 = 65_533
  /// Credits that one side may hold (Vol 3, Part A, 10.1).
  public static let largestCreditCount = 65_535
}

extension L2CAP.CreditBasedRequest: WireRecord {
  static let blank = Self(spsm: 0, source: .attribute, mtu: 0, mps: 0, initialCredits: 0)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&spsm, &source, &mtu, &mps)
    try pass.field(&initialCredits)
  }
}

extension L2CAP.CreditBasedResponse: WireRecord {
  static let blank = Self(.success)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&destination, &mtu, &mps, &initialCredits)
    try pass.field(&result)
  }
}
