/// What an advertising set sends.
public struct AdvertisingSetRequest: Hashable, Sendable {
  /// 1 and up; what `AppEffect.advertise` and `GAPEffect.advertise` advertise is another one. A phone has a few
  /// (`PhonePreset.AdvertisingHabits`), and refuses others.
  public var set: UInt8 = 0
  /// At most 31 octets of each.
  public var data: [UInt8] = []
  public var scanResponse: [UInt8] = []
  /// In foreground, units of 0.625 ms, 0x0020 … 0x4000.
  public var interval: UInt16 = 0
  /// Otherwise what is sent can be scanned (ADV_SCAN_IND) where there is scan response data, else not
  /// (ADV_NONCONN_IND).
  public var isConnectable = false

  public init() {}
}
