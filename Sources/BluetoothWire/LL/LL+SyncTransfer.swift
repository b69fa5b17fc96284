extension LL {
  /// `CtrData` of `LL_PERIODIC_SYNC_IND`: a periodic advertising train, told over a connection;
  /// `LL_PERIODIC_SYNC_WR_IND` begins with it, and has `LL.ResponseTiming` after it (2.4.2.42).
  ///
  /// Spec: Core v5.4, Vol 6, Part B, 2.4.2.27. Layout: `ID: 2 | SyncInfo: 18 | connEventCount: 2 |
  /// lastPaEventCounter: 2 | SID: 4 bits, AType, SCA: 3 bits | PHY: 1 | AdvA: 6 | syncConnEventCount: 2`.
  public struct SyncTransfer: Hashable, Sendable {
    /// `Service_Data` of the host.
    public var id: UInt16
    /// Its offset counts from the anchor point of `eventCounter`.
    public var syncInfo: SyncInfo
    /// A connection event counter.
    public var eventCounter: UInt16
    /// `paEventCounter` of the newest AUX_SYNC_IND that the sender has received, or sent itself.
    public var lastTrainCounter: UInt16 = 0
    public var sid: UInt8
    /// That of the sender, 0 … 7, from 500 ppm to 20 ppm.
    public var sleepClockAccuracy: UInt8
    /// One bit as in LL_PHY_REQ.
    public var phy: UInt8
    public var advertiser: BluetoothAddress
    /// The connection event at which that AUX_SYNC_IND came.
    public var syncEventCounter: UInt16 = 0

    public init(
      id: UInt16, syncInfo: SyncInfo, eventCounter: UInt16, sid: UInt8, sleepClockAccuracy: UInt8, phy: UInt8,
      advertiser: BluetoothAddress
    ) {
      self.id = id
      self.syncInfo = syncInfo
      self.eventCounter = eventCounter
      self.sid = sid
      self.sleepClockAccuracy = sleepClockAccuracy
      self.phy = phy
      self.advertiser = advertiser
    }
  }
}

extension LL.SyncTransfer: WireRecord {
  static let blank = Self(
    id: 0, syncInfo: .blank, eventCounter: 0, sid: 0, sleepClockAccuracy: 0, phy: 0, advertiser: .blank)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    var packed = sid & 0x0F | advertiser.kind.rawValue << 4 | sleepClockAccuracy << 5
    var bits = Wide<6>(advertiser.bits)
    try pass.fields(&id, &syncInfo, &eventCounter, &lastTrainCounter)
    try pass.fields(&packed, &phy, &bits, &syncEventCounter)
    (sid, sleepClockAccuracy) = (packed & 0x0F, packed >> 5)
    advertiser = BluetoothAddress(kind: packed & 0x10 == 0 ? .publicDevice : .random, bits: bits.value)
  }
}
