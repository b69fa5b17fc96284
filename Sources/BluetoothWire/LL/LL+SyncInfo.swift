extension LL {
  /// `SyncInfo`: where a periodic advertising train is, and how to follow it.
  ///
  /// Spec: Core v5.4, Vol 6, Part B, 2.3.4.6. Layout: `Sync Packet Offset: 13 bits, Offset Units, Offset Adjust, RFU |
  /// Interval: 2 | ChM: 37 bits, SCA: 3 bits | AA: 4 | CRCInit: 3 | Periodic Event Counter: 2`.
  public struct SyncInfo: Hashable, Sendable {
    /// From the start of the PDU with this field to that of the AUX_SYNC_IND, 13 bits; 0: too far away to be given.
    public var offset: UInt16 = 0
    /// `Offset Units` of 300 µs; false: of 30 µs.
    public var hasLongUnits = false
    /// `Offset Adjust`: 2.4576 s more.
    public var isAdjusted = false
    /// Units of 1.25 ms, 6 … 65535.
    public var interval: UInt16
    /// 37 bits.
    public var channelMap: UInt64
    /// 0 … 7, from 500 ppm to 20 ppm.
    public var sleepClockAccuracy: UInt8
    public var accessAddress: UInt32
    /// 24 bits.
    public var crcInit: UInt32
    /// `paEventCounter` of the AUX_SYNC_IND that the offset leads to.
    public var eventCounter: UInt16

    public init(
      interval: UInt16, channelMap: UInt64, sleepClockAccuracy: UInt8, accessAddress: UInt32, crcInit: UInt32,
      eventCounter: UInt16
    ) {
      self.interval = interval
      self.channelMap = channelMap
      self.sleepClockAccuracy = sleepClockAccuracy
      self.accessAddress = accessAddress
      self.crcInit = crcInit
      self.eventCounter = eventCounter
    }
  }
}

extension LL.SyncInfo {
  /// Octets.
  public static let length = 18
  private static let adjustment: Int64 = 2_457_600_000

  /// Nanoseconds of a unit of the offset.
  public var unit: Int64 { hasLongUnits ? 300_000 : 30_000 }

  /// Nanoseconds to the earliest start of the AUX_SYNC_IND, which comes within a unit from there; nil: not given.
  public var span: Int64? { offset == 0 ? nil : Int64(offset) * unit + (isAdjusted ? Self.adjustment : 0) }

  /// Points at an AUX_SYNC_IND that starts that many nanoseconds later. Units of 300 µs tell what is 245.7 ms away or
  /// more, and what is 4.9 s away cannot be told.
  public mutating func point(after nanoseconds: Int64) {
    hasLongUnits = nanoseconds >= 245_700_000
    isAdjusted = nanoseconds >= Self.adjustment
    let units = (nanoseconds - (isAdjusted ? Self.adjustment : 0)) / unit
    offset = (0...0x1FFF).contains(units) ? UInt16(units) : 0
    if offset == 0 { (hasLongUnits, isAdjusted) = (false, false) }
  }
}

extension LL.SyncInfo: WireRecord {
  static let blank = Self(
    interval: 0, channelMap: 0, sleepClockAccuracy: 0, accessAddress: 0, crcInit: 0, eventCounter: 0)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    var first = offset & 0x1FFF | (hasLongUnits ? 0x2000 : 0) | (isAdjusted ? 0x4000 : 0)
    var channels = Wide<5>(channelMap & 0x1F_FFFF_FFFF | UInt64(sleepClockAccuracy & 7) << 37)
    try pass.fields(&first, &interval, &channels, &accessAddress)
    try pass.field(&crcInit, as: { Wide<3>(UInt64($0)) }, { UInt32($0.value) })
    try pass.field(&eventCounter)
    (offset, hasLongUnits, isAdjusted) = (first & 0x1FFF, first & 0x2000 != 0, first & 0x4000 != 0)
    (channelMap, sleepClockAccuracy) = (channels.value & 0x1F_FFFF_FFFF, UInt8(channels.value >> 37))
  }
}
