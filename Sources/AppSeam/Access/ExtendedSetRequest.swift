/// What an advertising set with extended PDUs sends (Core v5.4, Vol 6, Part B, 2.3.1.5).
public struct ExtendedSetRequest: Hashable, Sendable {
  /// As `AdvertisingSetRequest.set`, whose sets are the same.
  public var set: UInt8 = 0
  /// At most 1650 octets; of a connectable set what fits into one PDU. A scannable set has a scan response only.
  public var data: [UInt8] = []
  public var scanResponse: [UInt8] = []
  /// In foreground, units of 0.625 ms, 0x0020 … 0x4000.
  public var interval: UInt16 = 0
  /// At most one of both.
  public var isConnectable = false
  public var isScannable = false
  /// Without an address, and neither of both; hosts of the bench ignore what has none.
  public var isAnonymous = false
  public var includesTxPower = false
  /// 1 LE 1M, 3 LE Coded.
  public var primaryPHY: UInt8 = 1
  /// 1 LE 1M, 2 LE 2M, 3 LE Coded.
  public var secondaryPHY: UInt8 = 1

  public init() {}

  mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.field("set", &set)
    try visitor.field("data", &data)
    try visitor.field("scanResponse", &scanResponse)
    try visitor.field("interval", &interval)
    try visitor.field("connectable", &isConnectable)
    try visitor.field("scannable", &isScannable)
    try visitor.field("anonymous", &isAnonymous)
    try visitor.field("txPower", &includesTxPower)
    try visitor.field("primaryPHY", &primaryPHY)
    try visitor.field("secondaryPHY", &secondaryPHY)
  }
}
