extension HCI {
  /// Several PHYs, one bit each, as `TX_PHYs`, `Scanning_PHYs` and `Initiating_PHYs` carry them
  /// (Core v5.4, Vol 4, Part E, 7.8.48, 7.8.64, 7.8.66). Reserved bits survive.
  public struct PHYMask: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let le1M = PHYMask(rawValue: 0x01)
    public static let le2M = PHYMask(rawValue: 0x02)
    public static let leCoded = PHYMask(rawValue: 0x04)

    /// How many PHYs the mask names; as many entries follow it in the commands with one entry for each PHY.
    public var count: Int { rawValue.nonzeroBitCount }

    /// The place of `phy` among the entries that follow the mask; nil when the mask does not have it.
    func place(of phy: PHYMask) -> Int? {
      guard phy.count == 1, contains(phy) else { return nil }
      return (rawValue & (phy.rawValue - 1)).nonzeroBitCount
    }
  }

  /// The PHY of advertising packets as one number (Core v5.4, Vol 4, Part E, 7.7.65.13, 7.8.53). Open: unknown numbers
  /// survive.
  public struct AdvertisingPHY: Hashable, Sendable {
    public let rawValue: UInt8
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }

    /// No packets on the secondary advertising channel.
    public static let none = AdvertisingPHY(0)
    public static let le1M = AdvertisingPHY(1)
    public static let le2M = AdvertisingPHY(2)
    public static let leCoded = AdvertisingPHY(3)
  }

  /// `PHY_Options`: which coding a host prefers when its controller sends on LE Coded
  /// (Core v5.4, Vol 4, Part E, 7.8.49). Open: unknown numbers survive, and reserved bits.
  public struct PHYOptions: Hashable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The host does not mind.
    public static let none = PHYOptions(rawValue: 0)
    public static let s2 = PHYOptions(rawValue: 1)
    public static let s8 = PHYOptions(rawValue: 2)

    /// Nil without a preference that is defined.
    public var coding: LL.Coding? {
      switch rawValue & 0b11 {
      case 1: .s2
      case 2: .s8
      default: nil
      }
    }
  }
}
